"""Feeds that stay open: server-sent events and long polls, on the one numbering of the log."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import structlog

from events.errors import EventsError
from events.reading import Reader
from service.problems import Problem
from service.wakeups import Wakeups

BATCH = 200
RETRY_MS = 2000
HEARTBEAT = b": heartbeat\n\n"

_log = structlog.get_logger()


class StreamLimit:
    """How many streams are open, in this process and for each player."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def total(self) -> int:
        return self._open.total()

    def enter(self, player: str) -> Callable[[], None]:
        """Counts one more and returns what counts it off again, once. Problem too-many-streams."""
        with self._lock:
            if self._open[player] >= self._most_each:
                raise _too_many(f"{self._most_each} for each player", "streams-per-player")
            if self._open.total() >= self._most:
                raise _too_many(f"{self._most} in all", "streams")
            self._open[player] += 1
        left = False

        def leave() -> None:
            nonlocal left
            with self._lock:
                if not left:
                    left = True
                    self._open[player] -= 1
                    self._open += Counter()

        return leave


def frame(event: str, data: bytes, id_: int | None = None) -> bytes:
    """One server-sent event. `data` is one line of JSON."""
    number = b"" if id_ is None else b"id: %d\n" % id_
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), number, data)


def opening(current: int, resume: str | None, view: bytes, live: bytes) -> tuple[bytes, int]:
    """How a stream begins, and the version it goes on from.

    Whoever resumes from a version the game has goes on right after it, told what is live now.
    Everyone else gets the whole view, after a `reset` where they asked for what cannot be
    honoured.
    """
    retry = b"retry: %d\n\n" % RETRY_MS
    if resume is not None and resume.isascii() and resume.isdigit() and len(resume) <= 10:
        last = int(resume)
        if 1 <= last <= current:
            return retry + frame("live", live), last
    whole = frame("view", view, current)
    if resume is not None:
        return retry + frame("reset", b'{"version":%d}' % current) + whole, current
    return retry + whole, current


def entries(
    reader: Reader,
    wakeups: Wakeups,
    game: str,
    player: str,
    start: tuple[bytes, int],
    heartbeat: float,
    allowed: Callable[[], bool],
) -> Iterator[bytes]:
    """The stream from `start` on, until the client or the process goes, or it is not allowed.

    That is asked every `heartbeat` seconds.
    """
    first, version = start
    asked = time.monotonic()
    with wakeups.listen(game) as bell:
        yield first
        while not wakeups.closing:
            bell.clear()
            if time.monotonic() - asked >= heartbeat:
                if not allowed():
                    return
                asked = time.monotonic()
            try:
                lines = reader.feed(game, player, version, BATCH)
            except EventsError as error:
                # The client resumes from its last id, and is then told what is wrong.
                _log.warning("stream ended", game=game, version=version, why=type(error).__name__)
                return
            for line in lines:
                version += 1
                yield frame("entry", line, version)
            if not lines and not bell.wait(heartbeat):
                yield HEARTBEAT


def awaited(
    reader: Reader, wakeups: Wakeups, game: str, player: str, after: int, count: int, wait: float
) -> list[bytes]:
    """The lines after `after`, waiting at most `wait` seconds for the first."""
    with wakeups.listen(game) as bell:
        until = time.monotonic() + wait
        while True:
            bell.clear()
            lines = reader.feed(game, player, after, count)
            left = until - time.monotonic()
            if lines or left <= 0 or wakeups.closing:
                return lines
            bell.wait(left)


def _too_many(limit: str, name: str) -> Problem:
    return Problem(
        "too-many-streams",
        f"Open at most {limit}.",
        headers={"Retry-After": "5"},
        limit=name,
        retry_after=5,
    )
