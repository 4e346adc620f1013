"""The jobs in the queue. A job names one of our entry points, a game and a version: never state.

The names below are stored in queues that outlive a release: they do not change.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from rq.exceptions import DeserializationError
from rq.job import Job

from events.errors import Busy

BOT_TURN = "workers.jobs.bot_turn"
PROJECT = "workers.jobs.project"

QUEUE = "elsinore"

EntryPoint = Callable[[str, int], None]


PATIENCE = 5.0
"""Seconds that a job waits for the log where it is away; a job may take ten."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5


class UnknownJob(Exception):
    """A job that is not one of ours, or whose arguments are not; nothing of it was run."""


class WorkJob(Job):
    """Runs an entry point of ours and nothing else, whatever the queue says."""

    entry_points: ClassVar[Mapping[str, EntryPoint]] = {}

    @property
    def func(self) -> EntryPoint:
        try:
            return self.entry_points[str(self.func_name)]
        except KeyError:
            raise UnknownJob(str(self.func_name)) from None

    def _execute(self) -> None:
        try:
            entry_point, game, version = self._call()
        except UnknownJob:
            self.retries_left = None  # it will not be known the next time either
            raise
        entry_point(game, version)

    def _call(self) -> tuple[EntryPoint, str, int]:
        try:
            called = self.func, self.args, self.kwargs
        except DeserializationError:
            raise UnknownJob("a job that is not JSON") from None
        match called:
            case entry_point, [str(game), int(version)], {} if not self.kwargs:
                return entry_point, game, version
            case _:
                raise UnknownJob(f"{self.func_name} is for a game and a version")

    @property
    def success_callback(self) -> None:
        """None: callbacks are names of functions, and come with the job."""

    @property
    def failure_callback(self) -> None:
        pass

    @property
    def stopped_callback(self) -> None:
        pass

    def send_webhooks(self, *_: Any, **__: Any) -> None:
        """Nothing: we never ask for one, so such a job is not ours."""


def patient(
    entry_point: EntryPoint,
    *,
    seconds: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> EntryPoint:
    """The same, tried again while the log is away: else a worker would run through the whole queue,
    fail at every job in it, and leave all of them to the sweep. Raises Busy after `seconds`."""

    def tried(game: str, version: int) -> None:
        deadline, pause = clock() + seconds, FIRST_PAUSE
        while True:
            try:
                return entry_point(game, version)
            except Busy:
                if clock() + pause > deadline:
                    raise
            sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    return tried


def jobs_of(entry_points: Mapping[str, EntryPoint]) -> type[WorkJob]:
    """The class of jobs that run exactly these."""
    return type("OurJob", (WorkJob,), {"entry_points": dict(entry_points)})
