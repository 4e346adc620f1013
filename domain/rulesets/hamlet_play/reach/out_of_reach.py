"""Whether a line of an ending can still come to hold."""

from math import inf

from domain.rulesets.hamlet_play.cardset.requirements import BoxesChecked, Dead, HasStatus, Needs
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.requirements import holds, subjects
from domain.rulesets.hamlet_play.reach.distances import Distances


def out_of_reach(need: Needs, board: Board, act: int, now: Distances | None) -> bool:
    """Whether a line certainly cannot hold any more; what may be lost by its rivals is not seen.

    `now` are the distances of this position. Without them, for want of the card set, only that the
    dead stay dead, and what is checked stays checked.
    """
    if holds(need, board, act):
        return False
    return _lost_for_good(need, board) if now is None else now.of((need,)) == inf


def _lost_for_good(need: Needs, board: Board) -> bool:
    match need:
        case Dead():
            return False
        case HasStatus(status=status, negated=True) if status in board.statuses:
            return True
        case BoxesChecked(action=action, at_most=int(most)) if board.boxes.get(action, 0) > most:
            return True
        case _:
            return any(persona in board.dead for persona in subjects(need))
