"""E14: after a restart all who watched come back in one moment, whatever they were told."""

import asyncio
import os
import resource
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import redis

from tests.faults.feeds import answer, body, frames
from tests.faults.test_resuming import Moving, token_of
from tests.faults.test_streams import asked, connections
from tests.service.serving import Server

STREAMS = int(os.environ.get("STREAMS", "400"))
"""More than there are connections to the log's server; `make faults` opens 2,000."""

TABLES = 10
SECONDS = 15.0

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def server(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    running = Server(
        valkey,
        tmp_path,
        ELSINORE_API_PROCESSES="1",
        ELSINORE_STREAMS_PER_PLAYER=str(STREAMS),
        ELSINORE_HEARTBEAT_SECONDS="120",
    )
    try:
        yield running
    finally:
        running.end()


@pytest.fixture(autouse=True)
def open_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * STREAMS + 500)), hard))


def test_e14_all_streams_come_back_at_once_and_others_read_meanwhile(
    server: Server, log_redis: redis.Redis
) -> None:
    people = [server.person(name) for name in ("Ann", "Ben", "Cid", "Dot")]
    tables = [Moving(log_redis, people) for _ in range(TABLES)]
    tokens = [token_of(person) for person in people]
    base = connections(log_redis)
    reads: Counter[str] = Counter()

    async def reading(done: asyncio.Event) -> None:
        request = asked(tables[0].path, tokens[0]).replace(b"/stream", b"/events")
        while not done.is_set():
            async with answer(str(server.socket), request) as reader:
                assert await body(reader)
            reads["while opening" if not done.is_set() else "after"] += 1

    async def opened(stack: AsyncExitStack, number: int) -> None:
        request = asked(tables[number % TABLES].path, tokens[number % 4])
        reader = await stack.enter_async_context(answer(str(server.socket), request))
        assert (await anext(frames(reader)))["event"] == "view"

    async def burst() -> None:
        done = asyncio.Event()
        async with AsyncExitStack() as stack:
            others = asyncio.create_task(reading(done))
            began = time.monotonic()
            async with asyncio.timeout(SECONDS):
                await asyncio.gather(*[opened(stack, number) for number in range(STREAMS)])
            print(f"{STREAMS} streams in {time.monotonic() - began:.1f} s, {reads}")
            done.set()
            await others
            assert reads["while opening"] >= 2
            assert connections(log_redis) < base + STREAMS / 4, "open streams hold none"

    asyncio.run(burst())
