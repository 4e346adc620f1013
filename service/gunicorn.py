"""gunicorn's configuration: gevent workers, and streams that end when a worker is to go."""

import os
import resource
import signal
from types import FrameType
from typing import Any

import gevent

bind = os.environ.get("ELSINORE_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("ELSINORE_API_PROCESSES", "1"))
worker_class = "gevent"
worker_connections = 10_000
graceful_timeout = 4  # idle keep-alive connections are waited for; all is down within 5 s
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
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
