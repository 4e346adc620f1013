"""`elsinore replay`, `verify`, `export`: what a log says, whether it is true, the log itself."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from events.audit import audit, import_log, lines_of
from events.entry import envelope
from events.errors import EventsError
from events.store import EMPTY
from events.transcript import transcript
from service.cli.drawing import table_at, verdicts
from service.cli.wiring import (
    Runtime,
    configured,
    data_directory,
    data_option,
    honest,
    in_memory,
)

log_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.command()
@click.argument("log")
@click.option("--at", type=click.IntRange(1), help="The version to draw.  [default: the last]")
@click.option("--table-only", is_flag=True, help="Draw the table, without the transcript.")
@data_option
@honest
def replay(log: str, at: int | None, table_only: bool, data: Path | None) -> None:  # noqa: FBT001
    """Read a game from LOG, a downloaded file or the id of a game, and draw its table."""
    with _opened(log, data) as (runtime, game):
        loaded = runtime.reader.current(game)
        over = loaded.game.status == "finished"
        if over and not table_only:
            for text in transcript(runtime.store.read(game, last=at)):
                click.echo(text)
        seats = range(len(loaded.game.seats)) if over else ()
        views = [runtime.reader.view(game, None, at, seat) for seat in seats]
        public = runtime.reader.view(game, None, at)
    Console().print(table_at(public, views))


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
def verify(file: Path, receipts: Path | None, keys: Path | None) -> None:
    """Judge the log in FILE offline. The exit status is 0 where every verdict is ok."""
    given = [_json(line, receipts) for line in _lines(receipts)]
    report = audit(lines_of(file.read_bytes()), receipts=given, keys=_keys(keys))
    Console().print(verdicts(report))
    for verdict in report.verdicts:
        if verdict.version is not None:
            click.echo(f"{verdict.name} breaks at entry {verdict.version}: {verdict.detail}")
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
    with configured(data_directory(data)) as runtime:
        log = b"".join(line + b"\n" for line in runtime.reader.log(game))
    if output is None:
        click.echo(log, nl=False)
    else:
        output.write_bytes(log)


@contextmanager
def _opened(log: str, data: Path | None) -> Iterator[tuple[Runtime, str]]:
    path = Path(log)
    if not path.is_file():
        with configured(data_directory(data)) as runtime:
            yield runtime, log
        return
    try:
        entries = import_log(lines_of(path.read_bytes()))
    except (ValueError, EventsError) as error:
        raise click.ClickException(f"{log} is not a log: {error}") from None
    runtime, game = in_memory(), envelope(entries[0]).game
    runtime.store.append(game, EMPTY, entries, (), 0)
    yield runtime, game


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
