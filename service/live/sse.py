"""Feeds that stay open: server-sent events and long polls, on the one numbering of the log."""

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

from events.errors import Busy, EventsError
from events.queries import Reader
from service.live.disconnects import watched
from service.live.notifier import Notifier
from service.problems.problem import Problem
from service.retries import Retries

BATCH = 200
HEARTBEAT = b": heartbeat\n\n"

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Follower:
    """Who waits for news: by which connection, where it can be watched, and whether they may."""

    player: str
    connection: socket.socket | None
    allowed: Callable[[], bool] = lambda: True


class StreamLimit:
    """How many streams are open, in this process and for each player."""

    def __init__(
        self,
        most: int,
        most_each: int,
        changed: Callable[[int], None] = lambda _: None,
        retries: Retries | None = None,
    ) -> None:
        """`changed` is told how many are open, whenever that changes."""
        self._most = most
        self._most_each = most_each
        self._changed = changed
        self._retries = retries or Retries()
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def total(self) -> int:
        return self._open.total()

    def enter(self, player: str) -> Callable[[], None]:
        """Counts one more and returns what counts it off again, once. Problem too-many-streams."""
        with self._lock:
            if self._open[player] >= self._most_each:
                raise self._too_many(f"{self._most_each} for each player", "streams-per-player")
            if self._open.total() >= self._most:
                raise self._too_many(f"{self._most} in all", "streams")
            self._open[player] += 1
            self._changed(self._open.total())
        left = False

        def leave() -> None:
            nonlocal left
            with self._lock:
                if not left:
                    left = True
                    self._open[player] -= 1
                    self._open += Counter()
                    self._changed(self._open.total())

        return leave

    def _too_many(self, limit: str, name: str) -> Problem:
        wait = self._retries.seconds()
        return Problem(
            "too-many-streams",
            f"Open at most {limit}.",
            headers={"Retry-After": str(wait)},
            limit=name,
            retry_after=wait,
        )


class Openings:
    """Streams are opened few at a time, so that thousands that come at once hold up nobody else.

    Whoever has not had their turn after `patience` seconds is told to come again.
    """

    def __init__(self, at_once: int = 16, patience: float = 15.0) -> None:
        self._turns = threading.Semaphore(at_once)
        self._patience = patience

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Raises Busy."""
        if not self._turns.acquire(timeout=self._patience):
            raise Busy("too many streams are being opened; the same request may be sent again")
        try:
            yield
        finally:
            self._turns.release()


def frame(event: str, data: bytes, id_: int | None = None) -> bytes:
    """One server-sent event. `data` is one line of JSON."""
    number = b"" if id_ is None else b"id: %d\n" % id_
    return b"event: %b\n%bdata: %b\n\n" % (event.encode(), number, data)


def is_over(reader: Reader, game: str, version: int) -> bool:
    """Whether nothing will ever follow `version`: the game is finished, and this is its end."""
    known = reader.loader.cached(game)
    return known.game.status == "finished" and version >= known.head.version


def opening(
    current: int, resume: str | None, view: bytes, live: bytes, retry_ms: int
) -> tuple[bytes, int]:
    """How a stream begins, and the version it goes on from.

    Whoever resumes from a version the game has goes on right after it, told what is live now.
    Everyone else gets the whole view, after a `reset` where they asked for what cannot be
    honoured. Who is cut off comes back after `retry_ms`.
    """
    retry = b"retry: %d\n\n" % retry_ms
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
    notifier: Notifier,
    game: str,
    follower: Follower,
    start: tuple[bytes, int],
    heartbeat: float,
) -> Iterator[bytes]:
    """The stream from `start` on, until the game is over, the client or the process goes, or it is
    not allowed. That is asked every `heartbeat` seconds.
    """
    first, version = start
    asked = time.monotonic()
    with notifier.subscribe(game) as news, watched(follower.connection, news) as gone:
        yield first
        tail, quiet = notifier.tail(game), False
        while not notifier.closing and not gone():
            news.clear()
            if time.monotonic() - asked >= heartbeat:
                if not follower.allowed():
                    return
                asked = time.monotonic()
            try:
                lines = tail.feed(reader, game, follower.player, version, BATCH, anew=quiet)
            except EventsError as error:
                # The client resumes from its last id, and is then told what is wrong.
                _log.warning("stream ended", game=game, version=version, why=type(error).__name__)
                return
            for line in lines:
                version += 1
                yield frame("entry", line, version)
            if is_over(reader, game, version):
                yield frame("end", b'{"version":%d}' % version)
                return
            quiet = not lines and not news.wait(heartbeat)
            if quiet:
                yield HEARTBEAT


def long_poll(
    reader: Reader,
    notifier: Notifier,
    game: str,
    follower: Follower,
    after: int,
    count: int,
    wait: float,
) -> list[bytes]:
    """The lines after `after`, waiting at most `wait` seconds for the first.

    None come, and nothing is waited for, when the game is over or the client has gone.
    """
    with notifier.subscribe(game) as news, watched(follower.connection, news) as gone:
        until, tail, quiet = time.monotonic() + wait, notifier.tail(game), False
        while True:
            news.clear()
            lines = tail.feed(reader, game, follower.player, after, count, anew=quiet)
            left = until - time.monotonic()
            if lines or left <= 0 or notifier.closing or gone() or is_over(reader, game, after):
                return lines
            quiet = not news.wait(left)
