"""Requests that schemathesis makes up from openapi.yaml, against the app."""

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
TABLE = Table(memory_services(settings=Settings(longest_wait=0.001, heartbeat=0.001))).sit()
KNOWN = {"game_id": TABLE.game, "player_id": TABLE.people[0].id, "name": "hearts", "seat": 0}

schema = schemathesis.openapi.from_wsgi("/openapi.yaml", TABLE.app).exclude(
    operation_id="streamGame"
)


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["known", "made up"])
@schema.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_answers_are_as_described(case: Case, known: bool) -> None:
    if known:
        case.path_parameters = {name: KNOWN[name] for name in case.path_parameters}
    token = TABLE.people[0].token
    response = case.call(headers={"Authorization": f"Bearer {token}"})
    case.validate_response(response, checks=CHECKS)
