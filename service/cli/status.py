"""`elsinore status` and `elsinore dead`: what waits, what stands still, and sending it again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import redis
from rich.console import Console
from rich.table import Table

from events.errors import Busy
from events.log.dead_letters import DeadLetter, DeadLetters
from events.log.outbox import Outbox
from events.log.redis import RedisStore
from events.log.store import Waiting
from events.projections.lag import lag
from events.projections.redis import RedisProjections
from events.projections.store import FailedProjection
from events.redis.client import connect
from service.cli.composition import QUEUE, data_directory, data_option, existing_log, read_settings
from service.cli.errors import honest
from service.cli.ops.embedded_valkey import EmbeddedServer
from service.cli.terminal.tables import cells
from workers.composition import consumer, now
from workers.queue.work_queue import WorkQueue

WORK: dict[Waiting, str] = {
    "bot": "bots' turns",
    "score": "projections",
    "other": "work unknown to this release",
}

names_argument = click.argument("names", nargs=-1)
all_option = click.option("--all", "everything", is_flag=True, help="All of them.")


@click.command()
@data_option
@honest
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
        Console().print(_projections(dead))


@click.group()
def dead() -> None:
    """Letters and projections that were given up: look at them, try again, or forget them."""


@dead.command("list")
@data_option
@honest
def list_dead(data: Path | None) -> None:
    """List dead letters and dead projections, each with the name that retry and drop take."""
    with _graves(data) as (client, letters):
        table = _table("name", "letter", "delivered", "reason", title="dead letters")
        for letter in letters:
            fields = " ".join(f"{key}={value}" for key, value in letter.fields.items())
            table.add_row(*cells(letter.name, fields, letter.deliveries, letter.reason))
        projections = RedisProjections(client).dead()
    Console().print(table)
    Console().print(_projections(projections))


@dead.command()
@names_argument
@all_option
@data_option
@honest
def retry(names: tuple[str, ...], everything: bool, data: Path | None) -> None:  # noqa: FBT001
    """Send dead letters again, and have dead projections tried again."""
    with _graves(data) as (client, letters):
        chosen, projections = _chosen(client, letters, names, everything=everything)
        for letter in chosen:
            DeadLetters(client).retry(letter)
        outbox = Outbox(client, consumer())
        for game in dict.fromkeys(one.game for one in projections):
            outbox.ask(
                game, max(one.version for one in projections if one.game == game), ("score",)
            )
    click.echo(f"{len(chosen)} letters and {len(projections)} projections are tried again")


@dead.command()
@names_argument
@all_option
@data_option
@honest
def drop(names: tuple[str, ...], everything: bool, data: Path | None) -> None:  # noqa: FBT001
    """Forget dead letters and dead projections. What is due is still found by the sweep."""
    with _graves(data) as (client, letters):
        chosen, projections = _chosen(client, letters, names, everything=everything)
        for letter in chosen:
            DeadLetters(client).drop(letter)
        for one in projections:
            RedisProjections(client).clear_failed(one.projection, one.game)
    click.echo(f"{len(chosen)} letters and {len(projections)} projections are forgotten")


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


@contextmanager
def _graves(data: Path | None) -> Iterator[tuple[redis.Redis, list[DeadLetter]]]:
    with existing_log(data_directory(data)) as url:
        client = connect(url)
        yield client, DeadLetters(client).all()


def _chosen(
    client: redis.Redis, letters: list[DeadLetter], names: tuple[str, ...], *, everything: bool
) -> tuple[list[DeadLetter], list[FailedProjection]]:
    """By name: a letter's as listed, a projection's as `game/projection`."""
    by_letter = {letter.name: letter for letter in letters}
    by_projection = {_name(one): one for one in RedisProjections(client).dead()}
    if everything:
        return letters, list(by_projection.values())
    if not names:
        raise click.UsageError("Which? Name them, or say --all.")
    if unknown := [name for name in names if name not in by_letter | by_projection]:
        raise click.ClickException(f"Nothing dead is called {', '.join(unknown)}.")
    return (
        [by_letter[name] for name in names if name in by_letter],
        [by_projection[name] for name in names if name in by_projection],
    )


def _projections(dead: list[FailedProjection]) -> Table:
    table = _table("name", "stopped at entry", "reason", title="dead projections")
    for one in dead:
        table.add_row(*cells(_name(one), one.version, one.reason))
    return table


def _table(name: str, *others: str, title: str) -> Table:
    """However narrow it is, nothing is cut off, and a name stays whole: it is to be copied."""
    table = Table(title=title)
    table.add_column(name, no_wrap=True, overflow="fold")
    for other in others:
        table.add_column(other, overflow="fold")
    return table


def _name(one: FailedProjection) -> str:
    return f"{one.game}/{one.projection}"
