"""Clients of a Redis server, as every process of the service opens them."""

import redis

ANSWER_SECONDS = 10.0
POOL = 256


def connect(url: str) -> redis.Redis:
    """A client whose replies are bytes. It gives up on a server that does not answer."""
    pool = redis.BlockingConnectionPool.from_url(
        url,
        max_connections=POOL,
        timeout=ANSWER_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=ANSWER_SECONDS,
    )
    return redis.Redis(connection_pool=pool)
