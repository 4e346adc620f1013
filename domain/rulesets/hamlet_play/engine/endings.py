"""Endings: whether one holds, line by line, and whether it can still be reached."""

from collections.abc import Iterable
from math import inf

from domain.rulesets.hamlet_play.analysis.distances import Distances
from domain.rulesets.hamlet_play.cardset.requirements import (
    BoxesChecked,
    Dead,
    HasCounter,
    HasStatus,
    Needs,
)
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.requirements import all_hold, subjects
from domain.rulesets.hamlet_play.engine.requirements import holds as line_holds
from domain.rulesets.hamlet_play.model import HeldEnding


def holds(ending: HeldEnding, board: Board, act: int) -> bool:
    return all_hold(ending.lines, board, act)


def spared(lines: Iterable[Needs]) -> tuple[Needs, ...]:
    """Lines, and that nobody they need alive is about to die."""
    lines = tuple(lines)
    living = {p for need in lines if not isinstance(need, Dead) for p in subjects(need)}
    return (
        *lines,
        *(HasCounter(counter=f"{persona}.dying", negated=True) for persona in sorted(living)),
    )


def out_of_reach(need: Needs, board: Board, act: int, now: Distances | None) -> bool:
    """Whether a line certainly cannot hold any more; what may be lost by its rivals is not seen.

    `now` are the distances of this position. Without them, for want of the card set, only that the
    dead stay dead, and what is checked stays checked.
    """
    if line_holds(need, board, act):
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
