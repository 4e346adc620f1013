"""Processes that a measurement needs, each on a free port, ended when it is over."""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import psutil

READY_SECONDS = 20.0
SHIPPED = ("-c", "python:service.server.config", "service.server.wsgi:app()")


class Servers(NamedTuple):
    """The URLs of a log's server and of a queue's."""

    log: str
    queue: str


@contextmanager
def served(
    app: Sequence[str], redis_url: str, **settings: str
) -> Iterator[tuple[int, psutil.Process]]:
    """One gunicorn worker of `app` on a free port, logging as it does by default."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["-m", "gunicorn", "--bind", f"127.0.0.1:{port}", *app]
    with running(command, redis_url, **settings) as process:
        _wait_for(port)
        yield port, process


@contextmanager
def running(words: Sequence[str], redis_url: str, **settings: str) -> Iterator[psutil.Process]:
    """Our interpreter with these words, until the block is left."""
    with tempfile.TemporaryDirectory() as data:
        environment = os.environ | {"REDIS_URL": redis_url, "ELSINORE_DATA": data} | settings
        started = subprocess.Popen(  # noqa: S603 - our own interpreter and modules
            [sys.executable, *words],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield psutil.Process(started.pid)
        finally:
            started.terminate()
            started.wait()


def ask(
    connection: http.client.HTTPConnection, method: str, path: str, token: str, body: Any
) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    headers["Content-Type"] = "application/json"
    sent = None if body is None else json.dumps(body)
    connection.request(method, path, sent, headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= http.client.BAD_REQUEST:
        raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
    return json.loads(text)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nothing answers on port {port}")
