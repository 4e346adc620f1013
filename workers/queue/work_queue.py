"""The queue is a hint: what it loses, the sweep puts in again."""

from collections.abc import Sequence
from typing import Any

from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer
from rq.utils import as_text

from events.log.store import Due
from events.redis.errors import translate_errors
from workers.queue.jobs import (
    BOT_TURN,
    FAILURE_SECONDS,
    PROJECT,
    RESULT_SECONDS,
    RETRIES,
    TIMEOUT,
    WorkJob,
)
from workers.queue.untrusted_jobs import QUEUE


class WorkQueue:
    """Puts jobs in the queue at `connection`, each once. Raises Busy."""

    def __init__(self, connection: Any) -> None:
        self.rq = Queue(QUEUE, connection=connection, job_class=WorkJob, serializer=JSONSerializer)

    @property
    def length(self) -> int:
        with translate_errors():
            return int(self.rq.count)

    def due(self, work: Due, game: str, version: int, mark: str = "") -> bool:
        """The job that does what is due."""
        return (self.bot_turn if work == "bot" else self.project)(game, version, mark)

    def states(self, jobs: Sequence[str]) -> list[str | None]:
        """What has become of each job; None of one that is not there, or no longer."""
        with translate_errors(), self.rq.connection.pipeline(transaction=False) as pipeline:
            for job in jobs:
                pipeline.hget(WorkJob.key_for(job), "status")
            return [None if state is None else as_text(state) for state in pipeline.execute()]

    def bot_turn(self, game: str, version: int, mark: str = "") -> bool:
        """Whether the job is new. `mark` tells a second one for the same version from the first."""
        return self._enqueue(BOT_TURN, job_id("bot", game, version, mark), game, version)

    def project(self, game: str, version: int, mark: str = "") -> bool:
        return self._enqueue(PROJECT, job_id("score", game, version, mark), game, version)

    def _enqueue(self, entry_point: str, job: str, game: str, version: int) -> bool:
        with translate_errors():
            try:
                self.rq.enqueue_call(
                    entry_point,
                    args=(game, version),
                    job_id=job,
                    unique=True,
                    timeout=TIMEOUT,
                    result_ttl=RESULT_SECONDS,
                    failure_ttl=FAILURE_SECONDS,
                    retry=Retry(max=RETRIES),
                    description=entry_point,
                )
            except DuplicateJobError:
                return False
        return True


def job_id(work: Due, game: str, version: int, mark: str = "") -> str:
    kind = "bot" if work == "bot" else "project"
    return f"{kind}-{game}-{version}{mark and '-' + mark}"
