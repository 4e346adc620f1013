"""Clients of a Redis server or cluster, as every process of the service opens them."""

import time
from contextlib import suppress
from queue import Empty
from typing import Any, cast

import redis

from events.redis.errors import translate_errors

ANSWER_SECONDS = 4.0
"""Longer than any call waits in Redis, and less than what a game may stand still for."""

POOL = 256
IDLE_SECONDS = 10.0
CLUSTER = "+cluster"
SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")


class Pool(redis.BlockingConnectionPool):
    """Connections as many as are wanted at once; the one used last is used next.

    One that is not wanted for a while is closed. One that fails takes the idle ones with it: what
    has cut it off has most likely cut them off, and each would be waited for in its turn.
    """

    _look_at = 0.0

    def release(self, connection: Any) -> None:
        now = connection.idle_since = time.monotonic()
        failed = not connection.is_connected
        super().release(connection)  # type: ignore[no-untyped-call]
        if failed or now >= self._look_at:
            self._look_at = now + 1.0
            self._close(now if failed else now - IDLE_SECONDS)

    def _close(self, idle_since: float) -> None:
        """What is looked at is out of the pool, so that nobody is given it meanwhile."""
        taken: list[Any] = []
        with suppress(Empty):
            while (idle := self.pool.get_nowait()) is not None:
                taken.append(idle)
            self.pool.put_nowait(None)
        for idle in reversed(taken):
            if idle.is_connected and idle.idle_since <= idle_since:
                idle.disconnect()
            self.pool.put_nowait(idle)


def check_url(url: str) -> None:
    """Raises ValueError where `connect` could not read `url`; the text shows no password."""
    scheme, _, rest = url.partition("://")
    if scheme not in SCHEMES:
        raise ValueError(f"it must begin with {', '.join(f'{one}://' for one in SCHEMES)}")
    if scheme == "unix" and not rest.strip("/"):
        raise ValueError("it names no socket")
    try:
        plain = f"{scheme.removesuffix(CLUSTER)}://{rest}"
        pool: Any = Pool.from_url(plain, **_LIMITS)
        pool.make_connection()
    except (TypeError, ValueError, redis.RedisError):
        raise ValueError("its port, or a parameter after the question mark, is wrong") from None


def connect(url: str) -> redis.Redis:
    """A client whose replies are bytes. It gives up on a server that does not answer.

    `redis://`, `rediss://` and `unix://` name one server. `redis+cluster://` and
    `rediss+cluster://` name any node of a cluster, whose others are found through it: that takes
    an answer at once, and raises Busy where there is none. The client is then a RedisCluster,
    which has the commands of a Redis.
    """
    scheme, _, rest = url.partition("://")
    if scheme.endswith(CLUSTER):
        with translate_errors():
            cluster = redis.RedisCluster.from_url(
                f"{scheme.removesuffix(CLUSTER)}://{rest}",
                connection_pool_class=Pool,
                **_LIMITS,
            )
        return cast("redis.Redis", cluster)
    return redis.Redis(connection_pool=Pool.from_url(url, **_LIMITS))


_LIMITS = {
    "max_connections": POOL,
    "timeout": ANSWER_SECONDS,
    "socket_timeout": ANSWER_SECONDS,
    "socket_connect_timeout": ANSWER_SECONDS,
}
