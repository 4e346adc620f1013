"""B08, C15: whatever is killed, everything acknowledged is there once and every game goes on."""

import os
import random
import signal
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from events.log.outbox import GROUP
from events.redis.client import connect
from events.redis.keys import ALL_PARTITIONS
from service.cli.ops.supervision import RESTARTS, STEADY_SECONDS
from service.cli.up import is_ready
from tests.cli.running import until
from tests.faults.conftest import Play, end
from tests.faults.processes import (
    API,
    DISPATCHER,
    LOG,
    PARTS,
    QUEUE,
    WORKER,
    Service,
    check_goes_on,
    wait_until_moved,
)

KILLS = int(os.environ.get("KILLS", "5"))
STOPPED_SECONDS = 11.0
"""A job may take ten."""

THINKS = 0.1
"""Seconds a person takes for a move, where the test waits for others many times as long."""

pytestmark = pytest.mark.timeout(180 + 8 * KILLS)


def test_b08_c15_killed_at_random_under_load(service: Service, play: Play) -> None:
    rng = random.Random(os.environ.get("SEED", "20240229"))
    crowd = play(service)
    wait_until_moved(crowd)
    parts: list[str] = []
    killed: dict[str, float] = {}  # a server that ends too often is not started again
    for _ in range(KILLS):
        parts = parts or rng.sample(PARTS, len(PARTS))
        part = parts.pop()
        steady = killed.get(part, 0.0) + STEADY_SECONDS + 1.0 - time.monotonic()
        threading.Event().wait(max(steady if part in {LOG, QUEUE} else 0.0, rng.uniform(0.0, 0.4)))
        service.kill(part)
        killed[part] = time.monotonic()
        check_goes_on(crowd, part)
    counts = end(crowd, service)
    print(f"{KILLS} kills: {counts}")
    assert counts.asked_again or KILLS < 50


def test_b08_the_parent_of_the_api_and_a_worker_killed_at_once(
    service: Service, play: Play
) -> None:
    crowd = play(service)
    wait_until_moved(crowd)
    parent, [below], worker = service.up.child(API), service.pids(API), min(service.pids(WORKER))
    for pid in (parent, worker):
        os.kill(pid, signal.SIGKILL)
    for part, pid in ((API, below), (WORKER, worker)):
        service.wait_for_another(part, pid)
    until(lambda: not Path(f"/proc/{below}").exists())  # it goes by itself, having lost its parent
    until(lambda: is_ready("127.0.0.1", service.up.port))
    check_goes_on(crowd)
    end(crowd, service)


def test_a_worker_killed_over_and_over_takes_nothing_with_it(service: Service, play: Play) -> None:
    crowd = play(service, thinks=THINKS)
    wait_until_moved(crowd)
    others = [service.pids(part) for part in (API, DISPATCHER, LOG, QUEUE)]
    for _ in range(RESTARTS + 1):
        until(lambda: len(service.pids(WORKER)) == 2)
        newest = max(service.pids(WORKER))
        os.kill(newest, signal.SIGKILL)
        until(partial(is_gone, service, newest))
    check_goes_on(crowd)
    until(lambda: len(service.pids(WORKER)) == 2)
    assert [service.pids(part) for part in (API, DISPATCHER, LOG, QUEUE)] == others
    assert '"event":"keeps-ending"' in service.up.log.read_text()
    end(crowd, service)


def is_gone(service: Service, worker: int) -> bool:
    return worker not in service.pids(WORKER)


def test_a_worker_stopped_past_its_time_and_let_go_again(service: Service, play: Play) -> None:
    crowd = play(service, thinks=THINKS)
    wait_until_moved(crowd)
    stopped = min(service.pids(WORKER))
    os.kill(stopped, signal.SIGSTOP)
    try:
        check_goes_on(crowd)
        threading.Event().wait(STOPPED_SECONDS)
    finally:
        os.kill(stopped, signal.SIGCONT)
    check_goes_on(crowd)
    end(crowd, service)


def test_b17_the_queue_is_emptied_in_mid_game(service: Service, play: Play) -> None:
    crowd = play(service)
    wait_until_moved(crowd)
    with connect(service.queue) as queue:
        for _ in range(3):
            queue.flushall()
            check_goes_on(crowd)
    end(crowd, service)


def test_e19_workers_go_on_with_a_queue_that_was_started_again(
    service: Service, play: Play
) -> None:
    crowd = play(service)
    wait_until_moved(crowd)
    others = [service.pids(part) for part in (API, DISPATCHER, WORKER)]
    service.kill(QUEUE)
    check_goes_on(crowd)
    assert [service.pids(part) for part in (API, DISPATCHER, WORKER)] == others
    end(crowd, service)


def test_the_consumer_group_is_destroyed_and_begins_again(service: Service, play: Play) -> None:
    crowd = play(service)
    wait_until_moved(crowd)
    with connect(service.log) as log:
        with log.pipeline() as both:
            for partition in ALL_PARTITIONS:
                both.xgroup_destroy(partition.outbox, GROUP)
                both.xgroup_create(partition.outbox, GROUP, id="0", mkstream=True)
            both.execute()
        check_goes_on(crowd)
        for partition in ALL_PARTITIONS:
            log.xgroup_destroy(partition.outbox, GROUP)
        check_goes_on(crowd)
    end(crowd, service)
