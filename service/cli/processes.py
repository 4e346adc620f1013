"""The single processes: the API, the dispatcher, a worker.

`up` and `work` run the last two as `python -m service.cli.processes`: neither needs Flask.
"""

import os
import sys

import click

from events.connecting import CLUSTER, connect
from events.health import log_problems
from service import logs
from service.cli.cardsets import load_card_sets
from service.cli.refusals import honest, logged
from service.cli.supervision import Stop
from service.cli.wiring import key_file, read_settings
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
    load_card_sets()
    return settings, settings.redis_url, settings.queue_redis_url or settings.redis_url


def queue_server(url: str) -> str:
    """The same URL, unless it names a cluster, on which no queue runs."""
    if url.partition("://")[0].endswith(CLUSTER):
        raise click.UsageError("The queue runs on no cluster: set QUEUE_REDIS_URL to one server.")
    return url


def check_fit(settings: Settings, url: str) -> None:
    """Says what is wrong with the log's server before anything starts on it, if it answers."""
    found = log_problems(connect(url), volatile_allowed=settings.volatile_allowed)
    fatal = [problem for problem in found if problem.fatal and problem.name != "unreachable"]
    if fatal:
        raise click.ClickException(" ".join(problem.detail for problem in fatal))


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@honest
def serve(host: str, port: int) -> None:
    """Serve the HTTP API on the log at REDIS_URL; without workers, no bot plays."""
    settings, log, _ = on_servers()
    check_fit(settings, log)
    settings.data.mkdir(parents=True, exist_ok=True)
    os.environ["ELSINORE_BIND"] = f"{host}:{port}"
    os.execv(GUNICORN[0], GUNICORN)  # noqa: S606


@click.group()
def single() -> None:
    """One process of the workers, without a parent."""


@single.command()
@logged
def dispatcher() -> None:
    """From the outboxes at REDIS_URL to the queue at QUEUE_REDIS_URL, and the sweep."""
    _, log, queue = on_servers()
    stop = Stop()
    run(*wiring.dispatcher(log, queue_server(queue)), stop, wiring.now)


@single.command("worker")
@logged
def one_worker() -> None:
    """Work on the queue at QUEUE_REDIS_URL."""
    settings, log, queue = on_servers()
    worker = wiring.worker(log, queue_server(queue), key_file(settings.data))
    worker.work(logging_level="WARNING")


if __name__ == "__main__":
    single()
