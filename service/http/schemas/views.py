"""The shape of a view: for each rule set its own table, and around it what all games share."""

from collections.abc import Sequence
from typing import Any

from domain.game.views import SharedView
from events.queries import HeadView
from service.http.schemas.derivation import Schema, derived, ref

DESCRIPTION = (
    "What one viewer sees at one version: the table of its rule set, and what all games share. "
    "A function of the log and the viewer alone. `ruleset` says which it is."
)
FIRST = ("ruleset", "options", "status", "version", "digest", "commitment", "scheme")
"""What a view is of comes before what is in it, in the description."""


def view_schemas(tables: Sequence[tuple[str, Schema]], others: dict[str, Schema]) -> dict[str, Any]:
    """`View`, and the view of each rule set whole.

    `tables` are (rule set, its table as a reference or a shape); `others` the shapes referred to.
    Versions of a rule set that share a table share a view.
    """
    by_name: dict[str, list[str]] = {}
    shapes: dict[str, Schema] = {}
    for ruleset, table in tables:
        name = table["$ref"].rsplit("/", 1)[1] if "$ref" in table else f"View of {ruleset}"
        by_name.setdefault(name, []).append(ruleset)
        shapes[name] = others.get(name, table)
    shared = list(derived([SharedView, HeadView], others).values())
    views = {name: _whole(shapes[name], shared, rulesets) for name, rulesets in by_name.items()}
    mapping = {
        ruleset: ref(name)["$ref"] for name, rulesets in by_name.items() for ruleset in rulesets
    }
    view = {
        "description": DESCRIPTION,
        "oneOf": [ref(name) for name in by_name],
        "discriminator": {"propertyName": "ruleset", "mapping": mapping},
    }
    return {**views, "View": view}


def _whole(table: Schema, shared: Sequence[Schema], rulesets: list[str]) -> Schema:
    fields: dict[str, Schema] = {}
    required: set[str] = set()
    for part in (*shared, table):
        fields |= part.get("properties", {})
        required |= set(part.get("required", ()))
    fields = {name: fields[name] for name in FIRST} | fields
    fields["ruleset"] = {"type": "string", "enum": rulesets}
    return {
        **table,
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name in required],
        "additionalProperties": True,
    }
