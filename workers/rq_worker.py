"""The worker process: one queue, jobs in the process itself, dead workers noticed in seconds."""

from typing import Any

from rq import SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from workers.jobs import BOT_TURN, QUEUE, jobs_of
from workers.turns import Turns

MONITORING_SECONDS = 2
MAINTENANCE_SECONDS = 5
WORKER_SECONDS = 60


class TurnWorker(SimpleWorker):
    """Without forking: the same on every platform, with a warm cache of games."""

    def get_heartbeat_ttl(self, job: Job, working_time: float = 0.0) -> int:  # noqa: ARG002
        """Seconds after which the job of a worker that is gone runs again."""
        return int(self.job_monitoring_interval) + 4


def worker_on(connection: Any, turns: Turns) -> TurnWorker:
    """A worker on the queue at `connection` (bytes replies) that runs our entry points."""
    return TurnWorker(
        [QUEUE],
        connection=connection,
        job_class=jobs_of({BOT_TURN: turns.bot_turn}),
        serializer=JSONSerializer,
        worker_ttl=WORKER_SECONDS,
        job_monitoring_interval=MONITORING_SECONDS,
        maintenance_interval=MAINTENANCE_SECONDS,
        log_job_description=False,
    )
