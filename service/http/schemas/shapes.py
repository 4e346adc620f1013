"""The words that schemas are written in."""

from typing import Any

STRING = {"type": "string"}
VERSION = {"type": "integer", "minimum": 0}
HEX = {"type": "string", "pattern": "^([0-9a-f]{2})+$"}
NULLABLE_STRING = {"type": ["string", "null"]}
NULLABLE_INTEGER = {"type": ["integer", "null"]}
ANY_OBJECT: dict[str, Any] = {"type": "object"}


def obj(optional: tuple[str, ...] = (), *, more: bool = False, **fields: Any) -> dict[str, Any]:
    """An object with these fields, all required but the `optional` ones."""
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": more,
    }


def list_of(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
