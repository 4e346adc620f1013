"""The worker process: one queue, jobs in the process itself, dead workers noticed in seconds.

Jobs are not forked, on any platform: macOS is not fit for it, Windows has none, and the games in
the cache would be lost with each child. What differs is how a job that takes too long is stopped.
"""

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import structlog
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.job_lifecycle import call_exception_handlers
from rq.serializers import JSONSerializer
from rq.timeouts import (
    BaseDeathPenalty,
    BaseTimeoutException,
    TimerDeathPenalty,
    UnixSignalDeathPenalty,
)

from events.errors import Busy
from events.redis.errors import UNAVAILABLE
from workers.queue.jobs import EntryPoint, UnknownJob, jobs_of
from workers.queue.untrusted_jobs import QUEUE, StrictQueue, left_between

MONITORING_SECONDS = 2
MAINTENANCE_SECONDS = 5
WORKER_SECONDS = 60
DEQUEUE_SECONDS = 2
"""How long a worker waits for a job before it asks again, on a connection that may have died."""

Count = Callable[[str], object]

_log = structlog.get_logger(__name__)


class InProcessWorker(SimpleWorker):
    """Without forking: the same on every platform, with a warm cache of games."""

    queue_class: type[StrictQueue]

    max_connection_wait_time = 1.0
    """Seconds between two tries of a server that is away; rq doubles them up to a minute."""

    @property
    def dequeue_timeout(self) -> int:
        return DEQUEUE_SECONDS

    @property
    def connection_timeout(self) -> int:
        """Seconds after which no answer is none."""
        return DEQUEUE_SECONDS + 2

    def check_for_suspension(self, *args: Any) -> None:
        with waiting():
            super().check_for_suspension(*args)

    def set_state(self, *args: Any, **kwargs: Any) -> None:
        with waiting():
            super().set_state(*args, **kwargs)

    def heartbeat(self, *args: Any, **kwargs: Any) -> None:
        with waiting():
            super().heartbeat(*args, **kwargs)

    def execute_job(self, job: Job, queue: Queue) -> None:
        """A job whose end the queue was not told of runs again, and finds that it was done."""
        with waiting():
            super().execute_job(job, queue)

    def subscribe(self) -> None:
        """To nothing: rq would take commands here, to end the worker among others."""

    def run_maintenance_tasks(self) -> None:
        """What rq cannot read in its own sets is for the sweep to make good, not to end us."""
        try:
            with waiting("maintenance-waits"):
                for job_id in left_between(self.connection):
                    self.queue_class.throw_away(self.connection, job_id)
                super().run_maintenance_tasks()  # type: ignore[no-untyped-call]
        except StopRequested:
            raise
        except Exception as error:  # noqa: BLE001 - rq raises as many kinds as it has sets
            _log.error("maintenance-failed", reason=type(error).__name__)

    def handle_exception(self, job: Job, *met: Any) -> None:
        """Tells our own handler, which logs it. rq's log has the error's text in it, which may name
        what is hidden; and so has what rq keeps of a failed job."""
        call_exception_handlers(self._exc_handlers, job, *met)

    def handle_job_failure(self, *args: Any, **kwargs: Any) -> None:
        super().handle_job_failure(*args, **kwargs | {"exc_string": ""})

    def get_heartbeat_ttl(self, job: Job, working_time: float = 0.0) -> int:  # noqa: ARG002
        """Seconds after which the job of a worker that is gone runs again."""
        return int(self.job_monitoring_interval) + 4


@contextmanager
def waiting(event: str = "worker-waits") -> Iterator[None]:
    """What fails for want of the queue's server fails without a word to rq, which would end.

    Dequeueing meets the same, and waits for the server.
    """
    try:
        yield
    except UNAVAILABLE as error:
        _log.warning(event, reason=type(error).__name__)


def death_penalty() -> type[BaseDeathPenalty]:
    """What stops a job over its time: an alarm, or where there are none, a timer's exception.

    The timer cannot interrupt a call that is in the kernel; those on Redis end by themselves.
    """
    return UnixSignalDeathPenalty if hasattr(signal, "SIGALRM") else TimerDeathPenalty


def worker_on(
    connection: Any, entry_points: Mapping[str, EntryPoint], count: Count = str
) -> InProcessWorker:
    """A worker on the queue at `connection` (bytes replies) that runs these entry points.

    `count` is told of each job that failed: `jobs-unknown`, `jobs-over-time`, `jobs-failed`.
    """

    def note(name: str, job_id: str, reason: str, detail: str) -> None:
        _log.error(name, job=job_id, reason=reason, detail=detail)
        try:
            count(name)
        except Busy:
            _log.warning("not-counted", name=name)

    def unknown(job_id: str) -> None:
        note("jobs-unknown", job_id, "Unreadable", "it was thrown away")

    def failed(
        job: Job, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> bool:
        del trace
        note(_failure(kind), job.id, kind.__name__, _told(error))
        return False

    worker = InProcessWorker(
        [QUEUE],
        connection=connection,
        job_class=jobs_of(entry_points, unknown),
        queue_class=type("OurQueue", (StrictQueue,), {"unknown": staticmethod(unknown)}),
        serializer=JSONSerializer,
        exception_handlers=[failed],
        worker_ttl=WORKER_SECONDS,
        job_monitoring_interval=MONITORING_SECONDS,
        maintenance_interval=MAINTENANCE_SECONDS,
        log_job_description=False,
    )
    worker.death_penalty_class = death_penalty()
    return worker


def _failure(kind: type[BaseException]) -> str:
    if issubclass(kind, UnknownJob):
        return "jobs-unknown"
    return "jobs-over-time" if issubclass(kind, BaseTimeoutException) else "jobs-failed"


def _told(error: BaseException) -> str:
    """The sentence of an error of which we know that it names nothing hidden."""
    return str(error) if isinstance(error, (UnknownJob, BaseTimeoutException)) else ""
