"""The connection behind a request, for answers that stay open: whether its client is still there.

Under gevent the socket is watched while nothing is read from it, so that the place of a client
who has gone is free at once, and not when the next heartbeat fails.
"""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import gevent
from gevent.socket import wait_read

Gone = Callable[[], bool]


def of_request(environ: Mapping[str, Any]) -> socket.socket | None:
    """The socket of a request, where it can be watched."""
    found = environ.get("gunicorn.socket")
    return None if isinstance(found, ssl.SSLSocket) else found


@contextmanager
def watched(connection: socket.socket | None, news: threading.Event) -> Iterator[Gone]:
    """Whether the client has closed its side; `news` is notified when it does.

    A client that sends more instead, before its answer has ended, is watched no longer.
    """
    if connection is None:
        yield lambda: False
        return
    gone = False

    def watch() -> None:
        nonlocal gone
        wait_read(connection.fileno())
        try:
            gone = not connection.recv(1, socket.MSG_PEEK)
        except OSError:
            gone = True
        if gone:
            news.set()

    watcher = gevent.spawn(watch)
    try:
        yield lambda: gone
    finally:
        watcher.kill(block=False)
