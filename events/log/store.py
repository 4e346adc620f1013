"""What a log store owes the command handler. tests/events runs one contract on every store."""

from collections.abc import Sequence
from typing import Literal, Protocol, get_args

import msgspec

from events.log.entry import Entry

Due = Literal["bot", "score"]
"""A bot's turn; scoresheet, records and lobby."""
WORK: tuple[Due, ...] = get_args(Due)

Waiting = Due | Literal["other"]
"""What a game may wait for; `other` is for who wrote it, a newer release most likely."""


class Head(msgspec.Struct, frozen=True):
    """Where a log ends: version and digest of its last entry; version 0 before the first."""

    version: int
    digest: bytes


EMPTY = Head(0, b"")


class Task(msgspec.Struct, frozen=True):
    """What an append told the outbox: entries `first` … `last` of a game, and what is now due."""

    game: str
    first: int
    last: int
    due: tuple[Due, ...]


class Opening(msgspec.Struct, frozen=True, order=True):
    """When a game was opened, in milliseconds since the epoch; ties are ordered by id."""

    at: int
    game: str


class Unscored(msgspec.Struct, frozen=True):
    """A game whose projections are due, and the version that last made them so."""

    opening: Opening
    version: int


class LogStore(Protocol):
    def append(
        self, game: str, expected: Head, entries: Sequence[Entry], due: tuple[Due, ...], now: int
    ) -> None:
        """Appends all of `entries` after `expected`, or none of them.

        `due` is what the game now waits for, `now` milliseconds since the epoch: a bot's turn is
        due since the append that first said so and until one that does not; a scoresheet until it
        is settled. Raises VersionConflict where the log does not end at `expected`, LogMissing,
        LogBroken, ValueError on a gap, Busy where it is not known whether the append was made.
        """

    def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        """Entries `first` … `last`, both included; an empty list where there are none.

        Raises LogBroken where one is missing, or is not an entry.
        """

    def is_known(self, game: str) -> bool:
        """Whether a game of this id was ever opened, its stream present or not."""

    def opened(self, game: str) -> int | None:
        """When a game was opened, as `games` has it; None where none was."""

    def games(self, before: Opening | None = None, count: int = 50) -> list[Opening]:
        """The games opened before `before`, newest first, at most `count`."""

    def due(self, before: int) -> list[tuple[str, Waiting, int]]:
        """Game, work and since when, for all that is due since before then, the oldest first."""

    def unscored(self, count: int) -> list[Unscored]:
        """Games whose projections are due, those first that became so last.

        At most `count`; of very many that wait for something there may be fewer.
        """

    def clear_due(self, game: str, work: Due, version: int) -> None:
        """Strikes work off that was done on the log as it was at `version`.

        Where a later append said that it is due, it still is, and keeps its time since when.
        """


def oldest_first(due: tuple[str, Waiting, int]) -> tuple[int, str, str]:
    """The order in which a store lists what is due."""
    game, work, at = due
    return at, game, work
