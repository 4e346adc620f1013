"""B21, B23: many streams at once, several of one person, and those that do not read."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.cli.running import until
from tests.faults.feeds import answer, frames
from tests.faults.test_resuming import Moving, token_of
from tests.service.serving import Server

STREAMS = 200
SEND_SECONDS = 1.0
LONG = 700
"""Entries: more bytes than the system keeps for a client that does not read."""

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def server(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    running = Server(
        valkey,
        tmp_path,
        ELSINORE_API_PROCESSES="1",
        ELSINORE_SEND_SECONDS=str(SEND_SECONDS),
        ELSINORE_HEARTBEAT_SECONDS="2",
    )
    try:
        yield running
    finally:
        running.end()


def asked(path: str, token: str, after: int | None = None) -> bytes:
    lines = [f"GET {path}/stream HTTP/1.1", "Host: elsinore", f"Authorization: Bearer {token}"]
    if after is not None:
        lines.append(f"Last-Event-ID: {after}")
    return "\r\n".join([*lines, "", ""]).encode()


async def next_entry(events: Any) -> str:
    async with asyncio.timeout(20):
        async for event in events:
            if event["event"] == "entry":
                return str(event["id"])
    raise AssertionError("the stream has ended")


def connections(client: redis.Redis) -> int:
    return len(client.client_list())


def test_b21_b23_open_streams_leave_the_service_answering_and_give_back_what_they_took(
    server: Server, log_redis: redis.Redis
) -> None:
    people = [server.person(name) for name in ("Ann", "Ben", "Cid", "Dot")]
    moving = Moving(log_redis, people)
    base = connections(log_redis)

    async def opened() -> None:
        async with AsyncExitStack() as stack:
            feeds = []
            for number in range(STREAMS):
                request = asked(moving.path, token_of(people[number % 3]))
                reader = await stack.enter_async_context(answer(str(server.socket), request))
                feeds.append(frames(reader))
            for feed in feeds:
                assert (await anext(feed))["event"] == "view"
            began = time.monotonic()
            assert (await asyncio.to_thread(people[3].get, "/healthz")).status_code == 200
            assert time.monotonic() - began < 1.0
            moving.step()
            assert len({await next_entry(feed) for feed in feeds}) == 1
            assert connections(log_redis) > base

    asyncio.run(opened())

    until(lambda: "elsinore_streams_open 0.0" in people[3].get("/metrics").text, 5)
    until(lambda: connections(log_redis) <= base, 30)


def test_b23_a_client_that_does_not_read_is_cut_off_and_others_notice_nothing(
    server: Server, log_redis: redis.Redis
) -> None:
    people = [server.person(name) for name in ("Ann", "Ben", "Cid", "Dot")]
    moving = Moving(log_redis, people)
    for _ in range(LONG):
        moving.step()
    slow = []
    for _ in range(20):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(server.socket))
        client.sendall(asked(moving.path, token_of(people[0]), after=1))
        slow.append(client)

    async def others() -> None:
        request = asked(moving.path, token_of(people[1]))
        async with answer(str(server.socket), request) as reader:
            feed = frames(reader)
            await anext(feed)
            until_then = time.monotonic() + 2 * SEND_SECONDS
            while time.monotonic() < until_then:
                began = time.monotonic()
                moving.step()
                await next_entry(feed)
                assert time.monotonic() - began < 1.0
                await asyncio.sleep(0.05)

    asyncio.run(others())

    until(lambda: "elsinore_streams_open 0.0" in people[3].get("/metrics").text, 5)
    for client in slow:
        client.settimeout(5)
        taken = b""
        while data := client.recv(1 << 20):
            taken += data
        assert not taken.endswith(b"0\r\n\r\n"), "it was sent all, and ended"
        client.close()
