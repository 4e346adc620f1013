"""The queue is a hint: what it loses, the sweep puts in again."""

from typing import Any

from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from events.redis_errors import answered
from events.store import Due
from workers.jobs import (
    BOT_TURN,
    FAILURE_SECONDS,
    PROJECT,
    RESULT_SECONDS,
    RETRIES,
    TIMEOUT,
    WorkJob,
)
from workers.strangers import QUEUE


class WorkQueue:
    """Puts jobs in the queue at `connection`, each once. Raises Busy."""

    def __init__(self, connection: Any) -> None:
        self.rq = Queue(QUEUE, connection=connection, job_class=WorkJob, serializer=JSONSerializer)

    @property
    def length(self) -> int:
        with answered():
            return int(self.rq.count)

    def due(self, work: Due, game: str, version: int, mark: str = "") -> bool:
        """The job that does what is due."""
        return (self.bot_turn if work == "bot" else self.project)(game, version, mark)

    def bot_turn(self, game: str, version: int, mark: str = "") -> bool:
        """Whether the job is new. `mark` tells a second one for the same version from the first."""
        return self._enqueue(BOT_TURN, "bot", game, version, mark)

    def project(self, game: str, version: int, mark: str = "") -> bool:
        return self._enqueue(PROJECT, "project", game, version, mark)

    def _enqueue(self, entry_point: str, kind: str, game: str, version: int, mark: str) -> bool:
        with answered():
            try:
                self.rq.enqueue_call(
                    entry_point,
                    args=(game, version),
                    job_id=f"{kind}-{game}-{version}{mark and '-' + mark}",
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
