"""Whether a server is fit to keep the log (C09)."""

import socket
from collections.abc import Iterator

import fakeredis
import pytest
import redis
from structlog.testing import capture_logs

from events.errors import Busy
from events.log.redis import RedisStore
from events.redis.client import connect
from events.redis.health import NO_ROOM, is_fit, log_problems
from tests.events.stores import opened

FIT = {"maxmemory-policy": "noeviction", "appendonly": "yes", "appendfsync": "always"}


class Server:
    """What a server tells of itself: by CONFIG, by INFO, or not at all."""

    def __init__(self, config: dict[str, str] | None, info: dict[str, object] | None) -> None:
        self.config, self.info_said = config, info

    def config_get(self, name: str) -> dict[str, str]:
        if self.config is None:
            raise redis.ResponseError("unknown command 'CONFIG'")
        return {name: self.config[name]} if name in self.config else {}

    def info(self, section: str) -> dict[str, object]:
        if self.info_said is None:
            raise redis.ResponseError("unknown command 'INFO'")
        return self.info_said

    def setrange(self, name: str, offset: int, value: str) -> int:
        return 0


def names(server: object, *, volatile_allowed: bool = False) -> list[str]:
    problems = log_problems(server, volatile_allowed=volatile_allowed)  # type: ignore[arg-type]
    return [problem.name for problem in problems]


def test_a_server_that_forgets_nothing_is_fit() -> None:
    assert log_problems(Server(FIT, None)) == ()  # type: ignore[arg-type]
    assert is_fit(())


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "allkeys-random"])
@pytest.mark.parametrize("volatile_allowed", [False, True])
def test_c09_an_evicting_server_is_never_fit(policy: str, volatile_allowed: bool) -> None:
    server = Server(FIT | {"maxmemory-policy": policy}, None)
    problems = log_problems(server, volatile_allowed=volatile_allowed)  # type: ignore[arg-type]
    assert [problem.name for problem in problems] == ["evicting"]
    assert policy in problems[0].detail
    assert not is_fit(problems)


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ({"appendonly": "no"}, "not-persistent"),
        ({"appendfsync": "everysec"}, "not-synced"),
        ({"appendfsync": "no"}, "not-synced"),
    ],
)
def test_c09_a_server_that_may_lose_the_log_is_fit_only_where_that_is_allowed(
    setting: dict[str, str], problem: str
) -> None:
    server = Server(FIT | setting, None)
    for allowed in (False, True):
        found = log_problems(server, volatile_allowed=allowed)  # type: ignore[arg-type]
        assert [p.name for p in found] == [problem]
        assert is_fit(found) == allowed


def test_every_problem_is_named() -> None:
    server = Server({"maxmemory-policy": "allkeys-lru", "appendonly": "no"}, None)
    assert names(server) == ["evicting", "not-persistent"]


def test_where_config_is_refused_info_tells_what_it_can() -> None:
    info: dict[str, object] = {"maxmemory_policy": "noeviction", "aof_enabled": 1}
    assert names(Server(None, info)) == ["sync-unknown"]
    evicting = info | {"maxmemory_policy": "allkeys-lfu", "aof_enabled": 0}
    assert names(Server(None, evicting)) == ["evicting", "not-persistent"]


def test_a_server_that_tells_nothing_is_not_trusted() -> None:
    assert names(Server(None, None)) == ["eviction-unknown", "not-persistent"]
    assert not is_fit(log_problems(Server(None, None)))  # type: ignore[arg-type]


def test_a_server_that_does_not_answer_is_unreachable_and_never_fit() -> None:
    server = fakeredis.FakeServer()
    server.connected = False
    found = log_problems(fakeredis.FakeRedis(server=server), volatile_allowed=True)
    assert [problem.name for problem in found] == ["unreachable"]
    assert not is_fit(found)


def test_where_the_server_would_be_is_told_to_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    with capture_logs() as said:
        [problem] = log_problems(connect(f"redis://127.0.0.1:{port}"))
    assert problem.detail == "The log's server does not answer: ConnectionError."
    assert [line["event"] for line in said] == ["log-unreachable"]
    assert str(port) in said[0]["reason"]


