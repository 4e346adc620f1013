"""Schemas derived from the types of answers, written in the notation of openapi.yaml."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, get_args

import msgspec

from domain.game.model import Status

Schema = dict[str, Any]

TEMPLATE = "#/components/schemas/{name}"
STATUSES = list(get_args(Status))


def ref(name: str) -> Schema:
    return {"$ref": TEMPLATE.format(name=name)}


LEGAL_MOVE = {"anyOf": [ref("Move"), ref("Choice")]}


def name_of(kind: Any) -> str:
    """What the description calls a type: by the title it is given, or else by its class."""
    titles = (getattr(meta, "title", None) for meta in getattr(kind, "__metadata__", ()))
    return next(filter(None, titles), None) or str(kind.__name__)


def derived(kinds: Iterable[Any], elsewhere: Collection[str]) -> dict[str, Schema]:
    """The schemas of `kinds` by name; `elsewhere` are those that others have written down.

    A Struct that is in neither stands in place, where it is referred to.
    """
    named = {name_of(kind): kind for kind in kinds}
    schemas, structs = msgspec.json.schema_components(named.values(), ref_template=TEMPLATE)
    notation = _Notation(structs, {*named, *elsewhere})
    return {name: notation.whole(schema) for name, schema in zip(named, schemas, strict=True)}


class _Notation:
    """How openapi.yaml writes what msgspec derives.

    Structs say no title, since they are named, and have no text of their own where they stand in
    place. One value is a `const`; several are listed without their type. What may be null is of two
    types. What is open says so.
    """

    def __init__(self, structs: Mapping[str, Schema], names: Collection[str]) -> None:
        self._structs = structs
        self._names = names

    def whole(self, schema: Schema) -> Schema:
        """The schema of a type itself, and not a reference to it."""
        return self._written(self._structs.get(_referred(schema), {}) | schema)

    def _within(self, schema: Schema) -> Schema:
        """A schema as a part of another one."""
        name = schema.get("title") or _referred(schema)
        if name == "LegalMove":
            return LEGAL_MOVE
        if name in self._names:
            return ref(name)
        if "$ref" in schema:
            return self._written(self._structs[name] | {"description": None})
        return self._written(schema)

    def _written(self, schema: Schema) -> Schema:
        match schema:
            case {"const": value} | {"enum": [value]}:
                return {"const": value}
            case {"enum": values}:
                return {"enum": STATUSES if set(values) == set(STATUSES) else values}
            case {"anyOf": [{"type": kind} as only, {"type": "null"}], **rest}:
                schema = self._within(only) | rest | {"type": [kind, "null"]}
            case {"anyOf": kinds, **rest}:
                return rest | {"anyOf": [self._within(kind) for kind in kinds]}
            case {"properties": fields}:
                written = {name: self._within(field) for name, field in fields.items()}
                schema = {**schema, "properties": written}
                schema.setdefault("additionalProperties", True)
            case {"additionalProperties": values}:
                schema = {**schema, "additionalProperties": self._within(values)}
            case {"type": "array"}:  # the generator of clients asks what is in it
                schema = {**schema, "items": self._within(schema.get("items", {}))}
            case _:
                pass
        return _in_order(schema)


def _referred(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rsplit("/", 1)[-1]


def _in_order(schema: Schema) -> Schema:
    """What a schema means comes before its parts; where it has none, it comes last."""
    is_plain = schema.get("type") not in ("object", "array")
    rank = {"type": -1, "description": 1 if is_plain else -2}
    kept = {k: v for k, v in schema.items() if k not in {"title", "$ref"} and v is not None}
    return dict(sorted(kept.items(), key=lambda item: rank.get(item[0], 0)))
