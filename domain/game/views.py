"""What one viewer sees of a game: a function of the state and the viewer alone."""

from typing import Any

import msgspec

from domain.game.model import Game
from domain.game.questions import questions
from domain.kernel import NOTHING_LEGAL
from domain.registry import RULESETS
from domain.visibility import Viewer

SHARED = frozenset({
    "ruleset", "options", "status", "version", "commitment", "chance", "script", "opener", "seats",
    "seat", "question", "legal_moves", "refused", "to_act", "outcome", "scheme", "digest", "teams",
})  # fmt: skip
"""Fields of every view, whatever the game; `teams` where it is played in teams."""


def view(game: Game, viewer: Viewer) -> dict[str, Any]:
    """The view of a game as plain values: the table by its ruleset, and what all games share.

    A seat's own secrets are there for that seat only; the keys are the same for every viewer.
    """
    ruleset = RULESETS[game.ruleset]
    to_act = questions(game)
    question = None if viewer.seat is None else to_act.get(viewer.seat)
    legal = NOTHING_LEGAL
    if viewer.seat is not None and question is not None:
        legal = ruleset.legal_moves(game.state, viewer.seat)
    shared = {
        "ruleset": game.ruleset,
        "options": game.options,
        "status": game.status,
        "version": game.version,
        "commitment": game.commitment,
        "chance": "scripted" if game.script else "chain",
        "script": game.script,
        "opener": game.opener,
        "seats": [
            {
                "seat": seat,
                "kind": o.kind,
                "player": o.player,
                "level": o.level,
                "former": o.former,
            }
            for seat, o in enumerate(game.seats)
        ],
        "seat": viewer.seat,
        "question": question,
        "legal_moves": legal.moves,
        "refused": legal.refused,
        "to_act": {str(seat): question for seat, question in to_act.items()},
        "outcome": game.outcome,
    }
    if teams := ruleset.teams(game.options, len(game.seats)):
        shared["teams"] = teams
    table: dict[str, Any] = msgspec.to_builtins(ruleset.view(game.state, viewer))
    plain: dict[str, Any] = msgspec.to_builtins(shared)
    return table | plain
