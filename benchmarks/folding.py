"""Figures 2 and 4: from stored bytes to state, and what an entry costs in Redis."""

import time
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

import msgspec
import redis
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.figure import Figure
from benchmarks.games import finished_game
from benchmarks.serving import Servers
from events.log.entry import Entry, whole_line
from events.log.loader import Loader, fold
from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.log.store import EMPTY
from events.redis.keys import partition_of

DEALS = 10
ROUNDS = 7


class Tally(Aggregate):
    """The reference: as small an aggregate as the library `eventsourcing` can rebuild."""

    def __init__(self) -> None:
        self.total = 0

    @event("Added")
    def add(self, value: int) -> None:
        self.total += value


def figures(servers: Servers) -> Iterable[Figure]:
    store, game = finished_game(DEALS)
    entries = store.logs[game]
    ours = _rate(len(entries), lambda: fold(game, entries))
    reference = _rate(len(entries), _library_rebuild(len(entries)))
    decoding = _rate(len(entries), lambda: [msgspec.json.decode(e.public) for e in entries])
    yield Figure(
        figure=2,
        name="stored bytes to state, chain checked, against eventsourcing's repository in memory",
        value=ours,
        reference=reference,
        ratio=ours / reference,
        target=2.0,
        unit="events/s",
    )
    yield Figure(
        figure=2,
        name="stored bytes to state, against msgspec decoding the bytes",
        value=ours,
        reference=decoding,
        ratio=ours / decoding,
        unit="events/s",
    )
    client = redis.from_url(servers.log)
    redis_store = RedisStore(client)
    redis_store.append(game, EMPTY, entries, (), 0)
    wall = time.perf_counter
    cold = _rate(len(entries), lambda: Loader(redis_store).current(game), wall)
    yield Figure(
        figure=2,
        name="cold load over Redis, against the same from memory",
        value=cold,
        reference=ours,
        ratio=cold / ours,
        unit="events/s",
    )
    yield _memory(store, game, entries, client)


def _memory(store: MemoryStore, game: str, entries: list[Entry], client: redis.Redis) -> Figure:
    chain = Loader(store).current(game).chain
    line = sum(len(whole_line(entry, chain)) + 1 for entry in entries) / len(entries)
    used: Any = client.memory_usage(partition_of(game).log(game), samples=0)
    stored = used / len(entries)
    return Figure(
        figure=4,
        name="Redis bytes per entry, against the bytes of its full log line",
        value=stored,
        reference=line,
        ratio=stored / line,
        target=1.5,
        at_most=True,
        unit="bytes",
    )


def _library_rebuild(count: int) -> Callable[[], object]:
    """The library's repository on its recorder in memory: stored bytes to aggregate, as ours."""
    application: Application[UUID] = Application()
    tally = Tally()
    for value in range(count - 1):
        tally.add(value)
    application.save(tally)
    return lambda: application.repository.get(tally.id)


def _rate(
    count: int, work: Callable[[], object], clock: Callable[[], float] = time.process_time
) -> float:
    """Events a second of `clock`, the best of a few rounds: the one disturbed least."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = clock()
        work()
        best = min(best, clock() - start)
    return count / best
