"""What makes the queue a hint only: work that stays due without anything happening is put in again.

Time is this process's own, so that a clock that stands still or is set back delays nothing.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from events.store import LogStore
from workers.queue import WorkQueue

GRACE = 3.0
LONGEST_WAIT = 300.0
ALL = 2**53

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Watched:
    """A game with a bot due: the version last seen (None: not looked at), and when to act."""

    version: int | None
    at: float
    times: int = 0


class Sweep:
    """Watches the games in which a bot is due; `grace` seconds without a move, and it acts."""

    def __init__(
        self,
        store: LogStore,
        queue: WorkQueue,
        *,
        grace: float = GRACE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._queue = queue
        self._grace = grace
        self._clock = clock
        self._watched: dict[str, Watched] = {}
        self._mark = secrets.token_hex(4)

    def run(self) -> int:
        """One look at everything due; the number of jobs put in again."""
        due = {game for game, work, _ in self._store.due(ALL) if work == "bot"}
        for game in self._watched.keys() - due:
            del self._watched[game]
        now = self._clock()
        jobs = 0
        for game in due:
            watched = self._watched.setdefault(game, Watched(None, now + self._grace))
            if now >= watched.at:
                jobs += self._look(game, watched, now)
        return jobs

    def _look(self, game: str, watched: Watched, now: float) -> bool:
        """Acts where nothing has happened; each time it waits twice as long for what it did."""
        entries = self._store.read(game, first=watched.version or 1)
        version = entries[-1].version if entries else 0
        if watched.version is not None and watched.version != version:
            watched.version, watched.at, watched.times = version, now + self._grace, 0
            return False
        watched.version, watched.times = version, watched.times + 1
        watched.at = now + min(self._grace * 2 ** (watched.times - 1), LONGEST_WAIT)
        _log.warning("bot-overdue", game=game, version=version, times=watched.times)
        return self._queue.bot_turn(game, version, f"{self._mark}{watched.times}")
