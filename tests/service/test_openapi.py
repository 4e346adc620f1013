"""openapi.yaml: valid, complete, and what the code says."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate

from domain.registry import RULESETS
from service.description import openapi_yaml
from service.rulebooks import tag

FILE = Path(__file__).parents[2] / "openapi.yaml"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return yaml.safe_load(openapi_yaml())


def test_the_committed_file_is_what_the_code_says() -> None:
    assert FILE.read_text() == openapi_yaml(), "openapi.yaml is stale: make openapi"


def test_b26_it_is_valid(described: dict[str, Any]) -> None:
    assert described["openapi"] == "3.1.0"
    validate(described)


def test_b26_operations_have_ids_summaries_and_problems(described: dict[str, Any]) -> None:
    operations = [
        operation
        for path in described["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    ]
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) == len(set(ids)) == 24
    for operation in operations:
        assert operation["summary"]
        assert "500" in operation["responses"]
        if operation["security"]:
            assert "401" in operation["responses"]


def test_b26_moves_are_told_apart_by_their_type(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    mapping = schemas["Move"]["discriminator"]["mapping"]
    assert set(mapping) == {tag(move) for r in RULESETS.values() for move in r.moves}
    for kind, reference in mapping.items():
        assert schemas[reference.rsplit("/", 1)[1]]["properties"]["type"]["enum"] == [kind]
    assert len(schemas["Move"]["oneOf"]) == len(mapping)
