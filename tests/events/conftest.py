"""Stores on every back end, empty when the test starts."""

import fakeredis
import pytest
import redis

from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.log.store import LogStore
from tests.events.stores import REDIS, Backend, InMemory, OnRedis


def client_of(request: pytest.FixtureRequest) -> redis.Redis:
    if request.param == "fakeredis":
        return fakeredis.FakeRedis(server=fakeredis.FakeServer())
    clients = {"valkey": "log_redis", "redis": "redis_client", "cluster": "cluster_client"}
    client: redis.Redis = request.getfixturevalue(clients[request.param])
    return client


@pytest.fixture(params=["memory", *REDIS])
def backend(request: pytest.FixtureRequest) -> Backend:
    if request.param == "memory":
        return InMemory(MemoryStore())
    return OnRedis(RedisStore(client_of(request)))


@pytest.fixture
def store(backend: Backend) -> LogStore:
    return backend.store


@pytest.fixture(params=REDIS)
def any_redis(request: pytest.FixtureRequest) -> redis.Redis:
    return client_of(request)


@pytest.fixture(params=[param for param in REDIS if param != "fakeredis"])
def real_redis(request: pytest.FixtureRequest) -> redis.Redis:
    """What only real servers do: memory limits, replicas, settings."""
    return client_of(request)


@pytest.fixture
def on_redis(any_redis: redis.Redis) -> RedisStore:
    return RedisStore(any_redis)
