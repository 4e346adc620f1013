"""Figure 5: a thousand open streams on one process; when does the last of them have the news?"""

import http.client
import itertools
import random
import resource
import selectors
import socket
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

import psutil

from benchmarks.figure import Figure
from benchmarks.serving import SHIPPED, Servers, ask, served

STREAMS = 1000
ROUNDS = 25
PATIENCE = 30.0
FRAME_BYTES = 620
"""Of a card played, as a stream sends it."""

BARE = (
    *("-k", "gevent", "-w", "1", "--worker-connections", "10000", "--graceful-timeout", "1"),
    "benchmarks.fanout:create_app()",
)
SETTINGS = {"ELSINORE_STREAMS_PER_PLAYER": str(STREAMS), "ELSINORE_LIMIT_READS": "off"}

Look = Callable[[], Callable[[], int]]
"""Prepares what is sent next; what it returns sends it, and gives the version that all will get."""


def figures(servers: Servers) -> Iterable[Figure]:
    with served(SHIPPED, servers.log, **SETTINGS) as (port, process):
        ours, our_memory = _measured(port, process, *_game(port))
    with served(BARE, servers.log) as (port, process):
        bare, its_memory = _measured(port, process, "/", "", _frames(port))
    for name, share in (("p50", 50), ("p99", 99)):
        value, reference = _percentile(ours, share), _percentile(bare, share)
        yield Figure(
            figure=5,
            name=f"a move until {STREAMS} streams of one process have it, {name}, against bare SSE",
            value=value,
            reference=reference,
            ratio=value / reference,
            unit="ms",
        )
    yield Figure(
        figure=5,
        name="memory of the process with all of them open",
        value=our_memory,
        reference=its_memory,
        ratio=our_memory / its_memory,
        unit="MB",
    )


def _measured(
    port: int, process: psutil.Process, path: str, token: str, look: Look
) -> tuple[list[float], float]:
    """Milliseconds until each stream had each of the frames, and megabytes."""
    with _streams(port, path, token) as listeners:
        listeners.wait_for(0)
        latencies = []
        for _ in range(ROUNDS):
            send = look()
            began = time.perf_counter()
            latencies += [(at - began) * 1000 for at in listeners.wait_for(send())]
        processes = [process, *process.children(recursive=True)]
        memory = max(each.memory_info().rss for each in processes) / 1e6
    return latencies, memory


class Listeners:
    """Many streams, read by one loop."""

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.count = 0

    def add(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.selector.register(connection, selectors.EVENT_READ)
        self.count += 1

    def wait_for(self, version: int) -> list[float]:
        """When each of them had an event of this version or a later one."""
        had: dict[int, float] = {}
        deadline = time.monotonic() + PATIENCE
        while len(had) < self.count:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.count - len(had)} streams did not get {version}")
            for key, _ in self.selector.select(1.0):
                data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                now = time.perf_counter()
                if key.fd not in had and _last_id(data) >= version:
                    had[key.fd] = now
        return list(had.values())


def _last_id(data: bytes) -> int:
    _, found, rest = data.rpartition(b"\nid: ")
    return int(rest.partition(b"\n")[0]) if found else -1


@contextmanager
def _streams(port: int, path: str, token: str) -> Iterator[Listeners]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * STREAMS)), hard))
    request = f"GET {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n"
    listeners = Listeners()
    with ExitStack() as stack:
        stack.callback(listeners.selector.close)
        for _ in range(STREAMS):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(request.encode())
            listeners.add(connection)
        yield listeners


def _game(port: int) -> tuple[str, str, Look]:
    """Path and token of a spectator's stream, and its moves."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    names = ("p0", "p1", "p2", "p3", "spectator")
    *tokens, watcher = [
        ask(connection, "POST", "/v1/players", "", {"name": name})["token"] for name in names
    ]
    plan = {"ruleset": "hearts", "options": {"target_score": 1000}, "seats": ["open"] * 4}
    path = "/v1/games/" + ask(connection, "POST", "/v1/games", tokens[0], plan)["id"]
    for seat, token in enumerate(tokens):
        ask(connection, "PUT", f"{path}/seats/{seat}", token, {})
    rng = random.Random(5)  # noqa: S311 - moves for a measurement, not a draw

    def look() -> Callable[[], int]:
        view = ask(connection, "GET", path, watcher, None)["view"]
        token = tokens[int(next(iter(view["to_act"])))]
        move = rng.choice(ask(connection, "GET", path, token, None)["view"]["legal_moves"])
        if "choose" in move:
            cards = rng.sample(move["of"], move["choose"])
            move = {"answers": move["answers"], "type": move["type"], "cards": cards}
        return lambda: int(ask(connection, "POST", f"{path}/moves", token, move)["version"])

    return f"{path}/stream", watcher, look


def _frames(port: int) -> Look:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    versions = itertools.count(1)

    def look() -> Callable[[], int]:
        version = next(versions)
        frame = b"event: entry\nid: %d\ndata: " % version
        frame += b"x" * (FRAME_BYTES - len(frame)) + b"\n\n"

        def send() -> int:
            connection.request("POST", "/", frame)
            connection.getresponse().read()
            return version

        return send

    return look


def _percentile(values: list[float], share: int) -> float:
    return statistics.quantiles(values, n=100)[share - 1]
