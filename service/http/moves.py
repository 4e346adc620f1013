"""From the body of a move to the move itself, by the types its rule set declares."""

import re
from functools import cache
from typing import Any, Union

import msgspec

from domain.kernel import Move, Ruleset, RuleViolation
from domain.registry import RULESETS, find
from service.http.requests import decoded
from service.openapi.rulesets import tag
from service.problems.problem import Problem

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)


def move_of(body: bytes, ruleset_id: str) -> Move:
    """Problem not-json, invalid-body, missing-answers; RuleViolation wrong-move."""
    try:
        return _decoder(ruleset_id).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _refused(error, decoded(body), find(ruleset_id)) from None


def move_tags() -> frozenset[str]:
    """The type of every move of every game."""
    return frozenset(tag(move) for ruleset in RULESETS.values() for move in ruleset.moves)


@cache
def _decoder(ruleset_id: str) -> msgspec.json.Decoder[Move]:
    return msgspec.json.Decoder(Union[find(ruleset_id).moves])  # noqa: UP007


def _refused(error: Exception, given: Any, ruleset: Ruleset[Any]) -> Exception:
    if isinstance(given, dict) and "answers" not in given:
        return Problem("missing-answers", errors={"answers": ["Missing data for required field."]})
    kind = given.get("type") if isinstance(given, dict) else None
    if isinstance(kind, str) and kind in move_tags() - {tag(move) for move in ruleset.moves}:
        return RuleViolation(
            "wrong-move", f"{ruleset.title} has no move {kind}.", code="wrong-move"
        )
    found = _PLACE.match(str(error))
    what, path = (found["what"], found["path"]) if found else (str(error), None)
    return Problem("invalid-body", errors={(path or "").lstrip(".") or "body": [what]})
