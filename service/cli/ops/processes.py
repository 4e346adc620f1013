"""The single processes: the API, the dispatcher, a worker.

`up` and `work` run the last two as `python -m service.cli.ops.processes`: neither needs Flask.
"""

import sys

import click

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from events.redis.client import CLUSTER, connect
from events.redis.health import lasting, log_problems
from service.cli.composition import card_sets, key_file, read_settings
from service.cli.errors import logged
from service.cli.ops.supervision import Stop
from service.cli.plugins import load_plugins_logged
from service.settings import Settings
from service.telemetry import logging
from workers import composition
from workers.dispatcher import run

GUNICORN = (
    sys.executable,
    "-m",
    "gunicorn",
    "-c",
    "python:service.server.config",
    "service.server.wsgi:app()",
)
SINGLE = (sys.executable, "-m", "service.cli.ops.processes")


def on_servers() -> tuple[Settings, str, str]:
    """Settings, the log's URL and the queue's, for a process that brings no server of its own."""
    settings = read_settings()
    if not settings.redis_url:
        raise click.UsageError("REDIS_URL is not set; `elsinore up` brings a server of its own.")
    logging.set_up(settings.log_level)
    registry.replace(hamlet_play(card_sets()))
    return settings, settings.redis_url, settings.queue_redis_url or settings.redis_url


def queue_server(url: str) -> str:
    """The same URL, unless it names a cluster, on which no queue runs."""
    if url.partition("://")[0].endswith(CLUSTER):
        raise click.UsageError("The queue runs on no cluster: set QUEUE_REDIS_URL to one server.")
    return url


def check_fit(settings: Settings, url: str) -> None:
    """Says what is wrong with the log's server before anything starts on it, if it answers."""
    found = lasting(log_problems(connect(url), volatile_allowed=settings.volatile_allowed))
    if found:
        raise click.ClickException(" ".join(problem.detail for problem in found))


@click.group()
def single() -> None:
    """One process of the workers, without a parent."""


@single.command()
@logged
def dispatcher() -> None:
    """From the outboxes at REDIS_URL to the queue at QUEUE_REDIS_URL, and the sweep."""
    _, log, queue = on_servers()
    stop = Stop()
    run(*composition.dispatcher(log, queue_server(queue)), stop, composition.now)


@single.command("worker")
@logged
def one_worker() -> None:
    """Work on the queue at QUEUE_REDIS_URL."""
    settings, log, queue = on_servers()
    load_plugins_logged()
    worker = composition.worker(log, queue_server(queue), key_file(settings.data))
    worker.work(logging_level="WARNING")


if __name__ == "__main__":
    single()
