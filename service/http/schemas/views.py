"""The shape of a view: for each rule set its own table, and around it what all games share."""

from collections.abc import Sequence
from typing import Any

from service.http.schemas.shapes import (
    ANY_OBJECT,
    HEX,
    NULLABLE_INTEGER,
    NULLABLE_STRING,
    STRING,
    VERSION,
    list_of,
    obj,
    ref,
)

DESCRIPTION = (
    "What one viewer sees at one version: the table of its rule set, and what all games share. "
    "A function of the log and the viewer alone. `ruleset` says which it is."
)


def view_schemas(
    tables: Sequence[tuple[str, dict[str, Any]]], derived: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """`View`, and the view of each rule set whole.

    `tables` are (rule set, its table as a reference or a shape); `derived` the shapes referred to.
    Versions of a rule set that share a table share a view.
    """
    by_name: dict[str, list[str]] = {}
    shapes: dict[str, dict[str, Any]] = {}
    for ruleset, table in tables:
        name = table["$ref"].rsplit("/", 1)[1] if "$ref" in table else f"View of {ruleset}"
        by_name.setdefault(name, []).append(ruleset)
        shapes[name] = derived.get(name, table)
    views = {name: _whole(shapes[name], rulesets) for name, rulesets in by_name.items()}
    mapping = {
        ruleset: ref(name)["$ref"] for name, rulesets in by_name.items() for ruleset in rulesets
    }
    view = {
        "description": DESCRIPTION,
        "oneOf": [ref(name) for name in by_name],
        "discriminator": {"propertyName": "ruleset", "mapping": mapping},
    }
    return {**views, "View": view}


def _whole(table: dict[str, Any], rulesets: list[str]) -> dict[str, Any]:
    shared = _shared(rulesets)
    required = dict.fromkeys([*shared["required"], *table.get("required", [])])
    return {
        **table,
        **shared,
        "properties": {**shared["properties"], **table.get("properties", {})},
        "required": list(required),
    }


def _shared(rulesets: list[str]) -> dict[str, Any]:
    return obj(
        ("teams",),
        more=True,
        ruleset={"type": "string", "enum": rulesets},
        options=ANY_OBJECT,
        status={"enum": ["open", "playing", "finished"]},
        version=VERSION,
        digest=HEX,
        commitment=HEX,
        scheme=STRING,
        chance={"enum": ["chain", "scripted"]},
        script={"anyOf": [ref("ScriptPlan"), {"type": "null"}]},
        opener=STRING,
        seats=list_of(ref("SeatView")),
        seat=NULLABLE_INTEGER,
        question=NULLABLE_STRING,
        legal_moves=list_of({"anyOf": [ref("Move"), ref("Choice")]}),
        refused=list_of(ref("Refusal")),
        to_act={"type": "object", "additionalProperties": STRING},
        outcome={"anyOf": [ref("Outcome"), {"type": "null"}]},
        teams={
            "description": "The seats of each team, in a game that is played in teams.",
            **list_of(list_of({"type": "integer"})),
        },
    )
