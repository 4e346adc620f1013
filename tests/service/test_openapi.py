"""openapi.yaml: valid, complete, and what the code says."""

import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate

from domain.kernel import type_name
from domain.registry import RULESETS
from service.cli.openapi import openapi_yaml

FILE = Path(__file__).parents[2] / "openapi.yaml"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return yaml.safe_load(openapi_yaml())


def test_the_committed_file_is_what_the_code_says() -> None:
    committed, told = FILE.read_text().splitlines(), openapi_yaml().splitlines()
    assert list(unified_diff(committed, told, n=0)) == [], "openapi.yaml is stale: make openapi"


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


def test_b26_views_are_told_apart_by_their_rule_set(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    mapping = schemas["View"]["discriminator"]["mapping"]
    assert set(mapping) == set(RULESETS)
    assert {option["$ref"] for option in schemas["View"]["oneOf"]} == set(mapping.values())
    for ruleset, reference in mapping.items():
        view = schemas[reference.rsplit("/", 1)[1]]
        assert ruleset in view["properties"]["ruleset"]["enum"]
        assert {"digest", "legal_moves", "hand", "totals"} <= set(view["required"])


def test_b26_every_discriminator_has_a_mapping(described: dict[str, Any]) -> None:
    def found(value: Any) -> Iterator[dict[str, Any]]:
        if isinstance(value, dict):
            if "discriminator" in value:
                yield value["discriminator"]
            for item in value.values():
                yield from found(item)
        elif isinstance(value, list):
            for item in value:
                yield from found(item)

    kinds = list(found(described))
    assert len(kinds) >= 2
    assert all(kind["propertyName"] and kind["mapping"] for kind in kinds)


def test_b26_names_of_components_are_words(described: dict[str, Any]) -> None:
    """Two Structs of one name would be told apart by the modules they are in."""
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", n) for n in described["components"]["schemas"])


def test_b26_moves_are_told_apart_by_their_type(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    mapping = schemas["Move"]["discriminator"]["mapping"]
    assert set(mapping) == {type_name(move) for r in RULESETS.values() for move in r.moves}
    for kind, reference in mapping.items():
        assert schemas[reference.rsplit("/", 1)[1]]["properties"]["type"]["enum"] == [kind]
    assert len(schemas["Move"]["oneOf"]) == len(mapping)
