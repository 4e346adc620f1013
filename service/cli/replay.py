"""`elsinore replay`: what a log says, and its table drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console

from domain.visibility import Viewer
from events.errors import EventsError, UnknownGame
from events.log.entry import envelope
from events.log.store import EMPTY
from events.queries import view_with_head
from events.transcript import transcript
from service.cli.composition import (
    Runtime,
    data_directory,
    data_option,
    in_memory,
    reading,
)
from service.cli.errors import WHERE, NoData, errors_in_sentences, sentence
from service.cli.log_files import entries_in
from service.cli.terminal.progress import waiting
from service.cli.terminal.tables import plain, table_at


@click.command()
@click.argument("log")
@click.option("--at", type=click.IntRange(1), help="The version to draw.  [default: the last]")
@click.option("--table-only", is_flag=True, help="Draw the table, without the transcript.")
@data_option
@errors_in_sentences
def replay(log: str, at: int | None, table_only: bool, data: Path | None) -> None:  # noqa: FBT001
    """Read a game from LOG, a downloaded file or the id of a game, and draw its table.

    A file is shown with every hand it holds, also where it was cut short. Of a game that is still
    played only what is public is shown.
    """
    path = Path(log)
    if path.is_file():
        runtime, game = _from_file(path)
        _replay(runtime, game, at, every_hand=True, told=not table_only)
        return
    with _from_store(log, data_directory(data)) as runtime:
        with waiting("reading"):
            over = runtime.reader.current(log).game.status == "finished"
        _replay(runtime, log, at, every_hand=over, told=over and not table_only)


def _replay(runtime: Runtime, game: str, at: int | None, *, every_hand: bool, told: bool) -> None:
    public = runtime.reader.view(game, None, at)
    if told:
        for line in transcript(runtime.store.read(game, last=at)):
            click.echo(plain(line))
        click.echo()
    loaded = runtime.reader.loader.at(game, public["version"])
    seats = range(len(loaded.game.seats)) if every_hand else ()
    views = [view_with_head(loaded, Viewer(seat)) for seat in seats]
    Console().print(table_at(public, views))


def _from_file(path: Path) -> tuple[Runtime, str]:
    entries = entries_in(path)
    runtime, game = in_memory(), envelope(entries[0]).game
    runtime.store.append(game, EMPTY, entries, (), 0)
    try:
        runtime.reader.current(game)
    except EventsError as error:
        raise click.ClickException(f"{path} cannot be replayed. {sentence(error)}") from None
    return runtime, game


@contextmanager
def _from_store(game: str, data: Path) -> Iterator[Runtime]:
    try:
        with reading(data) as runtime:
            yield runtime
    except NoData as error:
        said = f"There is no file {game}, and no data in {error.data}: {WHERE}."
        raise click.ClickException(plain(said)) from None
    except UnknownGame:
        raise click.ClickException(plain(f"There is no file and no game {game}.")) from None
