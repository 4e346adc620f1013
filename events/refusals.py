"""What a refused move is told: what its seat may do instead, or why its body cannot be read."""

import re
from typing import Any

import msgspec

from domain.game.model import Actor, Game
from domain.game.questions import open_question
from domain.kernel import NOTHING_LEGAL, Move, Ruleset, RuleViolation, type_name
from domain.registry import RULESETS
from events.errors import InvalidMove, StaleVersion

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)


def explained(refusal: RuleViolation | StaleVersion, game: Game, actor: Actor) -> Exception:
    """A refusal with what its seat may do instead: nothing that its view does not show."""
    own = actor.kind == "player" and actor.id is not None and game.seat_of(actor.id) == actor.seat
    if not isinstance(refusal, RuleViolation) or not own or actor.seat is None:
        return refusal
    if game.status != "playing":
        return refusal
    question = open_question(game, actor.seat)
    legal = (
        RULESETS[game.ruleset].legal_moves(game.state, actor.seat) if question else NOTHING_LEGAL
    )
    facts = {
        "question": question,
        "current_version": game.version,
        "legal_moves": legal.moves,
    }
    return RuleViolation(refusal.rule, refusal.detail, code=refusal.code, **(facts | refusal.facts))


def unreadable(error: Exception, body: bytes, ruleset: Ruleset[Any]) -> Exception:
    """InvalidMove not-json, missing-answers, invalid-body; RuleViolation wrong-move."""
    try:
        given = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as syntax:
        return InvalidMove("not-json", str(syntax))
    except RecursionError:
        return InvalidMove("not-json", "JSON is nested too deeply")
    if isinstance(given, dict) and "answers" not in given:
        return InvalidMove(
            "missing-answers", errors={"answers": ["Missing data for required field."]}
        )
    kind = given.get("type") if isinstance(given, dict) else None
    if isinstance(kind, str) and kind in move_types() - _types(ruleset.moves):
        return RuleViolation(
            "wrong-move", f"{ruleset.title} has no move {kind}.", code="wrong-move"
        )
    found = _PLACE.match(str(error))
    what, path = (found["what"], found["path"]) if found else (str(error), None)
    return InvalidMove("invalid-body", errors={(path or "").lstrip(".") or "body": [what]})


def move_types() -> frozenset[str]:
    """The type of every move of every game."""
    return frozenset().union(*(_types(ruleset.moves) for ruleset in RULESETS.values()))


def _types(moves: tuple[type[Move], ...]) -> frozenset[str]:
    return frozenset(map(type_name, moves))
