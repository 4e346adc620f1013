"""gunicorn's configuration: gevent workers, and streams that end when a worker is to go."""

import math
import os
import resource
import shutil
import signal
import socket
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import gevent

from service.server.scratch import counts_directory, remove_left
from service.settings import Settings

OPEN_FILES = 65_536

_settings = Settings.read(os.environ)

bind = _settings.bind
workers = _settings.api_processes
worker_class = "service.server.worker.Worker"
worker_connections = 10_000
graceful_timeout = 2  # idle or half-sent requests are waited for; all is down within 5 s
timeout = 60
keepalive = math.ceil(_settings.keepalive)
accesslog = None
control_socket_disable = True
loglevel = _settings.log_level
logger_class = "service.server.worker.Logger"

# Several processes count together, in files; prometheus_client looks for them when it is imported.
_COUNTS = "PROMETHEUS_MULTIPROC_DIR"
if workers > 1:
    _place = counts_directory(_settings.data) / f"{socket.gethostname()}-{os.getpid()}"
    os.environ[_COUNTS] = str(_place)


def on_starting(_server: Any) -> None:
    """What a process with the same number once counted is not counted again."""
    if workers > 1:
        shutil.rmtree(os.environ[_COUNTS], ignore_errors=True)
        remove_left(Path(os.environ[_COUNTS]))
        Path(os.environ[_COUNTS]).mkdir(parents=True)


def child_exit(_server: Any, worker: Any) -> None:
    """What an ended process counted stays counted; what it had open is not open any more."""
    if workers > 1:
        for gone in Path(os.environ[_COUNTS]).glob(f"gauge_live*_{worker.pid}.db"):
            gone.unlink(missing_ok=True)


def on_exit(_server: Any) -> None:
    if workers > 1:
        shutil.rmtree(os.environ[_COUNTS], ignore_errors=True)
        with suppress(OSError):  # another that serves the same data counts there still
            Path(os.environ[_COUNTS]).parent.rmdir()


def post_worker_init(worker: Any) -> None:
    """SIGTERM closes the streams first; then gunicorn waits for what is still being answered."""
    _raise_open_files()
    services = worker.wsgi.extensions["elsinore"]
    before = signal.getsignal(signal.SIGTERM)

    def terminate(number: int, frame: FrameType | None) -> None:
        gevent.spawn(services.notifier.close)
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
