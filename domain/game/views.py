"""What one viewer sees of a game: a function of the state and the viewer alone."""

from typing import Any

import msgspec

from domain.game.model import Game
from domain.game.questions import open_question, questions
from domain.kernel import NOTHING_LEGAL, Legal
from domain.registry import RULESETS
from domain.visibility import Viewer


def view(game: Game, viewer: Viewer) -> dict[str, Any]:
    """The view of a game as plain values: the table by its ruleset, and what all games share.

    A seat's own secrets are there for that seat only; the keys are the same for every viewer.
    """
    ruleset = RULESETS[game.ruleset]
    legal = legal_moves(game, viewer.seat)
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
        "question": None if viewer.seat is None else open_question(game, viewer.seat),
        "legal_moves": legal.moves,
        "refused": legal.refused,
        "to_act": {str(seat): question for seat, question in questions(game).items()},
        "outcome": game.outcome,
    }
    table: dict[str, Any] = msgspec.to_builtins(ruleset.view(game.table, viewer))
    plain: dict[str, Any] = msgspec.to_builtins(shared)
    return table | plain


def legal_moves(game: Game, seat: int | None) -> Legal:
    """The legal moves of a seat and the reasons for the rest; nothing for a spectator."""
    if seat is None or open_question(game, seat) is None:
        return NOTHING_LEGAL
    return RULESETS[game.ruleset].legal_moves(game.table, seat)
