"""gunicorn's configuration: gevent workers, and streams that end when a worker is to go."""

import os
import resource
import signal
from contextlib import suppress
from types import FrameType
from typing import Any

import gevent

OPEN_FILES = 65_536

bind = os.environ.get("ELSINORE_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("ELSINORE_API_PROCESSES", "1"))
worker_class = "gevent"
worker_connections = 10_000
graceful_timeout = 2  # idle or half-sent requests are waited for; all is down within 5 s
timeout = 60
keepalive = 30
accesslog = None
control_socket_disable = True


def post_worker_init(worker: Any) -> None:
    """SIGTERM closes the streams first; then gunicorn waits for what is still being answered."""
    _raise_open_files()
    services = worker.wsgi.extensions["elsinore"]
    before = signal.getsignal(signal.SIGTERM)

    def terminate(number: int, frame: FrameType | None) -> None:
        gevent.spawn(services.wakeups.close)
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGTERM, terminate)


def _raise_open_files() -> None:
    """A stream is an open file. macOS has no hard limit, and refuses an endless soft one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
