"""A wall clock that stands still, and one that steps back an hour: nobody waits for either."""

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from events.log.entry import envelope
from events.log.redis import RedisStore
from events.redis.client import connect
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.cli.running import Up
from tests.faults.conftest import LIMITS, Play, end
from tests.faults.processes import WORKER, Service, check_goes_on, wait_until_moved

CLOCK = Path(__file__).parent / "clock"
ROOT = Path(__file__).parents[2]
HOUR = 3600.0

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("clock") / "clock"
    file.write_text("+0.0")
    return file


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, clock: Path) -> Iterator[Service]:
    """Its Python processes read that clock."""
    data = tmp_path_factory.mktemp("up") / "data"
    path = {"PYTHONPATH": f"{CLOCK}:{ROOT}", "FAULT_CLOCK": str(clock)}
    with Up(data, 0, 1, **LIMITS, **path) as up:
        log = EmbeddedServer.running_on(data / "log")
        queue = EmbeddedServer.running_on(data / "queue")
        assert log is not None
        assert queue is not None
        yield Service(up, log, queue)
        clock.write_text("+0.0")


def set_to(clock: Path, said: str) -> None:
    """In one step: whoever reads it sees the one or the other."""
    new = clock.with_suffix(".new")
    new.write_text(said)
    new.replace(clock)


@pytest.mark.parametrize("said", ["frozen", "back", "ahead"])
def test_games_go_on_whatever_the_clock_says(
    service: Service, play: Play, clock: Path, said: str
) -> None:
    crowd = play(service)
    wait_until_moved(crowd)
    now = {"frozen": f"={time.time()}", "back": f"{-HOUR:+}", "ahead": f"{HOUR:+}"}[said]
    set_to(clock, now)
    check_goes_on(crowd)
    service.kill(WORKER)
    check_goes_on(crowd)
    end(crowd, service)
    check_is_told(service, crowd.games[-1].id, now)
    set_to(clock, "+0.0")


def check_is_told(service: Service, game: str, said: str) -> None:
    """The clock was the one the log was written by."""
    with connect(service.log) as client:
        last = envelope(RedisStore(client).read(game)[-1])
    base = 0.0 if said.startswith("=") else time.time()
    told = datetime.fromisoformat(last.at).timestamp()
    assert told == pytest.approx(base + float(said.lstrip("=")), abs=60.0)
