"""Requests that schemathesis makes up from openapi.yaml, against the app: singly, then in a row."""

from pathlib import Path
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

FILE = Path(__file__).parents[2] / "openapi.yaml"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ENDS_THE_TOKEN = ["rotateToken", "revokeToken"]

# While tests are collected nothing runs but the reading of the file: its operations name them.
schema = schemathesis.openapi.from_path(FILE).exclude(operation_id=["streamGame", "getOpenapi"])


def seated() -> Table:
    return Table(memory_services(settings=Settings(longest_wait=0.001, heartbeat=0.001))).sit()


@pytest.fixture(scope="module")
def table() -> Table:
    return seated()


def headers_of(token: str) -> dict[str, str]:
    """schemathesis does not unpack what an app in its own process has compressed."""
    return {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["known", "made up"])
@schema.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_answers_are_as_described(case: Case, known: bool, table: Table) -> None:
    ids = {"game_id": table.game, "player_id": table.people[0].id, "name": "hearts", "seat": 0}
    if known and case.operation.definition.raw["operationId"] not in ENDS_THE_TOKEN:
        case.path_parameters = {name: ids[name] for name in case.path_parameters}
    token = table.people[0].token
    response = case.call(headers=headers_of(token), app=table.app)
    case.validate_response(response, checks=CHECKS)


@pytest.mark.slow
def test_what_one_call_opens_the_next_ones_use() -> None:
    table = seated()
    token = table.people[0].token
    reached: set[tuple[str, int]] = set()
    in_a_row: Any = schema.as_state_machine()

    class OnePerson(in_a_row):
        """Everything is done by one person; new games are theirs, new players are others."""

        def get_call_kwargs(self, case: Case) -> dict[str, Any]:
            return {"headers": headers_of(token), "app": table.app}

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
    OnePerson.TestCase().runTest()
    there = {operation for operation, status in reached if status not in {401, 404}}
    assert {"getEvents", "getLog", "takeSeat", "leaveSeat", "makeMove", "closeGame"} <= there
    assert {"getPlayer", "renamePlayer"} <= there
