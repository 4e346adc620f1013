"""C18: a worker that works on every platform, and stops a job that takes too long on each."""

import signal
import threading
import time
from collections import Counter
from typing import Any

import fakeredis
import pytest
from rq import SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import BaseTimeoutException, TimerDeathPenalty, UnixSignalDeathPenalty

from events.errors import Busy
from workers.queue import jobs
from workers.queue.jobs import BOT_TURN, PATIENCE, PROJECT, with_retries
from workers.queue.rq_worker import death_penalty, worker_on
from workers.queue.work_queue import WorkQueue

pytestmark = pytest.mark.usefixtures("signals")


@pytest.fixture(params=["linux", "darwin", "win32"])
def platform(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    monkeypatch.setattr("sys.platform", name)
    if name == "win32":
        monkeypatch.delattr(signal, "SIGALRM")
        monkeypatch.delattr("os.fork")
    return name


def test_c18_no_worker_forks_and_each_stops_jobs_as_its_platform_can(platform: str) -> None:
    worker = worker_on(fakeredis.FakeRedis(), {})

    assert isinstance(worker, SimpleWorker)
    assert worker.death_penalty_class is death_penalty()
    expected = TimerDeathPenalty if platform == "win32" else UnixSignalDeathPenalty
    assert death_penalty() is expected


@pytest.mark.parametrize("penalty", [UnixSignalDeathPenalty, TimerDeathPenalty])
def test_c18_a_job_over_its_limit_is_stopped_and_reported(
    penalty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "TIMEOUT", 1)
    monkeypatch.setattr("workers.queue.rq_worker.death_penalty", lambda: penalty)
    client = fakeredis.FakeRedis()
    WorkQueue(client).project("g", 1)
    WorkQueue(client).bot_turn("g", 1)
    key = "rq:job:project-g-1"
    client.hdel(key, "retries_left")
    ran: list[str] = []
    counts: Counter[str] = Counter()

    def endless(game: str, version: int) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            threading.Event().wait(0.001)
        ran.append("to the end")

    entry_points = {PROJECT: endless, BOT_TURN: lambda game, version: ran.append("the next")}
    worker = worker_on(client, entry_points, lambda name: counts.update([name]))
    worker.work(burst=True, logging_level="CRITICAL")

    assert ran == ["the next"]
    assert counts == {"jobs-over-time": 1}
    job = Job.fetch("project-g-1", connection=client, serializer=JSONSerializer)
    assert job.is_failed


def test_a_job_that_fails_is_counted_and_tried_again() -> None:
    client = fakeredis.FakeRedis()
    WorkQueue(client).project("g", 1)
    counts: Counter[str] = Counter()
    tries: list[int] = []

    def failing(game: str, version: int) -> None:
        tries.append(version)
        if len(tries) < 3:
            raise Busy("away")

    worker = worker_on(client, {PROJECT: failing}, lambda name: counts.update([name]))
    worker.work(burst=True, logging_level="CRITICAL")

    assert tries == [1, 1, 1]
    assert counts == {"jobs-failed": 2}


class Clock:
    """Passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_job_waits_for_the_log_instead_of_failing() -> None:
    clock, tries = Clock(), list[float]()

    def away_at_first(game: str, version: int) -> None:
        assert (game, version) == ("g", 7)
        tries.append(clock())
        if clock() < 3.0:
            raise Busy("away")

    with_retries(away_at_first, clock=clock, sleep=clock.sleep)("g", 7)
    assert 3.0 <= tries[-1] < 3.6
    assert tries[0] == 0.0


def test_a_job_gives_up_waiting_before_its_time_is_over() -> None:
    clock = Clock()

    def away(game: str, version: int) -> None:
        raise Busy("away")

    with pytest.raises(Busy):
        with_retries(away, clock=clock, sleep=clock.sleep)("g", 7)
    assert 4.0 < clock() <= PATIENCE < jobs.TIMEOUT


def test_a_count_that_cannot_be_kept_does_no_harm() -> None:
    client = fakeredis.FakeRedis()
    WorkQueue(client).rq.enqueue_call("os.system", args=("true",))
    WorkQueue(client).project("g", 1)
    done: list[str] = []

    def away(name: str) -> None:
        raise Busy("away")

    worker = worker_on(client, {PROJECT: lambda game, version: done.append(game)}, away)
    worker.work(burst=True, logging_level="CRITICAL")

    assert done == ["g"]


def test_a_timeout_is_no_poison() -> None:
    from events.log.memory import MemoryStore
    from events.projections.memory import MemoryProjections
    from tests.events.playing import House
    from workers.projections.projector import PROJECTORS, Projecting

    def late(history: Any) -> Any:
        raise BaseTimeoutException("too long")

    house, projections = House(MemoryStore()), MemoryProjections()
    job = Projecting(house.store, projections, {**PROJECTORS, "lobby": late})
    with pytest.raises(BaseTimeoutException):
        job.project(house.open().game, 1)
    assert projections.dead() == []


def test_a_timeout_while_a_log_is_read_says_nothing_against_its_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from events.log.memory import MemoryStore
    from tests.events.playing import House
    from workers.projections.history import read_history

    def late(*_: Any) -> Any:
        raise BaseTimeoutException("too long")

    house = House(MemoryStore())
    game = house.open().game
    monkeypatch.setattr("workers.projections.history.EntryReader.read", late)
    with pytest.raises(BaseTimeoutException):
        read_history(house.store, game)
