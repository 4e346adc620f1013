"""What comes over the wire and is not as HTTP has it: spoken to gunicorn on a bare socket."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.serving import Server

pytestmark = pytest.mark.processes
LIMIT = 65_536
NAME = b'{"name": "Ann"}'
Told = tuple[int, dict[str, str], Any]


@pytest.fixture(scope="module")
def server(valkey: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(valkey, tmp_path_factory.mktemp("wire"))
    try:
        yield running
    finally:
        running.end()


def told(server: Server, sent: bytes, *, half_close: bool = False) -> Told:
    """Status, headers and problem of the first answer on a connection of its own."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(str(server.socket))
        connection.sendall(sent)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        with connection.makefile("rb") as answer:
            status = int(answer.readline().split()[1])
            headers = {}
            while line := answer.readline().strip():
                name, _, value = line.decode().partition(": ")
                headers[name.lower()] = value
            body = answer.read(int(headers["content-length"]))
    return status, headers, json.loads(body)


def post(*headers: bytes, body: bytes = b"", path: bytes = b"/v1/players") -> bytes:
    lines = [b"POST %b HTTP/1.1" % path, b"Host: x", b"Content-Type: application/json", *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def chunked(*chunks: bytes) -> bytes:
    body = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))
    return post(b"Transfer-Encoding: chunked", body=body)


def code(answer: Told) -> tuple[int, str]:
    status, headers, problem = answer
    assert headers["content-type"] == "application/problem+json"
    assert problem["status"] == status
    return status, problem["code"]


def test_a_chunked_body_may_fill_the_limit_and_no_more(server: Server) -> None:
    full = NAME.ljust(LIMIT)
    assert told(server, chunked(full))[0] == 201
    assert told(server, chunked(*[full[n : n + 1000] for n in range(0, LIMIT, 1000)]))[0] == 201
    assert code(told(server, chunked(full, b"x"))) == (413, "body-too-large")
    assert code(told(server, chunked(full + b"garbage"))) == (413, "body-too-large")


def test_a_body_shorter_than_its_length_is_not_carried_out(server: Server) -> None:
    stated = post(b"Content-Length: 500", body=NAME)
    assert code(told(server, stated, half_close=True)) == (400, "bad-request")
    nothing = post(b"Content-Length: 500")
    assert code(told(server, nothing, half_close=True)) == (400, "bad-request")


@pytest.mark.parametrize(
    "body", [b"zz\r\n{}\r\n0\r\n\r\n", b"\r\n", b"-1\r\n{}", b"2\r\n{}xx0\r\n\r\n", b"2;\x00\r\n{}"]
)
def test_chunks_that_are_none_are_a_bad_request(server: Server, body: bytes) -> None:
    sent = post(b"Transfer-Encoding: chunked", body=body)
    assert code(told(server, sent)) == (400, "bad-request")


@pytest.mark.parametrize("body", [b"", b"f\r\n" + NAME, b"20\r\n" + NAME, b"f\r\n%b\r\n" % NAME])
def test_chunks_that_break_off_are_a_bad_request(server: Server, body: bytes) -> None:
    sent = post(b"Transfer-Encoding: chunked", body=body)
    assert code(told(server, sent, half_close=True)) == (400, "bad-request")


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"GARBAGE\r\n\r\n", (400, "bad-request")),
        (b"GET /healthz HTTP/9.9\r\n\r\n", (400, "bad-request")),
        (b"GET /healthz HTTP/1.1\r\nBad Header: x\r\n\r\n", (400, "bad-request")),
        (post(b"Content-Length: 2", b"Transfer-Encoding: chunked"), (400, "bad-request")),
        (b"GET /%b HTTP/1.1\r\n\r\n" % (b"a" * 9000), (414, "uri-too-long")),
        (b"GET / HTTP/1.1\r\nX: %b\r\n\r\n" % (b"a" * 9000), (431, "headers-too-large")),
        (b"GET / HTTP/1.1\r\n%b\r\n" % (b"X: y\r\n" * 200), (431, "headers-too-large")),
    ],
)
def test_what_never_becomes_a_request_is_refused_in_problem_details(
    server: Server, sent: bytes, expected: tuple[int, str]
) -> None:
    answer = told(server, sent)
    assert code(answer) == expected
    assert answer[1]["connection"] == "close"
    assert "access-control-allow-origin" not in answer[1]


def test_pages_of_other_origins_may_read_such_a_refusal(
    valkey: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cors")
    running = Server(valkey, folder, ELSINORE_CORS_ORIGINS="https://a.example")
    try:
        for sent, expected in (
            (b"GARBAGE\r\n\r\n", 400),
            (b"GET /%b HTTP/1.1\r\n\r\n" % (b"a" * 9000), 414),
            (b"GET / HTTP/1.1\r\nX: %b\r\n\r\n" % (b"a" * 9000), 431),
        ):
            status, headers, _ = told(running, sent)
            assert (status, headers["access-control-allow-origin"]) == (expected, "*")
            assert headers["vary"] == "Origin"
    finally:
        running.end()


def test_the_documentation_leads_nowhere_else(server: Server) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket))
        connection.sendall(b"GET /docs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        with connection.makefile("rb") as answer:
            text = answer.read().decode()
    assert "\r\nLocation: /docs/\r\n" in text
    assert "evil" not in text.partition("\r\n\r\n")[0]
