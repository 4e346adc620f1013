"""C15: workers killed in the middle of what they do; the sweep has it done, once."""

import signal
import subprocess
import sys
from typing import Any

import pytest

from events.log.dead_letters import DeadLetters
from events.log.outbox import Outbox
from events.log.redis import RedisStore
from events.projections.redis import RedisProjections
from events.projections.store import PROJECTIONS
from tests.workers.playing import LATEST, PERSON, envelopes, handler_on, is_over, open_table
from tests.workers.test_projector import check_equal_to_the_fold
from workers.bot_turns import Turns
from workers.dispatcher import Dispatcher
from workers.projections.projector import Projecting
from workers.projections.rebuild import Rebuilding
from workers.queue.jobs import BOT_TURN, PROJECT
from workers.queue.rq_worker import worker_on
from workers.queue.work_queue import WorkQueue
from workers.sweep import Sweep

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("signals")]


class Service:
    """Dispatcher and sweep in this process; workers are processes that are killed, or in burst."""

    def __init__(self, client: Any, url: str) -> None:
        self.client, self.url = client, url
        self.store, self.projections = RedisStore(client), RedisProjections(client)
        self.handler = handler_on(self.store)
        queue = WorkQueue(client)
        outbox = Outbox(client, "a")
        self.dispatcher = Dispatcher(outbox, self.store, queue, DeadLetters(client))
        self.time = 0.0
        self.sweep = Sweep(self.store, queue, clock=lambda: self.time)
        self.dispatcher.step(wait=1)

    def killed(self, when: str) -> None:
        command = [sys.executable, "-m", "tests.workers.dying", self.url, when]
        done = subprocess.run(command, timeout=60, check=False)
        assert done.returncode == -signal.SIGKILL

    def work(self) -> None:
        turns = Turns(handler_on(self.store), Outbox(self.client, "a").ask, seconds=60.0)
        job = Projecting(self.store, self.projections)
        worker = worker_on(self.client, {BOT_TURN: turns.bot_turn, PROJECT: job.project})
        worker.work(burst=True, logging_level="CRITICAL")

    def sweep_and_work(self) -> None:
        self.sweep.run()
        self.time += 3.0
        self.sweep.run()
        self.work()


@pytest.fixture
def service(valkey: str, log_redis: Any) -> Service:
    return Service(log_redis, valkey)


def test_c15_a_worker_killed_in_mid_turn_and_the_game_goes_on_with_nothing_twice(
    service: Service,
) -> None:
    game = open_table(service.handler)
    service.dispatcher.step(wait=1)
    service.killed("mid-turn")
    assert not is_over(service.handler, game)

    while not is_over(service.handler, game):
        service.dispatcher.step(wait=1)
        service.sweep_and_work()
    service.sweep_and_work()

    bots = [e for e in envelopes(service.store, game) if e.actor.kind == "bot"]
    assert len({(e.actor.seat, e.command) for e in bots}) == len(bots) == 4 * 13 + 4
    check_equal_to_the_fold(service.store, service.projections, [game])
    assert service.store.due(2**53) == []


@pytest.mark.parametrize("when", ["before-write", "after-write", "before-ack"])
def test_c15_c04_a_worker_killed_in_mid_scoring_and_no_score_is_lost_or_doubled(
    service: Service, when: str
) -> None:
    game = open_table(service.handler)
    Turns(service.handler, Outbox(service.client, "a").ask, seconds=60.0).bot_turn(
        game, len(service.store.read(game))
    )
    service.dispatcher.step(wait=1)
    service.killed(when)
    assert service.store.due(2**53)

    service.sweep_and_work()

    check_equal_to_the_fold(service.store, service.projections, [game])
    assert service.projections.record(PERSON) == {}
    assert service.store.due(2**53) == []


def test_a_rebuild_killed_half_way_has_changed_nothing_that_is_read(service: Service) -> None:
    games = []
    for number in range(3):
        handler = handler_on(service.store, root=bytes([number]) * 32)
        games.append(open_table(handler, key=f"open-{number}"))
        Turns(handler, lambda game, version: None, seconds=60.0).bot_turn(
            games[-1], len(service.store.read(games[-1]))
        )
        Projecting(service.store, service.projections).project(games[-1], LATEST)
    script = (
        "import os, signal, sys\n"
        "from events.redis.client import connect\n"
        "from events.projections.store import PROJECTIONS\n"
        "from events.projections.redis import RedisProjections\n"
        "from events.log.redis import RedisStore\n"
        "from workers.projections.rebuild import Rebuilding\n"
        "client = connect(sys.argv[1])\n"
        "kill = lambda game: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Rebuilding(RedisStore(client), RedisProjections(client)).all(PROJECTIONS, kill)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, service.url], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL

    check_equal_to_the_fold(service.store, service.projections, games)
    Rebuilding(service.store, service.projections).all(PROJECTIONS)
    check_equal_to_the_fold(service.store, service.projections, games)
