"""`elsinore work`: the workers alone."""

import os
import sys

import click

from service.cli.errors import errors_in_sentences
from service.cli.ops.processes import SINGLE, on_servers, queue_server
from service.cli.ops.supervision import Child, Stop, supervise

workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    default=lambda: min(2, os.cpu_count() or 1),
    show_default="2, or 1 on one core",
    help="Worker processes.",
)


@click.command()
@workers_option
@errors_in_sentences
def work(workers: int) -> None:
    """Run dispatcher and workers on the servers at REDIS_URL and QUEUE_REDIS_URL."""
    _, _, queue = on_servers()
    queue_server(queue)
    sys.exit(supervise(worker_children(workers, os.environ.copy()), Stop()))


def worker_children(workers: int, environment: dict[str, str]) -> list[Child]:
    """The dispatcher and as many workers, to be supervised."""
    names = [f"worker {number}" for number in range(1, workers + 1)]
    return [
        Child("the dispatcher", (*SINGLE, "dispatcher"), environment, given_up=False),
        *(Child(name, (*SINGLE, "worker"), environment, given_up=False) for name in names),
    ]
