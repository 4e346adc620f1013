"""Clients of a Redis server or cluster, as every process of the service opens them."""

import time
from contextlib import suppress
from queue import Empty
from typing import Any, cast

import redis

from events.redis.errors import translate_errors
from events.redis.failover import is_replica, primary

ANSWER_SECONDS = 4.0
"""Longer than any call waits in Redis, and less than what a game may stand still for."""

POOL = 256
SHORTAGE_SECONDS = 15.0
"""How long a call waits while all connections are in use."""

IDLE_SECONDS = 10.0
ROLE_SECONDS = 2.0
"""How often a server is asked whether it is a primary still: who only reads is not refused."""

CLUSTER = "+cluster"
SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")


class Pool(redis.BlockingConnectionPool):
    """Connections as many as are wanted at once; the one used last is used next.

    One that is not wanted for a while is closed. One that fails takes all that were opened before
    it along, the idle ones at once: what has cut it off has most likely cut them off, and each
    would be waited for in its turn. One to a replica is opened again, as the address may have come
    to stand for another server; where it has not, the replica is read from.
    """

    _look_at = 0.0
    _failed_at = 0.0
    _role_at = 0.0

    def __init__(self, *, connection_class: Any = redis.Connection, **kwargs: Any) -> None:
        super().__init__(connection_class=primary(connection_class), **kwargs)  # type: ignore[no-untyped-call]

    def get_connection(self, *args: Any, **options: Any) -> Any:
        connection: Any = super().get_connection(*args, **options)  # type: ignore[no-untyped-call]
        if time.monotonic() >= self._role_at:
            self._role_at = time.monotonic() + ROLE_SECONDS
            try:
                self._look_for_primary(connection)
            except BaseException:
                self.release(connection)
                raise
        return connection

    def release(self, connection: Any) -> None:
        now = connection.idle_since = time.monotonic()
        if connection.opened < self._failed_at:
            connection.disconnect()
        elif not connection.is_connected:
            self._failed_at = now
        super().release(connection)  # type: ignore[no-untyped-call]
        if self._failed_at == now or now >= self._look_at:
            self._look_at = now + 1.0
            self._close(now if self._failed_at == now else now - IDLE_SECONDS)

    def _look_for_primary(self, connection: Any) -> None:
        replica = is_replica(connection)
        if replica is None:
            self._role_at = float("inf")
        elif replica:
            self._failed_at = time.monotonic()
            connection.disconnect()
            connection.connect()

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
    "timeout": SHORTAGE_SECONDS,
    "socket_timeout": ANSWER_SECONDS,
    "socket_connect_timeout": ANSWER_SECONDS,
}
