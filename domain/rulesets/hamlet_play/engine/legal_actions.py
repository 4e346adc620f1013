"""Which actions are possible, and which of them a Scene allows (ruling HP-7)."""

from collections.abc import Iterable

import msgspec

from domain.rulesets.hamlet_play.cardset.model import Action, CardSet
from domain.rulesets.hamlet_play.cardset.requirements import Needs, persona_of
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.requirements import all_hold, holds

ONCE_A_SCENE = "once-a-scene"


class Obstacle(msgspec.Struct, frozen=True):
    """Why an action cannot be taken: its persona is dead, its boxes are all checked, it has been
    taken in this Scene, or a requirement fails."""

    rule: str
    need: Needs | None = None


DEAD = Obstacle("dead-persona")
NO_BOX = Obstacle("no-free-box")
TAKEN = Obstacle(ONCE_A_SCENE)


def is_possible(cards: CardSet, board: Board, act: int, ref: str) -> bool:
    """Its persona alive, a box free if it has boxes, every requirement met."""
    action = cards.actions[ref]
    return (
        persona_of(ref) not in board.dead
        and _box_free(action, board, ref)
        and all_hold(action.requires, board, act)
    )


def anything_possible(cards: CardSet, board: Board, act: int) -> bool:
    return any(is_possible(cards, board, act, ref) for ref in cards.actions)


def allowed_actions(
    cards: CardSet, board: Board, act: int, taken: Iterable[str]
) -> tuple[str, ...]:
    """The possible actions that have not been taken in this Scene; if there is none, all of them.

    In the order of the cards.
    """
    possible = tuple(ref for ref in cards.actions if is_possible(cards, board, act, ref))
    fresh = tuple(ref for ref in possible if ref not in taken)
    return fresh or possible


def obstacle(cards: CardSet, board: Board, act: int, ref: str) -> Obstacle | None:
    """The first reason why an action is not possible, or None."""
    action = cards.actions[ref]
    if persona_of(ref) in board.dead:
        return DEAD
    if not _box_free(action, board, ref):
        return NO_BOX
    failing = (need for need in action.requires if not holds(need, board, act))
    need = next(failing, None)
    return None if need is None else Obstacle(f"needs-{need.__struct_config__.tag}", need)


def _box_free(action: Action, board: Board, ref: str) -> bool:
    return not action.boxes or board.boxes.get(ref, 0) < action.boxes
