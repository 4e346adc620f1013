"""From the outbox to the queue: every letter that says a bot is due becomes one job.

A letter is done when its job is in the queue, not before.
"""

import time
from collections.abc import Callable, Iterable

import structlog

from events.entry import envelope
from events.errors import Busy
from events.outbox import Letter, Outbox
from events.store import LogStore, Task
from workers.queue import WorkQueue
from workers.sweep import Sweep

READ_WAIT = 500
CLAIM_SECONDS = 5.0
CLAIM_IDLE = 10_000
SWEEP_SECONDS = 1.0
TRIM_SECONDS = 300.0
KEPT = 3_600_000
"""Milliseconds that letters are kept for after they are done."""

SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 1.0

_log = structlog.get_logger(__name__)


class Dispatcher:
    def __init__(self, outbox: Outbox, store: LogStore, queue: WorkQueue) -> None:
        self._outbox = outbox
        self._store = store
        self._queue = queue

    def step(self, wait: int = READ_WAIT) -> int:
        """Dispatches what is there, after at most `wait` milliseconds; the number of new jobs."""
        return self._dispatch(self._outbox.read(wait))

    def rescue(self, idle: int = CLAIM_IDLE) -> int:
        """Dispatches what another dispatcher took and did not finish."""
        return self._dispatch(self._outbox.claim(idle))

    def trim(self, before: int) -> None:
        self._outbox.trim(before)

    def _dispatch(self, letters: list[Letter]) -> int:
        tasks = newest(letter.task for letter in letters if letter.task is not None)
        jobs = sum(
            self._queue.bot_turn(task.game, task.last)
            for task in tasks
            if "bot" in task.due and not self._goes_on_by_itself(task)
        )
        self._outbox.done(letters)
        return jobs

    def _goes_on_by_itself(self, task: Task) -> bool:
        """A bot appended this: its turn is still going on, and plays the next bot too."""
        entries = self._store.read(task.game, task.first, task.first)
        return bool(entries) and envelope(entries[0]).actor.kind == "bot"


def newest(tasks: Iterable[Task]) -> list[Task]:
    """The last task of each game: it says what is due now."""
    return list({task.game: task for task in tasks}.values())


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
