"""Figure 12: one person reads while another asks for the dearest on eight connections."""

import http.client
import multiprocessing
import statistics
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from typing import NamedTuple

import redis

from benchmarks.figure import Figure, in_turn
from benchmarks.games import played
from benchmarks.serving import SHIPPED, Servers, ask, served
from events.log.redis import RedisStore
from events.log.store import EMPTY

CONNECTIONS = 8
SECONDS = 1.0
SLICES = 9
PATIENCE = 30.0
LIMITS = dict.fromkeys(("ELSINORE_LIMIT_READS", "ELSINORE_LIMIT_OPEN_READS"), "off")
PROCESSES = multiprocessing.get_context("spawn")


class Place(NamedTuple):
    """The whole log of a finished game, and a token to read it with."""

    port: int
    path: str
    token: str


def figures(servers: Servers) -> Iterable[Figure]:
    """No limit stands between them: what is measured is how they share the process."""
    memory, game = played(1, target_score=940)
    entries = memory.logs[game]
    RedisStore(redis.from_url(servers.log)).append(game, EMPTY, entries, (), 0)
    with served(SHIPPED, servers.log, **LIMITS) as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        token = ask(connection, "POST", "/v1/players", "", {"name": "mad"})["token"]
        place = Place(port, f"/v1/games/{game}/log", token)
        with _asking(place) as load:

            def under_load() -> float:
                load.wanted.set()
                load.wait_for(CONNECTIONS)
                spent = _read(connection)
                load.wanted.clear()
                load.wait_for(0)
                return spent

            found = in_turn(under_load, lambda: _read(connection), SLICES)
    yield Figure(
        figure=12,
        name=f"GET /rulesets while {CONNECTIONS} connections of one player read a log of "
        f"{len(entries):,} entries, against nobody",
        value=found.value * 1e3,
        reference=found.reference * 1e3,
        ratio=found.ratio,
        spread=found.spread,
        target=5.0,
        at_most=True,
        unit="ms",
    )


def _read(connection: http.client.HTTPConnection) -> float:
    """Seconds that a read takes; of all within the slice, the median."""
    spent = []
    until = time.perf_counter() + SECONDS
    while (began := time.perf_counter()) < until:
        ask(connection, "GET", "/v1/rulesets", "", None)
        spent.append(time.perf_counter() - began)
    return statistics.median(spent)


class Load(NamedTuple):
    """Whether it is wanted, and how many requests are being answered."""

    wanted: Event
    running: "Synchronized[int]"

    def wait_for(self, running: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.running.value != running:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.running.value} requests run, not {running}")
            time.sleep(0.001)


@contextmanager
def _asking(place: Place) -> Iterator[Load]:
    """Another process, which asks whenever that is wanted."""
    load = Load(PROCESSES.Event(), PROCESSES.Value("i", 0))
    process = PROCESSES.Process(target=_ask_on, args=(place, *load), daemon=True)
    process.start()
    try:
        yield load
    finally:
        process.terminate()
        process.join()


def _ask_on(place: Place, wanted: Event, running: "Synchronized[int]") -> None:
    threads = [
        threading.Thread(target=_one, args=(place, wanted, running)) for _ in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()


def _one(place: Place, wanted: Event, running: "Synchronized[int]") -> None:
    connection = http.client.HTTPConnection("127.0.0.1", place.port)
    while wanted.wait():
        _count(running, 1)
        while wanted.is_set():
            connection.request(
                "GET", place.path, headers={"Authorization": f"Bearer {place.token}"}
            )
            connection.getresponse().read()
        _count(running, -1)


def _count(running: "Synchronized[int]", change: int) -> None:
    with running.get_lock():
        running.value += change