@pytest.fixture
def fit(valkey: str, log_redis: redis.Redis) -> Iterator[redis.Redis]:
    """A client of a real server with which nothing is wrong, as the service opens it."""
    log_redis.config_set("appendfsync", "always")
    before = log_redis.config_get("*")
    with connect(valkey) as client:
        assert names(client) == []
        yield client
    log_redis.replicaof("NO", "ONE")
    log_redis.config_set("maxmemory", "0")
    log_redis.config_set("min-replicas-to-write", "0")
    log_redis.config_set("appendfsync", "everysec")
    assert log_redis.config_get("*") == before | {"appendfsync": "everysec"}


@pytest.mark.parametrize(
    ("setting", "value", "problem"),
    [
        ("maxmemory", 1, "memory-full"),
        ("min-replicas-to-write", 1, "no-replicas"),
        ("min-replicas-to-write", NO_ROOM, "disk-full"),
    ],
)
def test_e16_what_would_keep_a_server_from_appending_is_named(
    fit: redis.Redis, log_redis: redis.Redis, setting: str, value: int, problem: str
) -> None:
    log_redis.config_set(setting, value)
    found = log_problems(fit, volatile_allowed=True)
    assert [one.name for one in found] == [problem]
    assert not is_fit(found)
    with pytest.raises(Busy):
        opened(RedisStore(fit))
    log_redis.config_set(setting, 0)
    assert names(fit) == []
    opened(RedisStore(fit))


def test_e18_a_replica_is_not_fit_whether_it_takes_writes_or_not(
    fit: redis.Redis, log_redis: redis.Redis
) -> None:
    log_redis.replicaof("127.0.0.1", "1")
    try:
        assert names(fit) == ["not-primary"]
        log_redis.config_set("replica-read-only", "no")
        assert names(fit) == ["not-primary"]
    finally:
        log_redis.config_set("replica-read-only", "yes")


def test_e16_to_ask_writes_nothing(fit: redis.Redis, log_redis: redis.Redis) -> None:
    written = log_redis.info("persistence")["aof_current_size"]
    for _ in range(3):
        assert names(fit) == []
    assert log_redis.dbsize() == 0
    assert log_redis.info("persistence")["aof_current_size"] == written


def test_e16_a_server_that_cannot_write_to_disk_is_named() -> None:
    class Failing(Server):
        def setrange(self, name: str, offset: int, value: str) -> int:
            raise redis.ResponseError("MISCONF Errors writing to the AOF file: No space left")

    assert names(Failing(FIT, None)) == ["disk-failing"]


def test_a_server_that_does_not_let_itself_be_asked_is_believed() -> None:
    class Silent(Server):
        def setrange(self, name: str, offset: int, value: str) -> int:
            raise redis.exceptions.NoPermissionError("no permissions to run SETRANGE")

    assert names(Silent(FIT, None)) == []


def test_a_server_that_is_still_reading_its_files_is_named() -> None:
    class Loading(Server):
        def config_get(self, name: str) -> dict[str, str]:
            raise redis.exceptions.BusyLoadingError

    assert names(Loading(FIT, None)) == ["loading"]


def test_a_cluster_is_asked_where_its_logs_are(cluster_client: redis.Redis) -> None:
    assert names(cluster_client, volatile_allowed=True) == ["not-synced"]
    cluster_client.config_set("maxmemory", 1)
    try:
        assert names(cluster_client, volatile_allowed=True) == ["not-synced", "memory-full"]
    finally:
        cluster_client.config_set("maxmemory", 0)


def test_c09_a_real_server_is_judged_by_its_settings(real_redis: redis.Redis) -> None:
    try:
        assert names(real_redis) == ["not-synced"]
        real_redis.config_set("appendfsync", "always")
        assert names(real_redis) == []
        real_redis.config_set("maxmemory-policy", "allkeys-lru")
        assert names(real_redis) == ["evicting"]
        real_redis.config_set("appendonly", "no")
        assert names(real_redis) == ["evicting", "not-persistent"]
    finally:
        real_redis.config_set("appendonly", "yes")
        real_redis.config_set("maxmemory-policy", "noeviction")
        real_redis.config_set("appendfsync", "everysec")
