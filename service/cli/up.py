"""`elsinore up`: servers, API and workers under one parent."""

import http.client
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click

from service.cli.composition import LOG, QUEUE, data_directory, data_option, read_settings
from service.cli.errors import errors_in_sentences
from service.cli.ops.embedded_valkey import EmbeddedServer
from service.cli.ops.processes import GUNICORN, check_fit, queue_server
from service.cli.ops.supervision import Child, Server, Stop, supervise
from service.cli.work import worker_children, workers_option
from service.telemetry import logging

PASSING = {"disk-full", "disk-failing", "memory-full"}
"""What keeps nobody from reading: the service stays up with it, and waits for room."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="0 takes a free one.",
)
@data_option
@workers_option
@errors_in_sentences
def up(host: str, port: int, data: Path | None, workers: int) -> None:
    """Run everything on this machine: embedded servers, API, dispatcher, workers.

    REDIS_URL and QUEUE_REDIS_URL name servers to use instead of the embedded ones.
    """
    data = data_directory(data).resolve()
    data.mkdir(parents=True, exist_ok=True)
    stop = Stop()
    with _servers(data) as (log, queue, embedded):
        port = free_port(host, port)
        environment = os.environ | {
            "REDIS_URL": log,
            "QUEUE_REDIS_URL": queue,
            "ELSINORE_DATA": str(data),
            "ELSINORE_BIND": f"{host}:{port}",
        }
        status = supervise(
            [
                *embedded,
                Child("the API", GUNICORN, environment),
                *worker_children(workers, environment),
            ],
            stop,
            ready=lambda: PASSING.issuperset(amiss(host, port)),
            when_ready=lambda: _say_where(f"http://{host}:{port}", amiss(host, port)),
        )
    sys.exit(status)


@contextmanager
def _servers(data: Path) -> Iterator[tuple[str, str, list[Server]]]:
    """The URLs of log and queue, and the servers that are embedded: those nobody has named."""
    settings = read_settings()
    logging.set_up(settings.log_level)
    log, queue = settings.redis_url, settings.queue_redis_url
    embedded: list[Server] = []
    with ExitStack() as stack:
        if log:
            check_fit(settings, log)
        else:
            server = stack.enter_context(EmbeddedServer(data / LOG, appendfsync="always"))
            log = server.url
            embedded.append(Server("the log's server", server))
        if queue:
            queue_server(queue)
        else:
            server = stack.enter_context(EmbeddedServer(data / QUEUE, appendfsync="everysec"))
            queue = server.url
            embedded.append(Server("the queue's server", server))
        yield log, queue, embedded


def free_port(host: str, port: int) -> int:
    """`port` where nobody listens on it; where it is 0, one that is free."""
    with socket.socket(socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise click.ClickException(f"{host}:{port} cannot be had: {error.strerror}.") from None
        return int(probe.getsockname()[1])


def is_ready(host: str, port: int) -> bool:
    return not amiss(host, port)


def amiss(host: str, port: int) -> list[str]:
    """The names of what keeps the service from being ready."""
    with closing(http.client.HTTPConnection(host, port, timeout=1.0)) as connection:
        try:
            connection.request("GET", "/readyz")
            with connection.getresponse() as response:
                if response.status == http.HTTPStatus.OK:
                    return []
                problems = json.load(response)["problems"]
                return [problem["name"] for problem in problems] or ["closing"]
        except (OSError, http.client.HTTPException, KeyError, ValueError):
            return ["no-answer"]


def _say_where(address: str, amiss: list[str]) -> None:
    if amiss:
        click.echo(f"Elsinore takes no moves yet ({', '.join(amiss)}); it answers at {address}")
    else:
        click.echo(f"Elsinore is ready at {address}")
    click.echo(f"Documentation:       {address}/docs")
