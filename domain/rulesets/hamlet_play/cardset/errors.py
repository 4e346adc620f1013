"""What is wrong with a card set."""

from collections.abc import Iterable

import msgspec


class Flaw(msgspec.Struct, frozen=True):
    """One thing wrong: in which file, where in it (an action, an ending), and what."""

    file: str
    where: str
    reason: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.reason) if part)


class CardSetError(Exception):
    """A card set that cannot be played with, and all that is wrong with it."""

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        self.flaws = tuple(flaws)
        super().__init__("\n".join(map(str, self.flaws)))
