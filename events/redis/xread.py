"""Many streams read as one: by one command on a server, in turns on a cluster.

A cluster refuses a command over streams in several slots, and one that waits for a stream would
not see the others. There, all are asked at once without waiting, again and again.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any

import redis

TURN_SECONDS = 0.02


def is_cluster(client: Any) -> bool:
    return isinstance(client, redis.RedisCluster)


def xread(
    client: Any,
    after: Mapping[str, Any],
    *,
    count: int,
    wait: int,
    group: tuple[str, str] | None = None,
) -> list[tuple[str, Any]]:
    """What each stream holds after the id given for it, as pairs of its name and its entries.

    Waits for at most `wait` milliseconds until there is something, then gives at most `count`
    entries of a stream. With `group`, a consumer group and a consumer, reads on their behalf.
    """
    if not is_cluster(client):
        return list(_pairs(_ask(client, after, count, wait, group)))
    deadline = time.monotonic() + wait / 1000
    while True:
        with client.pipeline() as pipeline:
            for stream, id_ in after.items():
                _ask(pipeline, {stream: id_}, count, None, group)
            found = [pair for answer in pipeline.execute() for pair in _pairs(answer)]
        left = deadline - time.monotonic()
        if found or left <= 0:
            return found
        time.sleep(min(TURN_SECONDS, left))


def _ask(
    client: Any,
    after: Mapping[str, Any],
    count: int,
    wait: int | None,
    group: tuple[str, str] | None,
) -> Any:
    if group is None:
        return client.xread(dict(after), count=count, block=wait)
    return client.xreadgroup(*group, dict(after), count=count, block=wait)


def _pairs(answer: Any) -> Iterator[tuple[str, Any]]:
    """Stream and entries, whichever protocol the answer came by."""
    if not answer:
        return
    if isinstance(answer, dict):
        for stream, batches in answer.items():
            for entries in batches:
                yield stream.decode(), entries
    else:
        for stream, entries in answer:
            yield stream.decode(), entries
