"""`elsinore rebuild`: what is kept beside the logs, folded from them anew."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from events.log.redis import RedisStore
from events.projections.redis import RedisProjections
from events.projections.store import PROJECTIONS, Overtaken, Projection
from events.redis.client import connect
from service.cli.composition import data_directory, data_option, existing_log, read_settings
from service.cli.errors import errors_in_sentences
from service.telemetry import logging
from workers.projections.rebuild import Rebuilding, games_of


@click.command()
@click.option("--game", help="This game only, in place.")
@click.option(
    "--only",
    "names",
    type=click.Choice(PROJECTIONS),
    multiple=True,
    help="Of these only.  [default: all]",
)
@data_option
@errors_in_sentences
def rebuild(game: str | None, names: tuple[Projection, ...], data: Path | None) -> None:
    """Fold scoresheets, records and lobby anew, beside the live copy, and put them in its place.

    Games may go on meanwhile. The exit status is 1 where a game could not be folded; `elsinore
    status` lists those.
    """
    logging.set_up(read_settings().log_level)
    names = names or PROJECTIONS
    with existing_log(data_directory(data)) as url:
        client = connect(url)
        store = RedisStore(client)
        rebuilding = Rebuilding(store, RedisProjections(client))
        if game is not None:
            dead, count = int(not rebuilding.one(game, names)), 1
        else:
            count = sum(1 for _ in games_of(store))
            with Progress(console=Console(stderr=True)) as progress:
                task = progress.add_task("rebuilding", total=count)
                try:
                    dead = rebuilding.all(names, lambda _: progress.advance(task))
                except Overtaken as error:
                    raise click.ClickException(f"Another rebuild of {error} has begun.") from None
    click.echo(f"{', '.join(names)}: {count - dead} of {count} games rebuilt")
    sys.exit(1 if dead else 0)
