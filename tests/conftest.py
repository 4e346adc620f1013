"""Fixtures that every folder of tests may use; each server is started by the tests."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from events.cardsets import load
from events.redis.client import connect
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.games.parts import NAMES
from tests.servers import cluster_of_one, redis_binary

TINY = Path(__file__).parent / "cardsets" / "tiny"
registry.replace(hamlet_play(load(TINY)))

DOMAIN = Path(__file__).parent / "domain"
"""Where slow tests are the only ones of what they test."""

SERVERS = {"valkey", "redis_server", "cluster"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", choices=NAMES, help="run the tests of this game alone")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What asks for a real server is marked so; `make test-fast` leaves it out."""
    for item in items:
        if SERVERS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.processes)
    if game := config.getoption("game"):
        config.hook.pytest_deselected(items=[item for item in items if game_of(item) != game])
        items[:] = [item for item in items if game_of(item) == game]


def game_of(item: pytest.Item) -> str | None:
    """The longest name of a game that folder, module or parameters of a test begin with."""
    callspec = getattr(item, "callspec", None)
    said = [item.path.parent.name, item.path.stem.removeprefix("test_")]
    said += [callspec.id.replace("-", "_")] if callspec else []
    return max((n for n in NAMES for word in said if word.startswith(n)), key=len, default=None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Sweeps, referees and matches go three times faster while nobody counts lines.

    Not by the marker of pytest-cov, which changes nothing in the processes of pytest-xdist.
    """
    slow = item.get_closest_marker("slow") and DOMAIN not in item.path.parents
    if not (slow or item.get_closest_marker("uncounted")):
        return (yield)
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


@pytest.fixture
def rng() -> random.Random:
    """The same numbers in every run."""
    return random.Random(20240229)


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real server, one per test process, shared by its tests."""
    with EmbeddedServer(tmp_path_factory.mktemp("valkey"), appendfsync="everysec") as server:
        yield server.url


@pytest.fixture
def log_redis(valkey: str) -> Iterator[redis.Redis]:
    """A client of that server, which is empty when the test starts. Replies are bytes."""
    with redis.Redis.from_url(valkey) as client:
        client.flushall()
        client.script_flush()
        yield client


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server of Redis's own make."""
    if (binary := redis_binary()) is None:
        pytest.skip("no redis-server 7.0 or newer on PATH")
    directory = tmp_path_factory.mktemp("redis")
    with EmbeddedServer(directory, appendfsync="everysec", binary=binary) as server:
        yield server.url


@pytest.fixture
def redis_client(redis_server: str) -> Iterator[redis.Redis]:
    """A client of that server, which is empty when the test starts. Replies are bytes."""
    with redis.Redis.from_url(redis_server) as client:
        client.flushall()
        client.script_flush()
        yield client


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a cluster of one node."""
    with cluster_of_one(tmp_path_factory.mktemp("cluster")) as url:
        yield url


@pytest.fixture
def cluster_client(cluster: str) -> Iterator[redis.Redis]:
    """A client of that cluster, which is empty when the test starts. Replies are bytes."""
    with connect(cluster) as client:
        client.flushall()
        client.script_flush()
        yield client
