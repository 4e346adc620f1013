"""The jobs in the queue. A job names one of our entry points, a game and a version: never state.

The names below are stored in queues that outlive a release: they do not change.
"""

import re
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn

from rq.exceptions import NoSuchJobError, StopRequested
from rq.job import Job

from events.errors import Busy
from workers.queue.untrusted_jobs import QUEUE, Unknown, check_sizes, throw_away

BOT_TURN = "workers.jobs.bot_turn"
PROJECT = "workers.jobs.project"

TIMEOUT = 10
"""Seconds; a turn takes two and the longest thought of a bot."""

RETRIES = 5
RESULT_SECONDS = 5
FAILURE_SECONDS = 60
NEVER_USED = (
    "group_id", "rate_limit_key", "rate_limit_concurrency", "repeats_left", "repeat_intervals",
    "retry_intervals", "ttl", "allow_dependency_failures", "enqueue_at_front",
    "enqueue_at_front_on_retry", "_unreadable_meta", "_success_callback_name",
    "_success_callback_timeout", "_failure_callback_name", "_failure_callback_timeout",
    "_stopped_callback_name", "_stopped_callback_timeout",
)  # fmt: skip
"""What rq heeds of a stored job, and none of ours has."""

GAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
VERSIONS = range(2**53 + 1)

EntryPoint = Callable[[str, int], None]


PATIENCE = 5.0
"""Seconds that a job waits for the log where it is away; a job may take ten."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5


class UnknownJob(Exception):
    """A job that is not one of ours, or whose arguments are not; nothing of it was run."""


class WorkJob(Job):
    """Runs an entry point of ours and nothing else, whatever the queue says."""

    entry_points: ClassVar[Mapping[str, EntryPoint]] = {}

    @staticmethod
    def unknown(job_id: str) -> object:
        """Told of each that is thrown away."""

    def refresh(self) -> None:
        try:
            super().refresh()  # type: ignore[no-untyped-call]
        except (NoSuchJobError, StopRequested):
            raise
        except Exception as error:
            if not str(error).startswith("WRONGTYPE"):
                raise
            self._throw_away()

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Raises NoSuchJobError where rq cannot read it, or it calls nothing, and throws it away.

        How long a job may take and what comes after it is ours to say, whatever is stored.
        """
        try:
            check_sizes(raw_data)
            super().restore(raw_data)
            _check(self.func_name, self.args)
        except (NoSuchJobError, StopRequested):
            raise
        except Exception:  # noqa: BLE001 - rq raises as many kinds as there are fields
            self._throw_away()
        self.timeout, self.result_ttl, self.failure_ttl = TIMEOUT, RESULT_SECONDS, FAILURE_SECONDS
        self.origin, self.retries_left = QUEUE, min(self.retries_left or 0, RETRIES)
        self._dependency_ids, self.webhooks, self.meta = [], [], {}
        for name in NEVER_USED:
            setattr(self, name, None)

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
        match self.func, self.args, self.kwargs:
            case entry_point, [str(game), int(version)], {} if (
                not self.kwargs and GAME.fullmatch(game) and version in VERSIONS
            ):
                return entry_point, game, version
            case _:
                raise UnknownJob(f"{self.func_name} is for a game and a version")

    def _throw_away(self) -> NoReturn:
        throw_away(self.connection, self.id.encode())
        self.unknown(self.id)
        raise NoSuchJobError(self.id)

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


def _check(function: object, arguments: object) -> None:
    """Raises TypeError where this is no call at all; whether it is one of ours is seen later."""
    if not isinstance(function, str) or not isinstance(arguments, list):
        raise TypeError("it calls nothing")


def with_retries(
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


def jobs_of(entry_points: Mapping[str, EntryPoint], unknown: Unknown = str) -> type[WorkJob]:
    """The class of jobs that run exactly these, and tells `unknown` of those it throws away."""
    own = {"entry_points": dict(entry_points), "unknown": staticmethod(unknown)}
    return type("OurJob", (WorkJob,), own)
