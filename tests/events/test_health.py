"""Whether a server is fit to keep the log (C09)."""

import socket

import fakeredis
import pytest
import redis
from structlog.testing import capture_logs

from events.redis.client import connect
from events.redis.health import is_fit, log_problems

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
