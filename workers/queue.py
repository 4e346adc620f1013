"""The queue is a hint: what it loses, the sweep puts in again."""

from typing import Any

from rq import Queue, Retry
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from events.redis_errors import answered
from workers.jobs import BOT_TURN, QUEUE, WorkJob

TIMEOUT = 10
"""Seconds; a turn takes two and the longest thought of a bot."""

RESULT_SECONDS = 5
FAILURE_SECONDS = 60


class WorkQueue:
    """Puts jobs in the queue at `connection`, each once. Raises Busy."""

    def __init__(self, connection: Any) -> None:
        self.rq = Queue(QUEUE, connection=connection, job_class=WorkJob, serializer=JSONSerializer)

    def bot_turn(self, game: str, version: int, mark: str = "") -> bool:
        """Whether the job is new. `mark` tells a second one for the same version from the first."""
        with answered():
            try:
                self.rq.enqueue_call(
                    BOT_TURN,
                    args=(game, version),
                    job_id=f"bot-{game}-{version}{mark and '-' + mark}",
                    unique=True,
                    timeout=TIMEOUT,
                    result_ttl=RESULT_SECONDS,
                    failure_ttl=FAILURE_SECONDS,
                    retry=Retry(max=5),
                    description=BOT_TURN,
                )
            except DuplicateJobError:
                return False
        return True
