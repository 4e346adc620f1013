"""Connections that are kept: how long, and that no request is lost on one."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from tests.service.serving import Server

pytestmark = pytest.mark.processes

GET = b"GET /v1/rulesets HTTP/1.1\r\nHost: elsinore\r\n\r\n"
BODY = b'{"name":"Ann"}'
POST = (
    b"POST /v1/players HTTP/1.1\r\nHost: elsinore\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY)
)
SHORT = "0.2"


@pytest.fixture
def patient(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    """One that cuts off soon in the midst of a message, and late between two of them."""
    running = Server(
        valkey,
        tmp_path,
        ELSINORE_API_PROCESSES="1",
        ELSINORE_SEND_SECONDS=SHORT,
        ELSINORE_KEEPALIVE_SECONDS="30",
    )
    try:
        yield running
    finally:
        running.end()


@contextmanager
def connection(server: Server) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(str(server.socket))
        yield client


def answered(client: socket.socket, status: bytes) -> None:
    """Reads one whole answer."""
    head, _, rest = client.recv(1 << 16).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 " + status), head
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    while len(rest) < length:
        rest += client.recv(1 << 16)


def idle(client: socket.socket) -> None:
    """Nothing is sent for several times as long as one may stand still in a message."""
    client.settimeout(5 * float(SHORT))
    with pytest.raises(TimeoutError):
        client.recv(1)
    client.settimeout(20)


def test_e09_a_kept_connection_outlives_what_a_message_may_take(patient: Server) -> None:
    with connection(patient) as client:
        idle(client)
        client.sendall(GET)
        answered(client, b"200")
        idle(client)
        client.sendall(POST)
        answered(client, b"201")


def test_e09_requests_sent_together_are_answered_at_once(patient: Server) -> None:
    with connection(patient) as client:
        client.sendall(GET + GET[:20])
        answered(client, b"200")
        client.sendall(GET[20:])
        answered(client, b"200")
        client.sendall(POST + POST)
        both = b""
        while both.count(b'"token"') < 2:
            both += client.recv(1 << 16)
        assert both.count(b"HTTP/1.1 201") == 2


def test_half_a_head_is_waited_for_no_longer_than_any_other_message(patient: Server) -> None:
    for before in (b"", GET):
        with connection(patient) as client:
            if before:
                client.sendall(before)
                answered(client, b"200")
            client.sendall(GET[:20])
            assert client.recv(1 << 16) == b"", "it is closed"


def test_e09_the_time_is_a_setting(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> None:
    server = Server(valkey, tmp_path, ELSINORE_KEEPALIVE_SECONDS=SHORT)
    try:
        with connection(server) as client:
            client.sendall(GET)
            answered(client, b"200")
            assert client.recv(1) == b"", "it is closed"
        assert server.stop() == 0
        assert not [line for line in server.log if "Traceback" in line or '"error"' in line]
    finally:
        server.end()


def test_idle_connections_are_closed_without_a_word_when_the_service_goes(patient: Server) -> None:
    with connection(patient) as client:
        client.sendall(GET)
        answered(client, b"200")
        assert patient.stop() == 0
        assert client.recv(1) == b""
