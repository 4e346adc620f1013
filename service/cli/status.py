"""`elsinore status`: what waits and for how long, and what stands still."""

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from events.errors import Busy
from events.log.redis import RedisStore
from events.log.store import Waiting
from events.projections.lag import lag
from events.projections.redis import RedisProjections
from events.redis.client import connect
from service.cli.composition import QUEUE, data_directory, data_option, existing_log, read_settings
from service.cli.dead import failed_projections
from service.cli.errors import errors_in_sentences
from service.cli.ops.embedded_valkey import EmbeddedServer
from service.cli.terminal.tables import cells
from workers.composition import now
from workers.queue.work_queue import WorkQueue

WORK: dict[Waiting, str] = {
    "bot": "bots' turns",
    "score": "projections",
    "other": "work unknown to this release",
}


@click.command()
@data_option
@errors_in_sentences
def status(data: Path | None) -> None:
    """Show what waits and for how long, what stands still, and how long the queue is."""
    folder = data_directory(data)
    with existing_log(folder) as url:
        client = connect(url)
        projections = RedisProjections(client)
        found = lag(RedisStore(client), projections, now())
        dead = projections.dead()
    table = Table("what", "how many", "the oldest", title="waiting")
    for work, name in WORK.items():
        if work == "other" and not found.waiting[work]:
            continue
        seconds = f"{found.oldest[work] / 1000:.1f} s" if found.waiting[work] else "-"
        table.add_row(name, str(found.waiting[work]), seconds)
    length = queue_length(folder)
    table.add_row("jobs in the queue", "no queue" if length is None else str(length), "-")
    table.add_row("dead letters", str(found.health.dead_letters), "-")
    table.add_row("dead projections", str(found.health.dead_projections), "-")
    table.add_row("scoresheets that disagree", str(found.health.scores_disagree), "-")
    for name, count in found.health.counts.items():
        table.add_row(*cells(name.replace("-", " "), count, "-"))
    Console().print(table)
    if dead:
        Console().print(failed_projections(dead))


def queue_length(folder: Path) -> int | None:
    """Jobs in the queue; None where nobody serves one."""
    settings = read_settings()
    url = settings.queue_redis_url or settings.redis_url
    if not url:
        url = EmbeddedServer.running_on(folder / QUEUE) or ""
    if not url:
        return None
    try:
        return WorkQueue(connect(url)).length
    except Busy:
        return None
