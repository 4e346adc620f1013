"""Services that run while their tests break them, and crowds that play there all the time."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.cli.running import Up
from tests.faults.checks import Counts, verify
from tests.faults.clients import Crowd
from tests.faults.processes import Service
from tests.faults.proxy import Proxy

PEOPLE = (1, 1, 2, 4)
"""Persons at each of the tables; bots have the other seats."""

LIMITS = {"ELSINORE_LIMIT_REGISTRATIONS": "off", "ELSINORE_LIMIT_READS": "off"}

Play = Callable[..., Crowd]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.processes)
            if not sys.platform.startswith("linux"):
                item.add_marker(pytest.mark.skip(reason="finds its processes in /proc"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Everything under one parent, with two workers."""
    data = tmp_path_factory.mktemp("up") / "data"
    with Up(data, 0, 2, **LIMITS) as up:
        log = EmbeddedServer.running_on(data / "log")
        queue = EmbeddedServer.running_on(data / "queue")
        assert log is not None
        assert queue is not None
        yield Service(up, log, queue)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Proxy]]:
    """The same with one worker, and with something between it and the log."""
    folder = tmp_path_factory.mktemp("proxy")
    with (
        EmbeddedServer(folder / "log") as log,
        Proxy(folder, log.url) as proxy,
        Up(folder / "data", 0, 1, REDIS_URL=proxy.url, **LIMITS) as up,
    ):
        queue = EmbeddedServer.running_on(folder / "data" / "queue")
        assert queue is not None
        yield Service(up, log.url, queue), proxy


@pytest.fixture
def play() -> Iterator[Play]:
    """Crowds that are sent home when the test is over, whatever has become of it."""
    crowds: list[Crowd] = []

    def begun(
        service: Service, people: tuple[int, ...] = PEOPLE, seed: int = 1, thinks: float = 0.0
    ) -> Crowd:
        crowds.append(Crowd(service.up.address, people, seed, thinks))
        return crowds[-1]

    yield begun
    for crowd in crowds:
        crowd.close()


def end(crowd: Crowd, service: Service) -> Counts:
    """Lets the games end, and checks every one of them."""
    crowd.finish()
    counts = verify(crowd, service.log)
    print(counts)
    return counts
