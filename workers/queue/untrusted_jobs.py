"""What others put in our queue: thrown away before rq acts on it.

rq believes what it reads. A field that it cannot read would end the worker, then its successor.
"""

import re
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from rq import Queue
from rq.job import Job

QUEUE = "elsinore"
KEY = f"{Queue.redis_queue_namespace_prefix}{QUEUE}"
INTERMEDIATE = f"{KEY}:intermediate"
"""Where a job's id is between the queue and its worker."""

JOB_ID = re.compile(rb"[A-Za-z0-9_-]{1,200}")
CALL_BYTES = 4096
"""Far more than the name of an entry point, a game and a version."""
FIELD_BYTES = 1 << 20

Unknown = Callable[[str], object]
"""Told of the id of each job that was thrown away."""


class StrictQueue(Queue):
    """Gives a worker the ids that a job of ours may have, and lets no job wait for another."""

    @staticmethod
    def unknown(job_id: str) -> object:
        """Told of each that is thrown away."""

    @classmethod
    def lmove(cls, connection: Any, queue_key: str, timeout: int | None) -> Any:
        while (found := super().lmove(connection, queue_key, timeout)) is not None:
            if JOB_ID.fullmatch(found[1]):
                break
            cls.throw_away(connection, found[1])
        return found

    @classmethod
    def lpop(cls, queue_keys: Any, timeout: int | None, connection: Any = None) -> Any:
        """What rq calls on a server whose version it cannot tell; a kill would lose the id."""
        return cls.lmove(connection, queue_keys[0], timeout)

    @classmethod
    def throw_away(cls, connection: Any, job_id: bytes) -> None:
        throw_away(connection, job_id)
        cls.unknown(job_id.decode(errors="backslashreplace"))

    def move_dependents_to_ready(self, *_: Any, **__: Any) -> dict[str, list[str]]:
        return {}


def throw_away(connection: Any, job_id: bytes) -> None:
    with connection.pipeline() as pipeline:
        pipeline.delete(Job.redis_job_namespace_prefix.encode() + job_id)
        pipeline.lrem(KEY, 0, job_id)
        pipeline.lrem(INTERMEDIATE, 0, job_id)
        pipeline.execute()


def left_between(connection: Any) -> list[bytes]:
    """Ids that cannot be ours, which a worker was given that lived no longer."""
    ids: list[bytes] = connection.lrange(INTERMEDIATE, 0, -1)
    return [job_id for job_id in ids if not JOB_ID.fullmatch(job_id)]


def check_sizes(stored: Mapping[bytes, bytes]) -> None:
    """Raises ValueError where what is packed would not be small."""
    for name, most in ((b"data", CALL_BYTES), (b"exc_info", FIELD_BYTES)):
        packed = stored.get(name, b"")
        unpacking = zlib.decompressobj()
        try:
            size = len(unpacking.decompress(packed, most)) + len(unpacking.unconsumed_tail)
        except zlib.error:
            size = len(packed)
        if size > most:
            raise ValueError(f"{name.decode()} is too long")
