"""gunicorn's gevent worker, which refuses in problem details what never becomes a request."""

import http
import os
import socket
import warnings
from typing import Any

import gevent
from gevent.monkey import MonkeyPatchWarning
from gevent.socket import wait_read
from gunicorn.glogging import Logger as GunicornLogger
from gunicorn.http import errors
from gunicorn.util import write_nonblock
from gunicorn.workers.base_async import AsyncWorker
from gunicorn.workers.ggevent import GeventWorker

from service.problems.codes import PROBLEM_JSON
from service.problems.details import problem_body
from service.settings import Settings
from service.telemetry.logging import Lines

CODES: dict[type[BaseException], str] = {
    errors.LimitRequestLine: "uri-too-long",
    errors.LimitRequestHeaders: "headers-too-large",
    errors.InvalidResponseHeader: "internal-error",
    errors.InvalidResponseHeaderName: "internal-error",
}


_settings = Settings.read(os.environ)
SEND_SECONDS = _settings.send_seconds
"""How long a client may take for what it is sent, or for what it sends."""

KEEPALIVE_SECONDS = _settings.keepalive
"""How long a connection stays open between two requests, or before the first."""

CORS = "Access-Control-Allow-Origin: *\r\nVary: Origin\r\n" if _settings.cors_origins else ""
"""Whose page it was is not known of what never became a request; the refusal says nothing of it."""

SEND_BUFFER = 64 * 1024
"""Bytes that the system may keep for a client that is behind; Linux takes twice as many."""


class Logger(GunicornLogger):  # type: ignore[misc]
    """gunicorn's own, in lines as ours; without an access log, where tickets would stand."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(Lines())


class Worker(GeventWorker):  # type: ignore[misc]
    def patch(self) -> None:
        """Settings are read before: with them came redis, whose asyncio side is not used here."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MonkeyPatchWarning)
            super().patch()

    def handle(self, listener: socket.socket, client: socket.socket, addr: Any) -> None:
        """As gunicorn's own, which waits for ever for a client that does not read."""
        client.settimeout(SEND_SECONDS)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if _goes_on(client):
            AsyncWorker.handle(self, listener, client, addr)
        else:
            client.close()

    def timeout_ctx(self) -> gevent.Timeout:
        """For the head of a request, of which something is there already."""
        return gevent.Timeout(SEND_SECONDS, False)

    def handle_request(self, listener_name: Any, req: Any, sock: socket.socket, addr: Any) -> None:
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            self.log.warning("a client that does not go on was cut off")
            raise StopIteration from None  # the connection is closed, and nothing more said
        if not req.unreader.buf.getbuffer().nbytes and not _goes_on(sock):
            raise StopIteration

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:  # noqa: ARG002
        """As gunicorn's own, which answers in HTML. What the client has sent is not logged."""
        fault = "bad-request" if isinstance(exc, errors.ParseException) else "internal-error"
        code = CODES.get(type(exc), fault)
        if code == "internal-error":
            self.log.error("%s while a request was handled", type(exc).__name__)
        else:
            self.log.warning("refused what is no request: %s", type(exc).__name__)
        try:
            write_nonblock(client, refusal(code))
        except OSError:
            self.log.debug("the client has gone before it was refused")


def _goes_on(connection: socket.socket) -> bool:
    """Waits until a client that owes nothing sends something."""
    try:
        wait_read(connection.fileno(), KEEPALIVE_SECONDS)
    except (TimeoutError, gevent.GreenletExit):
        return False
    return True


def refusal(code: str) -> bytes:
    """A whole answer, after which the connection is closed."""
    status, body = problem_body(code)
    head = (
        f"HTTP/1.1 {status} {http.HTTPStatus(status).phrase}\r\n"
        f"Connection: close\r\nContent-Type: {PROBLEM_JSON}\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n{CORS}\r\n"
    )
    return head.encode("ascii") + body
