"""B09: whoever is dropped from a feed resumes without a gap and without a repeat."""

import asyncio
import os
import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
import redis

from benchmarks.games import random_moves
from domain.game.model import Actor
from events.log.loader import Loader
from events.log.redis import RedisStore
from events.queries import Reader
from tests.faults.feeds import KINDS, Follower, dropped
from tests.service.serving import Server
from tests.tables import request
from tests.workers.playing import handler_on

CLIENTS = int(os.environ.get("CLIENTS", "200"))
AT_ONCE = 100
DROPS = 2
EVENTS_A_SECOND = 60

pytestmark = pytest.mark.timeout(120 + CLIENTS // 4)


class Moving:
    """A long game of four people whose moves come all the time, from another process's handler."""

    def __init__(self, client: redis.Redis, people: list[httpx.Client]) -> None:
        plan = {
            "ruleset": "hearts",
            "options": {"target_score": 1000},
            "seats": ["me", "open", "open", "open"],
        }
        self.id: str = people[0].post("/v1/games", json=plan).json()["id"]
        self.path = f"/v1/games/{self.id}"
        for seat, person in enumerate(people):
            assert person.put(f"{self.path}/seats/{seat}", json={}).status_code == 200
        self.handler = handler_on(RedisStore(client))
        self.head = 0
        self._rng = random.Random(1)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._move)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def step(self) -> None:
        """One move of whoever owes one."""
        loaded = self.handler.loader.current(self.id)
        self.head = loaded.head.version
        seat, move = next(random_moves(loaded.game, self._rng))
        actor = Actor(kind="player", id=loaded.game.seats[seat].player, seat=seat)
        self.handler.handle(self.id, request(move), actor, str(self.head), "c")

    def _move(self) -> None:
        while not self._stop.wait(1 / EVENTS_A_SECOND):
            self.step()


@pytest.fixture
def server(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    off = dict.fromkeys(("ELSINORE_LIMIT_READS", "ELSINORE_LIMIT_LOBBY"), "off")
    running = Server(valkey, tmp_path, ELSINORE_STREAMS_PER_PLAYER="1000", **off)
    try:
        yield running
    finally:
        running.end()


def token_of(person: httpx.Client) -> str:
    return person.headers["Authorization"].removeprefix("Bearer ")


def test_b09_clients_dropped_at_random_points_resume_without_gap_or_repeat(
    server: Server, log_redis: redis.Redis
) -> None:
    people = [server.person(name) for name in ("Ann", "Ben", "Cid", "Dot")]
    watcher = server.person("Eve")
    rng = random.Random(os.environ.get("SEED", "20240229"))
    with Moving(log_redis, people) as moving:
        readers = [*people, watcher]
        followers = [
            Follower(moving.path, token_of(readers[n % 5]), KINDS[n % 3]) for n in range(CLIENTS)
        ]
        asyncio.run(all_dropped(followers, server, moving, rng))

    reader = Reader(RedisStore(log_redis), Loader(RedisStore(log_redis)))
    seats = reader.current(moving.id).game.seats
    feeds = {
        token_of(person): reader.feed(moving.id, player, 0, 10_000)
        for person, player in zip(readers, [*(seat.player for seat in seats), None], strict=True)
    }
    for follower in followers:
        assert follower.gaps == 0
        first = follower.version - len(follower.lines)
        assert follower.lines == feeds[follower.token][first : follower.version]
    check_views(readers, followers, moving.path)
    kinds = Counter(follower.kind for follower in followers)
    lines = sum(len(follower.lines) for follower in followers)
    assert lines > 10 * CLIENTS
    print(f"{CLIENTS} clients, {DROPS * CLIENTS} drops, {lines} lines: {dict(kinds)}")


async def all_dropped(
    followers: list[Follower], server: Server, moving: Moving, rng: random.Random
) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(follower: Follower, seed: int) -> None:
        async with places:
            if follower.kind != "sse" or seed % 2:
                follower.version = max(1, moving.head - seed % 50)
            head = lambda: moving.head  # noqa: E731
            await dropped(follower, str(server.socket), head, random.Random(seed), DROPS)

    async with asyncio.TaskGroup() as tasks:
        for follower in followers:
            tasks.create_task(one(follower, rng.randrange(2**32)))


def check_views(readers: list[httpx.Client], followers: list[Follower], path: str) -> None:
    """Where a client has come to is what the service shows of that version."""
    for follower in [one for one in followers if one.lines][:30]:
        person = next(one for one in readers if token_of(one) == follower.token)
        shown: Any = person.get(f"{path}?at={follower.version}").json()["view"]
        assert f'"digest":"{shown["digest"]}"'.encode() in follower.lines[-1]
