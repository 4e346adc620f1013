"""What an action may bring about, with every fall of its dice, before anybody takes it."""

from collections import deque
from collections.abc import Iterator

import msgspec

from domain.chance import Draw
from domain.rulesets.hamlet_play.board import Board
from domain.rulesets.hamlet_play.cardset import CardSet
from domain.rulesets.hamlet_play.course import results_of
from domain.rulesets.hamlet_play.results import Stage

FACES = range(1, 7)
Faces = tuple[int, ...]


class Possibility(msgspec.Struct, frozen=True):
    """One way an action may turn out: how likely, and the table after it."""

    odds: float
    board: Board


class DieWanted(Exception):
    """Something goes on with a die that has not been foreseen."""


class Foreseen:
    """Dice that fall as written down, in order."""

    def __init__(self, faces: Faces) -> None:
        self._faces = iter(faces)

    def __call__(self, purpose: str) -> tuple[int, Draw]:
        face = next(self._faces, None)
        if face is None:
            raise DieWanted
        return face, Draw(number=0, purpose=purpose)


def possibilities(
    cards: CardSet, board: Board, act: int, action: str, choice: str | None
) -> tuple[Possibility, ...]:
    """Every different table that an action may leave, its own results only: no Scene ends here."""
    found: list[Possibility] = []
    for odds, after in _every_fall(cards, board, act, action, choice):
        same = next((n for n, one in enumerate(found) if one.board == after), None)
        if same is None:
            found.append(Possibility(odds, after))
        else:
            found[same] = Possibility(found[same].odds + odds, after)
    return tuple(found)


def _every_fall(
    cards: CardSet, board: Board, act: int, action: str, choice: str | None
) -> Iterator[tuple[float, Board]]:
    waiting: deque[Faces] = deque([()])
    while waiting:
        faces = waiting.popleft()
        stage = Stage(cards, board, act, Foreseen(faces))
        try:
            for _ in stage.perform(results_of(cards, action, choice), action):
                pass
        except DieWanted:
            waiting.extend((*faces, face) for face in FACES)
        else:
            yield 6.0 ** -len(faces), stage.board
