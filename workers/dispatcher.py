"""From the outbox to the queue: what its entries say is due of a game becomes one job of each kind.

An entry is done when its jobs are in the queue, not before. One that fails comes again, alone; the
one that has failed too often is put with the dead letters.
"""

import time
from collections.abc import Callable, Iterable

import msgspec
import structlog

from events.errors import Busy, EventsError
from events.log.dead_letters import DeadLetters
from events.log.entry import envelope
from events.log.outbox import Outbox, OutboxEntry
from events.log.store import Due, LogStore, Task
from workers.queue.work_queue import WorkQueue
from workers.sweep import Sweep

READ_WAIT = 500
CLAIM_SECONDS = 5.0
CLAIM_IDLE = 10_000
SWEEP_SECONDS = 0.5
TRIM_SECONDS = 300.0
KEPT = 3_600_000
"""Milliseconds that entries are kept for after they are done."""

DELIVERIES = 5
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 1.0

_log = structlog.get_logger(__name__)


class Dispatcher:
    def __init__(
        self,
        outbox: Outbox,
        store: LogStore,
        queue: WorkQueue,
        dead: DeadLetters,
        deliveries: int = DELIVERIES,
    ) -> None:
        self._outbox = outbox
        self._store = store
        self._queue = queue
        self._dead = dead
        self._deliveries = deliveries

    def step(self, wait: int = READ_WAIT) -> int:
        """Dispatches what is there, after at most `wait` milliseconds; the number of new jobs."""
        return self._dispatch(self._outbox.read(wait))

    def rescue(self, idle: int = CLAIM_IDLE) -> int:
        """Dispatches what another dispatcher took and did not finish, and what failed here."""
        return self._dispatch(self._outbox.claim(idle))

    def trim(self, before: int) -> None:
        self._outbox.trim(before)

    def _dispatch(self, entries: list[OutboxEntry]) -> int:
        by_game: dict[str, list[OutboxEntry]] = {}
        for entry in entries:
            if entry.task is None:
                self._dead.mark_failed(entry, "it names no task")
            else:
                by_game.setdefault(entry.task.game, []).append(entry)
        jobs, done = 0, list[OutboxEntry]()
        for of_game in by_game.values():
            try:
                jobs += self._enqueue(joined(of_game))
                done += of_game
            except Busy:
                raise
            except Exception as error:  # noqa: BLE001 - no entry may hold up the others
                self._failed(of_game, error)
        self._outbox.done(done)
        return jobs

    def _enqueue(self, task: Task) -> int:
        jobs = 0
        for work in task.due:
            if work == "score" or not self._goes_on_by_itself(task):
                jobs += self._queue.due(work, task.game, task.last)
        return jobs

    def _goes_on_by_itself(self, task: Task) -> bool:
        """A bot appended this: its turn is still going on, and plays the next bot too."""
        try:
            entries = self._store.read(task.game, task.first, task.first)
            return bool(entries) and envelope(entries[0]).actor.kind == "bot"
        except Busy:
            raise
        except (EventsError, msgspec.DecodeError):
            return False  # what is wrong with the log is for the job to say

    def _failed(self, entries: Iterable[OutboxEntry], error: Exception) -> None:
        reason = type(error).__name__
        for entry in entries:
            failed = self._dead.mark_failed(entry, reason, self._deliveries)
            _log.error("letter-failed", id=entry.id.decode(), reason=reason, dead=failed)


def joined(entries: Iterable[OutboxEntry]) -> Task:
    """One task of all the entries of a game: the last says whether a bot is due now."""
    tasks = [entry.task for entry in entries if entry.task is not None]
    last = max(reversed(tasks), key=lambda task: task.last)  # of equal ones the last written
    due: tuple[Due, ...] = tuple(work for work in last.due if work != "score")
    if any("score" in task.due for task in tasks):
        due += ("score",)
    return msgspec.structs.replace(last, due=due)


def run(
    dispatcher: Dispatcher, sweep: Sweep, stopped: Callable[[], bool], now: Callable[[], int]
) -> None:
    """Dispatches and sweeps until `stopped`. A server that is away is waited for."""
    chores: list[tuple[float, Callable[[], object]]] = [
        (CLAIM_SECONDS, dispatcher.rescue),
        (SWEEP_SECONDS, sweep.run),
        (TRIM_SECONDS, lambda: dispatcher.trim(now() - KEPT)),
    ]
    due = [time.monotonic() + seconds for seconds, _ in chores]
    pause = SHORTEST_PAUSE
    while not stopped():
        try:
            dispatcher.step()
            for number, (seconds, chore) in enumerate(chores):
                if time.monotonic() >= due[number]:
                    due[number] = time.monotonic() + seconds
                    chore()
            pause = SHORTEST_PAUSE
        except Busy as error:
            _log.warning("dispatcher-waits", reason=repr(error.__cause__))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
