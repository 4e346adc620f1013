"""Requests that schemathesis makes up from openapi.yaml, against the app: singly, then in a row."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.settings import Settings
from tests.service.tables import Table, memory_services

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FAST = Settings(longest_wait=0.001, heartbeat=0.001)
ENDS_THE_TOKEN = ["rotateToken", "revokeToken"]
TABLE = Table(memory_services(settings=FAST)).sit()
KNOWN = {"game_id": TABLE.game, "player_id": TABLE.people[0].id, "name": "hearts", "seat": 0}

schema = schemathesis.openapi.from_wsgi("/openapi.yaml", TABLE.app).exclude(
    operation_id="streamGame"
)


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["known", "made up"])
@schema.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_answers_are_as_described(case: Case, known: bool) -> None:
    if known and case.operation.definition.raw["operationId"] not in ENDS_THE_TOKEN:
        case.path_parameters = {name: KNOWN[name] for name in case.path_parameters}
    token = TABLE.people[0].token
    response = case.call(headers={"Authorization": f"Bearer {token}"})
    case.validate_response(response, checks=CHECKS)


# --- in a row: from the answers with an id to what can be done with it

ROWS = Table(memory_services(settings=FAST)).sit()
Rows: Any = (
    schemathesis.openapi.from_wsgi("/openapi.yaml", ROWS.app)
    .exclude(operation_id="streamGame")
    .as_state_machine()
)
reached: set[tuple[str, int]] = set()


class OnePerson(Rows):
    """Everything is done by one person; new games are theirs, new players are others."""

    def get_call_kwargs(self, case: Case) -> dict[str, Any]:
        return {"headers": {"Authorization": f"Bearer {ROWS.people[0].token}"}}

    def before_call(self, case: Case) -> None:
        """Bodies that open a table are rarely made up, and without one the row ends there."""
        if case.operation.definition.raw["operationId"] == "openGame":
            seats: list[Any] = ["me", *[{"bot": "easy"}] * 3]
            case.body = {"ruleset": "hearts", "seats": seats}

    def validate_response(self, response: Any, case: Case, **_: Any) -> None:
        case.validate_response(response, checks=CHECKS)
        reached.add((case.operation.definition.raw["operationId"], response.status_code))


OnePerson.TestCase.settings = settings(
    max_examples=80,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.slow
def test_what_one_call_opens_the_next_ones_use() -> None:
    OnePerson.TestCase().runTest()
    there = {operation for operation, status in reached if status not in {401, 404}}
    assert {"getEvents", "getLog", "takeSeat", "leaveSeat", "makeMove", "closeGame"} <= there
    assert {"getPlayer", "renamePlayer"} <= there
