"""The single processes: the API, the dispatcher, a worker.

`up` and `work` run the last two as `python -m service.cli.processes`: neither needs Flask.
"""

import os
import sys

import click

from service import logs
from service.cli.supervision import Stop
from service.cli.wiring import honest, key_file, read_settings
from service.settings import Settings
from workers import wiring
from workers.dispatcher import run

GUNICORN = (sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn", "service.wsgi:app()")
SINGLE = (sys.executable, "-m", "service.cli.processes")


def on_servers() -> tuple[Settings, str, str]:
    """Settings, the log's URL and the queue's, for a process that brings no server of its own."""
    settings = read_settings()
    if not settings.redis_url:
        raise click.UsageError("REDIS_URL is not set; `elsinore up` brings a server of its own.")
    logs.set_up(settings.log_level)
    return settings, settings.redis_url, settings.queue_redis_url or settings.redis_url


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True)
def serve(host: str, port: int) -> None:
    """Serve the HTTP API on the log at REDIS_URL; without workers, no bot plays."""
    on_servers()
    os.environ["ELSINORE_BIND"] = f"{host}:{port}"
    os.execv(GUNICORN[0], GUNICORN)  # noqa: S606


@click.group()
def single() -> None:
    """One process of the workers, without a parent."""


@single.command()
@honest
def dispatcher() -> None:
    """From the outboxes at REDIS_URL to the queue at QUEUE_REDIS_URL, and the sweep."""
    _, log, queue = on_servers()
    stop = Stop()
    run(*wiring.dispatcher(log, queue), stop, wiring.now)


@single.command()
@honest
def worker() -> None:
    """Work on the queue at QUEUE_REDIS_URL."""
    settings, log, queue = on_servers()
    wiring.worker(log, queue, key_file(settings.data)).work(logging_level="WARNING")


if __name__ == "__main__":
    single()
