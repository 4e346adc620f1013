"""`elsinore replay`, `verify`, `export`: what a log says, whether it is true, the log itself."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.errors import CardSetError
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.visibility import Viewer
from events import cardsets
from events.audit.audit import audit, import_log, lines_of
from events.errors import EventsError, UnknownGame
from events.log.entry import Entry, envelope
from events.log.store import EMPTY
from events.queries import shown
from events.transcript import transcript
from service.cli.composition import (
    Runtime,
    card_sets,
    data_directory,
    data_option,
    in_memory,
    reading,
)
from service.cli.errors import WHERE, NoData, honest, sentence
from service.cli.terminal.progress import followed, waiting
from service.cli.terminal.tables import plain, table_at, verdicts

log_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.command()
@click.argument("log")
@click.option("--at", type=click.IntRange(1), help="The version to draw.  [default: the last]")
@click.option("--table-only", is_flag=True, help="Draw the table, without the transcript.")
@data_option
@honest
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


@click.command()
@log_file
@click.option(
    "--receipts",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Receipts to check too: one JSON object a line.",
)
@click.option(
    "--keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The public keys, as /v1/keys answers them.",
)
@click.option(
    "--cardset",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The card set that a game of Hamlet! was played with, if it is not one of the house.",
)
@honest
def verify(file: Path, receipts: Path | None, keys: Path | None, cardset: Path | None) -> None:
    """Judge the log in FILE offline. The exit status is 0 where every verdict is ok."""
    given = [_json(line, receipts) for line in _lines(receipts)]
    with (
        _judged_with(cardset),
        followed(lines_of(file.read_bytes()), "reading", "judging") as lines,
    ):
        report = audit(lines, receipts=given, keys=_keys(keys))
    Console().print(verdicts(report))
    for verdict in report.verdicts:
        if verdict.version is not None:
            broken = f"{verdict.name} breaks at entry {verdict.version}: {verdict.detail}"
            click.echo(plain(broken))
            break
    click.echo(f"audit: {report.status}")
    sys.exit(0 if report.ok else 1)


@click.command()
@click.argument("game")
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Instead of stdout."
)
@data_option
@honest
def export(game: str, output: Path | None, data: Path | None) -> None:
    """Write the whole log of a finished GAME, one line per entry."""
    with reading(data_directory(data)) as runtime, waiting("reading"):
        log = b"".join(line + b"\n" for line in runtime.reader.log(game))
    if output is None:
        click.echo(log, nl=False)
    else:
        output.write_bytes(log)


def entries_in(file: Path) -> list[Entry]:
    """The entries of a downloaded log, at least one."""
    try:
        with followed(lines_of(file.read_bytes()), "reading", "reading") as lines:
            return import_log(lines)
    except ValueError as error:
        raise click.ClickException(plain(f"{file} is not a log: {error}")) from None


def _replay(runtime: Runtime, game: str, at: int | None, *, every_hand: bool, told: bool) -> None:
    public = runtime.reader.view(game, None, at)
    if told:
        for line in transcript(runtime.store.read(game, last=at)):
            click.echo(plain(line))
        click.echo()
    loaded = runtime.reader.loader.at(game, public["version"])
    seats = range(len(loaded.game.seats)) if every_hand else ()
    views = [shown(loaded, Viewer(seat)) for seat in seats]
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


@contextmanager
def _judged_with(directory: Path | None) -> Iterator[None]:
    """By the card sets in `directory`, too, beside those that games are opened with here."""
    if directory is None:
        yield
        return
    try:
        given = tuple(cardsets.all_in(directory))
    except CardSetError as error:
        raise click.ClickException(f"{directory}: {error}") from None
    if not given:
        raise click.ClickException(f"{directory}: there is no card set in it")
    with registry.using(hamlet_play(CardSets((*card_sets().sets, *given)))):
        yield


def _keys(path: Path | None) -> dict[str, str]:
    """Public keys by id, from `{"keys": [{"id", "public_key"}]}` or from `{id: key}`."""
    if path is None:
        return {}
    given = _json(path.read_bytes(), path)
    try:
        if "keys" in given:
            return {key["id"]: key["public_key"] for key in given["keys"]}
        return msgspec.convert(given, dict[str, str])
    except (KeyError, TypeError, msgspec.ValidationError):
        raise click.ClickException(f"{path} holds no keys.") from None


def _lines(path: Path | None) -> list[bytes]:
    return [] if path is None else [line for line in path.read_bytes().splitlines() if line]


def _json(text: bytes, path: Path | None) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise click.ClickException(f"{path} is not JSON: {error}") from None
