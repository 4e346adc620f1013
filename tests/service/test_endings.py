"""Streams and long polls of a game that is over end, and places of who has gone are free."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
import redis

from service.services import Services
from service.settings import Settings
from tests.service.serving import Server
from tests.service.tables import Table, frames, memory_services

PLACES = 16


def test_a_stream_ends_after_the_last_entry_of_a_finished_game(services: Services) -> None:
    table = Table(services, target=1).sit()
    stream = table.people[0].get(f"{table.path}/stream")
    chunks = stream.iter_encoded()
    frames(chunks, 1)
    table.play_to_the_end()
    version = table.view(0)["version"]
    rest = b"".join(chunks).decode()
    assert f"id: {version}\n" in rest
    assert rest.endswith(f'event: end\ndata: {{"version":{version}}}\n\n')
    stream.close()
    assert services.limit.total == 0


def test_a_finished_game_is_shown_once_and_does_not_call_back(services: Services) -> None:
    table = Table(services, target=1).sit()
    table.play_to_the_end()
    url, version = f"{table.path}/stream", table.view(0)["version"]
    first = table.people[0].get(url)
    assert [f["event"] for f in frames(iter([first.data]), 2)] == ["view", "end"]
    behind = table.people[0].get(url, headers={"Last-Event-ID": str(version - 1)})
    assert [f["event"] for f in frames(iter([behind.data]), 3)] == ["live", "entry", "end"]
    again = table.people[0].get(url, headers={"Last-Event-ID": str(version)})
    assert (again.status_code, again.data) == (204, b"")
    beyond = table.people[0].get(url, headers={"Last-Event-ID": str(version + 1)})
    assert [f["event"] for f in frames(iter([beyond.data]), 3)] == ["reset", "view", "end"]


def test_a_closed_table_is_over_for_its_streams_too(table: Table) -> None:
    table.people[0].call("DELETE", table.path)
    stream = table.spectator.get(f"{table.path}/stream")
    assert [f["event"] for f in frames(iter([stream.data]), 2)] == ["view", "end"]


def test_a_long_poll_on_a_finished_game_returns_at_once() -> None:
    services = memory_services(settings=Settings(longest_wait=60))
    table = Table(services, target=1).sit()
    table.play_to_the_end()
    version = table.view(0)["version"]
    begun = time.monotonic()
    for after in (version, version + 5):
        answer = table.people[0].get(f"{table.path}/events?after={after}&wait=60")
        assert answer.json == {"version": version, "events": []}
    assert time.monotonic() - begun < 30


@pytest.fixture
def server(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    settings = {"ELSINORE_API_PROCESSES": "1", "ELSINORE_STREAMS_PER_PLAYER": str(PLACES)}
    running = Server(valkey, tmp_path, **settings)
    try:
        yield running
    finally:
        running.end()


def opened(server: Server, person: httpx.Client) -> str:
    body = {"ruleset": "hearts", "seats": ["open"] * 4}
    return "/v1/games/" + str(person.post("/v1/games", json=body).json()["id"])


Ask = Callable[[httpx.Client, str], socket.socket]


@pytest.fixture
def ask(server: Server) -> Iterator[Ask]:
    """Sends a GET on a bare connection of its own."""
    with ExitStack() as stack:

        def asked(person: httpx.Client, address: str) -> socket.socket:
            connection = stack.enter_context(socket.socket(socket.AF_UNIX))
            connection.settimeout(20)
            connection.connect(str(server.socket))
            lines = (
                f"GET {address} HTTP/1.1",
                "Host: x",
                f"Authorization: {person.headers['Authorization']}",
            )
            connection.sendall("\r\n".join((*lines, "", "")).encode())
            return connection

        yield asked


def status(person: httpx.Client, address: str) -> int:
    """That of a stream, which is not read on."""
    with person.stream("GET", address) as answer:
        return answer.status_code


def soon(person: httpx.Client, address: str) -> int:
    """The status once it is another than 429, asked for again for two seconds at most."""
    until = time.monotonic() + 2
    while (found := status(person, address)) == 429 and time.monotonic() < until:
        pass
    return found


@pytest.mark.processes
def test_b21_the_places_of_streams_whose_clients_have_gone_are_free_soon(
    server: Server, ask: Ask
) -> None:
    ann = server.person("Ann")
    address = f"{opened(server, ann)}/stream"
    streams = [ask(ann, address) for _ in range(PLACES)]
    for stream in streams:
        assert stream.recv(4096).startswith(b"HTTP/1.1 200")
    assert status(ann, address) == 429
    for stream in streams:
        stream.close()
    assert soon(ann, address) == 200


@pytest.mark.processes
def test_b21_the_places_of_long_polls_whose_clients_have_gone_are_free_soon(
    server: Server, ask: Ask
) -> None:
    ann = server.person("Ann")
    path = opened(server, ann)
    polls = [ask(ann, f"{path}/events?after=1&wait=60") for _ in range(PLACES)]
    until = time.monotonic() + 20
    while f"streams_open {PLACES}.0" not in ann.get("/metrics").text and time.monotonic() < until:
        pass
    assert status(ann, f"{path}/stream") == 429
    for poll in polls:
        poll.close()
    assert soon(ann, f"{path}/stream") == 200


@pytest.mark.processes
def test_a_stream_whose_client_sends_more_goes_on(server: Server, ask: Ask) -> None:
    ann = server.person("Ann")
    path = opened(server, ann)
    stream = ask(ann, f"{path}/stream")
    assert stream.recv(4096).startswith(b"HTTP/1.1 200")
    stream.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    ann.put(f"{path}/seats/0", json={})
    seen = b""
    while b"event: entry" not in seen:
        piece = stream.recv(65_536)
        assert piece
        seen += piece
    entry = next(line for line in seen.split(b"\n") if line.startswith(b'data: {"actor"'))
    assert json.loads(entry[6:])["type"] == "game.seat-taken"
