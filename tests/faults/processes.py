"""The processes of a running service: found, killed, and waited for until others do their work."""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import redis

from events.errors import EventsError
from events.log.outbox import GROUP
from events.redis.client import connect
from events.redis.keys import ALL_PARTITIONS
from service.cli.up import is_ready
from tests.cli.running import Up, children, command_line, until
from tests.faults.clients import Crowd

API, WORKER, DISPATCHER = "gunicorn", "processes worker", "processes dispatcher"
LOG, QUEUE = "/log/server.sock", "/queue/server.sock"
PARTS = (API, WORKER, DISPATCHER, LOG, QUEUE)

GOES_ON_SECONDS = 5.0
"""The sweep's time: how long a game may stand still once everything runs again."""

LOADED = 3
"""Where more wants to run than there are processors, everything takes longer."""


def allowed_seconds() -> float:
    """The sweep's time, by what else this machine has to do."""
    loaded = os.getloadavg()[0] > (os.cpu_count() or 1)
    return GOES_ON_SECONDS * (LOADED if loaded else 1)


@dataclass(frozen=True)
class Service:
    """What runs, and where its servers are to be found: not through what stands between."""

    up: Up
    log: str
    queue: str

    def pids(self, part: str) -> set[int]:
        """Of the API, the process that answers and not its parent."""
        found = set()
        for child in children(self.up.process.pid):
            with suppress(OSError):
                if part in command_line(child):
                    found |= set(children(child)) if part == API else {child}
        return found

    def kill(self, part: str) -> None:
        """Kills one process without a word, and waits until another does its work."""
        until(lambda: bool(self.pids(part)))
        killed = min(self.pids(part))
        os.kill(killed, signal.SIGKILL)
        self.wait_for_another(part, killed)

    def wait_for_another(self, part: str, killed: int) -> None:
        def replaced() -> bool:
            with suppress(OSError, EventsError, redis.RedisError):
                now = self.pids(part)
                return bool(now) and killed not in now and self._works(part, now)
            return False

        until(replaced)
        until(lambda: is_ready("127.0.0.1", self.up.port))

    def _works(self, part: str, now: set[int]) -> bool:
        """Whether the servers know of a process among these."""
        if part == WORKER:
            return now <= _workers(self.queue)
        if part == DISPATCHER:
            return bool(now & _dispatchers(self.log))
        return True


def wait_until_moved(crowd: Crowd) -> None:
    """Until every table plays."""
    since = time.monotonic()
    until(lambda: crowd.slowest(since) < float("inf"))


def check_goes_on(crowd: Crowd, after: str = "") -> None:
    """From now on, every table moves within the sweep's time."""
    since = time.monotonic()
    until(lambda: crowd.slowest(since) < float("inf"), 8 * GOES_ON_SECONDS)
    took = crowd.slowest(since)
    assert took <= allowed_seconds(), f"{after}: the last game went on after {took:.1f} s"


def _workers(url: str) -> set[int]:
    with connect(url) as client:
        found: Any = client.smembers("rq:workers")
        pids: list[Any] = [client.hget(key, "pid") for key in found]
    return {int(pid) for pid in pids if pid is not None}


def _dispatchers(url: str) -> set[int]:
    with connect(url) as client:
        found: Any = client.xinfo_consumers(ALL_PARTITIONS[0].outbox, GROUP)
    return {int(consumer["name"].decode().rpartition("-")[2]) for consumer in found}
