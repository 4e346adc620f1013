"""Clients of a Redis server or cluster, as every process of the service opens them."""

from typing import cast

import redis

from events.redis_errors import answered

ANSWER_SECONDS = 10.0
POOL = 256


def connect(url: str) -> redis.Redis:
    """A client whose replies are bytes. It gives up on a server that does not answer.

    `redis://`, `rediss://` and `unix://` name one server. `redis+cluster://` and
    `rediss+cluster://` name any node of a cluster, whose others are found through it: that takes
    an answer at once, and raises Busy where there is none. The client is then a RedisCluster,
    which has the commands of a Redis.
    """
    scheme, _, rest = url.partition("://")
    if scheme.endswith("+cluster"):
        with answered():
            cluster = redis.RedisCluster.from_url(
                f"{scheme.removesuffix('+cluster')}://{rest}",
                connection_pool_class=redis.BlockingConnectionPool,
                **_LIMITS,
            )
        return cast("redis.Redis", cluster)
    return redis.Redis(connection_pool=redis.BlockingConnectionPool.from_url(url, **_LIMITS))


_LIMITS = {
    "max_connections": POOL,
    "timeout": ANSWER_SECONDS,
    "socket_timeout": ANSWER_SECONDS,
    "socket_connect_timeout": ANSWER_SECONDS,
}
