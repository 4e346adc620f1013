"""Clients of a game's feed that are dropped, each on one of its three kinds: raw HTTP, asyncio."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

import msgspec

Kind = Literal["sse", "ndjson", "long-poll"]
KINDS: tuple[Kind, ...] = ("sse", "ndjson", "long-poll")
PATIENCE = 30.0


class Page(msgspec.Struct):
    version: int
    events: list[msgspec.Raw]


@dataclass
class Follower:
    """Keeps every line it is sent, and the version it has come to."""

    path: str
    token: str
    kind: Kind
    version: int = 0
    lines: list[bytes] = field(default_factory=list)
    gaps: int = 0

    async def follow(self, socket: str, until: Callable[[], bool]) -> None:
        """Reads on from its version on one connection, until then or until that ends."""
        async with asyncio.timeout(PATIENCE), answer(socket, self._request()) as reader:
            if self.kind == "sse":
                async for event in frames(reader):
                    if event["event"] == "view" and not self.version:
                        self.version = int(event["id"])
                    elif event["event"] in {"view", "reset"}:
                        self.gaps += 1
                    elif event["event"] == "entry":
                        self._take(event["data"].encode(), int(event["id"]))
                    if until() or event["event"] == "end":
                        return
            else:
                self._take_page(await body(reader))

    def _request(self) -> bytes:
        accept = {"sse": "text/event-stream", "ndjson": "application/x-ndjson"}
        headers = [f"Authorization: Bearer {self.token}", "Host: elsinore"]
        headers.append(f"Accept: {accept.get(self.kind, 'application/json')}")
        target = f"{self.path}/events?after={self.version}&wait=10&limit=20"
        if self.kind == "sse":
            target = f"{self.path}/stream"
            if self.version:
                headers.append(f"Last-Event-ID: {self.version}")
        return "\r\n".join([f"GET {target} HTTP/1.1", *headers, "", ""]).encode()

    def _take_page(self, page: bytes) -> None:
        if self.kind == "ndjson":
            lines = page.splitlines()
        else:
            lines = [bytes(line) for line in msgspec.json.decode(page, type=Page).events]
        for line in lines:
            self._take(line, self.version + 1)

    def _take(self, line: bytes, version: int) -> None:
        self.gaps += version != self.version + 1 or json.loads(line)["version"] != version
        self.version = version
        self.lines.append(line)


@asynccontextmanager
async def answer(socket: str, request: bytes) -> AsyncIterator[asyncio.StreamReader]:
    """What comes after the head of an answer. Leaving the block drops the connection."""
    reader, writer = await asyncio.open_unix_connection(socket)
    try:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 20"):
            raise AssertionError(head)
        reader.head = head  # type: ignore[attr-defined]
        yield reader
    finally:
        writer.transport.abort()


async def frames(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, str]]:
    """Server-sent events, comments left out, from a body in chunks, until it ends."""
    rest = b""
    async for chunk in chunks(reader):
        rest += chunk
        *whole, rest = rest.split(b"\n\n")
        for block in whole:
            fields = [line.split(": ", 1) for line in block.decode().split("\n") if line[0] != ":"]
            event = dict(fields)
            if "event" in event:
                yield event


async def chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int(await reader.readline() or b"0", 16):
        yield await reader.readexactly(size)
        await reader.readline()


async def body(reader: asyncio.StreamReader) -> bytes:
    for line in reader.head.split(b"\r\n"):  # type: ignore[attr-defined]
        name, _, value = line.partition(b": ")
        if name.lower() == b"content-length":
            return await reader.readexactly(int(value))
    raise AssertionError("no length")


async def dropped(
    follower: Follower, socket: str, head: Callable[[], int], rng: random.Random, drops: int
) -> None:
    """Reads, is cut off at a random point, misses 1 to 50 events, resumes; so many times."""
    for _ in range(drops):
        stop = follower.version + rng.randint(1, 15)
        with suppress(TimeoutError):  # in the middle of an answer, or of waiting for one
            async with asyncio.timeout(rng.uniform(0.05, 1.0)):
                while follower.version < stop:
                    await follower.follow(socket, lambda: follower.version >= stop)  # noqa: B023
        missed = follower.version + rng.randint(1, 50)
        while head() < missed:  # noqa: ASYNC110 - another thread makes the moves
            await asyncio.sleep(0.02)
    last = head()
    while follower.version < last:
        await follower.follow(socket, lambda: follower.version >= last)
