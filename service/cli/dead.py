"""`elsinore dead`: what was given up; trying it again, or forgetting it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import redis
from rich.console import Console
from rich.table import Table

from events.log.dead_letters import DeadLetter, DeadLetters
from events.log.outbox import Outbox
from events.projections.redis import RedisProjections
from events.projections.store import FailedProjection
from events.redis.client import connect
from service.cli.composition import data_directory, data_option, existing_log
from service.cli.errors import errors_in_sentences
from service.cli.terminal.tables import cells
from workers.composition import consumer

names_argument = click.argument("names", nargs=-1)
all_option = click.option("--all", "everything", is_flag=True, help="All of them.")


@click.group()
def dead() -> None:
    """Letters and projections that were given up: look at them, try again, or forget them."""


@dead.command("list")
@data_option
@errors_in_sentences
def list_dead(data: Path | None) -> None:
    """List dead letters and dead projections, each with the name that retry and drop take."""
    with _dead_letters(data) as (client, letters):
        table = _table("name", "letter", "delivered", "reason", title="dead letters")
        for letter in letters:
            fields = " ".join(f"{key}={value}" for key, value in letter.fields.items())
            table.add_row(*cells(letter.name, fields, letter.deliveries, letter.reason))
        projections = RedisProjections(client).dead()
    Console().print(table)
    Console().print(failed_projections(projections))


@dead.command()
@names_argument
@all_option
@data_option
@errors_in_sentences
def retry(names: tuple[str, ...], everything: bool, data: Path | None) -> None:  # noqa: FBT001
    """Send dead letters again, and have dead projections tried again."""
    with _dead_letters(data) as (client, letters):
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
@errors_in_sentences
def drop(names: tuple[str, ...], everything: bool, data: Path | None) -> None:  # noqa: FBT001
    """Forget dead letters and dead projections. What is due is still found by the sweep."""
    with _dead_letters(data) as (client, letters):
        chosen, projections = _chosen(client, letters, names, everything=everything)
        for letter in chosen:
            DeadLetters(client).drop(letter)
        for one in projections:
            RedisProjections(client).clear_failed(one.projection, one.game)
    click.echo(f"{len(chosen)} letters and {len(projections)} projections are forgotten")


@contextmanager
def _dead_letters(data: Path | None) -> Iterator[tuple[redis.Redis, list[DeadLetter]]]:
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


def failed_projections(dead: list[FailedProjection]) -> Table:
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
