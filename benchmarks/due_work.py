"""The work that a measurement leaves due, done before the next one begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis

from benchmarks.serving import Servers, running
from events.log.redis import RedisStore
from events.redis.client import connect
from events.redis.keys import ALL_PARTITIONS
from service.cli.ops.probes import comes_true

PROCESSES = ("-m", "service.cli.ops.processes")
PATIENCE = 120.0
ALL = 2**53


@contextmanager
def working(servers: Servers) -> Iterator[None]:
    """A dispatcher, and one worker."""
    with (
        running([*PROCESSES, "dispatcher"], servers.log, QUEUE_REDIS_URL=servers.queue),
        running([*PROCESSES, "worker"], servers.log, QUEUE_REDIS_URL=servers.queue),
    ):
        yield


def finish(servers: Servers, seconds: float = PATIENCE) -> None:
    """Has all due work done. Raises TimeoutError after `seconds`."""
    with connect(servers.log) as log:
        if not is_done(log):
            with working(servers):
                wait_until_done(log, seconds)


def wait_until_done(log: redis.Redis, seconds: float = PATIENCE) -> None:
    """Waits for those who work on it already. Raises TimeoutError after `seconds`."""
    if not comes_true(lambda: is_done(log), seconds):
        raise TimeoutError(
            f"due after {seconds:.0f} s: {RedisStore(log).due(ALL)}, and {_lag(log)} outbox entries"
        )


def is_done(log: redis.Redis) -> bool:
    """Whether nothing is due and no outbox lags, while nobody but the workers appends.

    Asked in this order: where nothing is due, no worker appends to an outbox any more.
    """
    return not RedisStore(log).due(ALL) and not _lag(log)


def _lag(log: Any) -> int:
    """Outbox entries that no dispatcher has read, or that one has read and not acknowledged."""
    lag = 0
    for partition in ALL_PARTITIONS:
        if log.exists(partition.outbox):
            groups = log.xinfo_groups(partition.outbox)
            lag += sum(group["lag"] + group["pending"] for group in groups)
            lag += 0 if groups else log.xlen(partition.outbox)
    return lag
