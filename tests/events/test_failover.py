"""E18: a server that is no primary any longer is left, by those who write and those who read."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from events.errors import Busy
from events.redis.client import connect
from events.redis.errors import translate_errors
from events.redis.failover import Demoted

NOBODY = ("127.0.0.1", "1")
OTHERS = 5


@pytest.fixture
def client(valkey: str, log_redis: redis.Redis) -> Iterator[redis.Redis]:
    """As the service opens it, to a server that is a primary again afterwards."""
    with connect(valkey) as opened:
        yield opened
    log_redis.replicaof("NO", "ONE")
    log_redis.config_set("replica-serve-stale-data", "yes")
    log_redis.config_set("min-replicas-to-write", "0")


def test_e18_a_refusal_to_write_closes_what_was_open(
    client: redis.Redis, log_redis: redis.Redis
) -> None:
    pool = client.connection_pool
    in_use, *idle = [pool.get_connection() for _ in range(OTHERS)]
    for connection in idle:
        pool.release(connection)
    log_redis.replicaof(*NOBODY)

    with pytest.raises(Busy), translate_errors():
        client.set("key", "value")

    assert not any(connection.is_connected for connection in idle)
    pool.release(in_use)
    assert not in_use.is_connected


@pytest.mark.parametrize(
    "setting", ["replica-serve-stale-data no", "min-replicas-to-write 1"], ids=str.split
)
def test_e18_so_does_every_refusal_of_that_kind(
    client: redis.Redis, log_redis: redis.Redis, setting: str
) -> None:
    pool: Any = client.connection_pool
    client.ping()
    log_redis.config_set(*setting.split())
    if "stale" in setting:
        log_redis.replicaof(*NOBODY)
    with pytest.raises(Demoted):
        client.incr("key")
    assert not pool.pool.get_nowait().is_connected


def test_e18_who_waits_is_told(client: redis.Redis, log_redis: redis.Redis) -> None:
    connection = client.connection_pool.get_connection()
    connection.send_command("XREAD", "BLOCK", 10_000, "STREAMS", "outbox", "$")
    log_redis.replicaof(*NOBODY)
    with pytest.raises(Demoted):
        connection.read_response()
    client.connection_pool.release(connection)


def test_e18_who_only_reads_asks_the_address_again(
    client: redis.Redis, log_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.redis.client.ROLE_SECONDS", 0.0)
    client.set("key", "value")
    same = client.client_id()
    assert client.client_id() == same
    log_redis.replicaof(*NOBODY)
    assert client.get("key") == b"value"
    assert client.client_id() > same


def test_where_nobody_may_ask_for_the_role_nobody_does(
    valkey: str, log_redis: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.redis.client.ROLE_SECONDS", 0.0)
    log_redis.config_resetstat()
    reader = ["reader", "on", ">secret", "~*", "+@all", "-role"]
    log_redis.execute_command("ACL", "SETUSER", *reader)
    with connect(f"{valkey}?username=reader&password=secret") as client:
        same = client.client_id()
        assert client.client_id() == same
    assert log_redis.info("commandstats")["cmdstat_role"]["rejected_calls"] == 1
    log_redis.execute_command("ACL", "DELUSER", "reader")
