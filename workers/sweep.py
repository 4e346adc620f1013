"""What makes the queue a hint only: work that stays due without anything happening is put in again.

Time is this process's own, so that a clock that stands still or is set back delays nothing.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from events.errors import Busy, EventsError
from events.log.store import Due, LogStore
from workers.queue.work_queue import WorkQueue, job_id

GRACE = 2.0
LONGEST_WAIT = 300.0
LONGEST_AFTER_FAILURE = 8.0
ALL = 2**53
DONE = {"finished", "failed", "stopped", "canceled"}

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Watched:
    """Work due on a game: the version last seen (None: not looked at), and when to act.

    `job` is what was put in last, at `since`, and is still to be seen done.
    """

    version: int | None
    at: float
    times: int = 0
    waits: int = 0
    job: str = ""
    since: float = 0.0


class Sweep:
    """Watches the games in which something is due; `grace` seconds without, and it acts."""

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
        self._watched: dict[tuple[str, Due], Watched] = {}
        self._mark = secrets.token_hex(4)

    def run(self) -> int:
        """One look at everything due; the number of jobs put in again."""
        due = {(game, work) for game, work, _ in self._store.due(ALL) if work != "other"}
        for known in self._watched.keys() - due:
            del self._watched[known]
        now = self._clock()
        self._look_after([w for w in self._watched.values() if w.job and now < w.at])
        return sum(self._looked(game, work, now) for game, work in sorted(due))

    def _looked(self, game: str, work: Due, now: float) -> bool:
        """What goes wrong with one game is told, and keeps nobody from looking at the next."""
        try:
            return self._look(game, work, now)
        except Busy:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a game that we never wrote brings
            _log.error("sweep-failed", work=work, game=game, reason=type(error).__name__)
            self._watched[game, work] = Watched(None, now + LONGEST_WAIT)
            return False

    def _look_after(self, waiting: list[Watched]) -> None:
        """Waits no longer for jobs that are gone and were never seen done: the queue lost them."""
        states = self._queue.states([watched.job for watched in waiting]) if waiting else []
        for watched, state in zip(waiting, states, strict=True):
            if state is None:
                watched.at, watched.waits = watched.since + self._grace, 0
            elif state in DONE:
                watched.job = ""
                if state == "failed":  # the log may have refused it, and takes it again by now
                    watched.at = min(watched.at, watched.since + LONGEST_AFTER_FAILURE)

    def _look(self, game: str, work: Due, now: float) -> bool:
        """Acts where nothing has happened; each time it waits twice as long for what it did, while
        that is in the queue or was done without effect.

        A bot's turn is left alone while the game moves, which every look sees: else a turn that
        was lost just after one would be waited for twice. Projections are not: the games that move
        most would have theirs the latest.
        """
        watched = self._watched.get((game, work))
        if watched is None:
            self._watched[game, work] = Watched(None, now + self._grace)
            return False
        if work != "bot" and now < watched.at:
            return False
        version = self._version(game, watched.version or 1)
        if work == "bot" and watched.version not in {None, version}:
            self._watched[game, work] = Watched(version, now + self._grace)
            return False
        watched.version = version
        if now < watched.at:
            return False
        times, waits = watched.times + 1, watched.waits + 1
        _log.warning("overdue", work=work, game=game, version=version, times=times)
        mark = f"{self._mark}{times}"
        new = self._queue.due(work, game, version, mark)
        wait = min(self._grace * 2 ** (waits - 1), LONGEST_WAIT)  # not where the queue was away
        job = job_id(work, game, version, mark)
        self._watched[game, work] = Watched(version, now + wait, times, waits, job, since=now)
        return new

    def _version(self, game: str, known: int) -> int:
        """The last version of a game, or the one known where its log cannot be read."""
        try:
            entries = self._store.read(game, first=known)
        except Busy:
            raise
        except EventsError:
            return known
        return entries[-1].version if entries else 0
