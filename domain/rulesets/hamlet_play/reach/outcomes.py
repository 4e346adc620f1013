"""What an action may bring about, for each fall of its dice, before anybody takes it."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from domain.chance import Draw, below, words
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.engine.action_sequence import results_of
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.results import DieWanted, Stage

T = TypeVar("T")
Dice = Callable[[], int]
"""The next die's face; raises DieWanted where it has not been foreseen."""

FORESEEN = 2
"""As many dice fall in every way; what comes after them is left to chance."""
SAMPLES = 6


class Possibility(msgspec.Struct, frozen=True):
    """One way an action may turn out: how likely, and the table after it."""

    odds: float
    board: Board


def every_fall(happens: Callable[[Dice], T]) -> Iterator[tuple[float, T]]:
    """What happens for each fall of its dice, and how likely it is.

    Two dice, as many as a duel has, are gone through; of more, only samples are taken.
    """
    waiting: deque[tuple[int, ...]] = deque([()])
    while waiting:
        faces = waiting.popleft()
        try:
            yield 6.0 ** -len(faces), happens(_dice(faces))
        except DieWanted:
            if len(faces) < FORESEEN:
                waiting.extend((*faces, face) for face in range(1, 7))
                continue
            odds = 6.0 ** -len(faces) / SAMPLES
            for number in range(SAMPLES):
                stream = words(bytes([*faces, number]), "draw", "foresight")
                yield odds, happens(_dice(faces, stream))


def _dice(faces: tuple[int, ...], more: Iterator[int] | None = None) -> Dice:
    written = iter(faces)

    def roll() -> int:
        face = next(written, None)
        if face is not None:
            return face
        if more is None:
            raise DieWanted
        return below(6, more) + 1

    return roll


def possibilities(
    cards: CardSet, board: Board, act: int, action: str, choice: str | None
) -> tuple[Possibility, ...]:
    """The different tables that an action may leave, its own results only: no Scene ends here."""

    def happens(dice: Dice) -> Board:
        stage = Stage(cards, board, act, lambda purpose: (dice(), Draw(number=0, purpose=purpose)))
        for _ in stage.perform(results_of(cards, action, choice), action):
            pass
        return stage.board

    found: list[Possibility] = []
    for odds, after in every_fall(happens):
        same = next((n for n, one in enumerate(found) if one.board == after), None)
        if same is None:
            found.append(Possibility(odds, after))
        else:
            found[same] = Possibility(found[same].odds + odds, after)
    return tuple(found)
