"""Endings: whether one holds, and that nothing is about to undo it."""

from collections.abc import Iterable

from domain.rulesets.hamlet_play.cardset.requirements import Dead, HasCounter, Needs
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.requirements import all_hold, subjects
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
