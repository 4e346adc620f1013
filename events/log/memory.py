"""The log in memory: for tests, for bots-only runs, and for reading an exported log."""

import heapq
import threading
from collections.abc import Sequence

from events.errors import LogMissing, VersionConflict
from events.log.entry import Entry, check_consecutive
from events.log.store import (
    EMPTY,
    Due,
    Head,
    Opening,
    Task,
    Unscored,
    Waiting,
    oldest_first,
)


class MemoryStore:
    """A LogStore that keeps everything in this process."""

    def __init__(self) -> None:
        self.logs: dict[str, list[Entry]] = {}
        self.tasks: list[Task] = []
        self._opened: dict[str, int] = {}
        self._due: dict[tuple[str, Due], tuple[int, int]] = {}  # since when; the last version
        self._lock = threading.Lock()

    def append(
        self, game: str, expected: Head, entries: Sequence[Entry], due: tuple[Due, ...], now: int
    ) -> None:
        check_consecutive(expected.version, entries)
        with self._lock:
            log = self.logs.get(game, [])
            if not log and game in self._opened:
                raise LogMissing(game)
            head = Head(log[-1].version, log[-1].digest) if log else EMPTY
            if head != expected:
                raise VersionConflict(expected.version, head.version)
            self._opened.setdefault(game, now)
            self.logs.setdefault(game, log).extend(entries)
            self.tasks.append(Task(game, entries[0].version, entries[-1].version, due))
            if "bot" not in due:
                self._due.pop((game, "bot"), None)
            for work in due:
                since, _ = self._due.get((game, work), (now, 0))
                self._due[game, work] = (since, entries[-1].version)

    def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        return self.logs.get(game, [])[first - 1 : last]

    def is_known(self, game: str) -> bool:
        return game in self._opened

    def opened(self, game: str) -> int | None:
        return self._opened.get(game)

    def games(self, before: Opening | None = None, count: int = 50) -> list[Opening]:
        with self._lock:
            openings = [Opening(at, game) for game, at in self._opened.items()]
        openings.sort(reverse=True)
        return [o for o in openings if before is None or o < before][:count]

    def due(self, before: int) -> list[tuple[str, Waiting, int]]:
        with self._lock:
            found: list[tuple[str, Waiting, int]] = [
                (game, work, at) for (game, work), (at, _) in self._due.items() if at < before
            ]
        return sorted(found, key=oldest_first)

    def unscored(self, count: int) -> list[Unscored]:
        with self._lock:
            due = [
                (since, game, version)
                for (game, work), (since, version) in self._due.items()
                if work == "score"
            ]
            return [
                Unscored(Opening(self._opened[game], game), version)
                for _, game, version in heapq.nlargest(count, due)
            ]

    def clear_due(self, game: str, work: Due, version: int) -> None:
        with self._lock:
            if self._due.get((game, work), (0, 0))[1] <= version:
                self._due.pop((game, work), None)
