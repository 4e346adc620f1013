"""Connections to a server: given back when nobody wants them, and dropped when one has failed."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from events.redis.client import POOL, Pool, connect

MANY = 20


def many(pool: Any) -> None:
    """So many are wanted at once, and then none."""
    for connection in [pool.get_connection() for _ in range(MANY)]:
        pool.release(connection)


def others(log_redis: redis.Redis) -> int:
    return len(log_redis.client_list()) - 1


def test_b23_connections_that_nobody_wants_are_closed(
    valkey: str, log_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(valkey) as client:
        before = others(log_redis)
        many(client.connection_pool)
        assert others(log_redis) == before + MANY
        monkeypatch.setattr("events.redis.client.IDLE_SECONDS", 0.0)
        client.connection_pool._look_at = 0.0

        client.ping()

        assert others(log_redis) <= before + 1
        many(client.connection_pool)


def test_a_connection_that_fails_takes_the_idle_ones_with_it(
    valkey: str, log_redis: redis.Redis
) -> None:
    with connect(valkey) as client:
        pool = client.connection_pool
        assert isinstance(pool, Pool)
        before = others(log_redis)
        many(pool)
        failed = pool.get_connection()
        failed.disconnect()
        pool.release(failed)

        assert others(log_redis) == before
        assert client.ping()


def test_e14_who_finds_no_connection_left_waits_for_one(
    valkey: str, log_redis: redis.Redis
) -> None:
    with connect(valkey) as client, ThreadPoolExecutor(1) as other:
        pool: Any = client.connection_pool
        taken = [pool.get_connection() for _ in range(POOL)]
        waiting = other.submit(client.ping)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.1)
        for connection in taken:
            pool.release(connection)
        assert waiting.result(timeout=10)
