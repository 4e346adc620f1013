"""`elsinore import`: a downloaded log, put back where games are kept."""

import sys
from datetime import datetime
from pathlib import Path

import click

from events.audit.audit import audit
from events.errors import LogMissing, VersionConflict
from events.log.entry import Entry, envelope
from events.log.redis import RedisStore
from events.log.store import EMPTY
from events.projections.redis import RedisProjections
from events.redis.client import connect
from service.cli.composition import data_directory, data_option, log_server, read_settings
from service.cli.errors import errors_in_sentences
from service.cli.log_files import entries_in, lines_in
from service.cli.terminal.progress import followed
from service.cli.terminal.tables import plain
from service.telemetry import logging
from workers.projections.projector import Projecting

files_argument = click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


@click.command("import")
@files_argument
@data_option
@errors_in_sentences
def import_(files: tuple[Path, ...], data: Path | None) -> None:
    """Put the logs of finished games in FILES into the store, each after an audit.

    A log whose audit is not ok is refused, and so is one of a game that is there with another log.
    The exit status is 1 where one was refused.
    """
    logging.set_up(read_settings().log_level)
    refused = 0
    with log_server(data_directory(data)) as url:
        client = connect(url)
        store, projections = RedisStore(client), RedisProjections(client)
        for file in files:
            try:
                entries = audited(file)
                game = envelope(entries[0]).game
                said = "imported" if put(store, entries) else "was there already"
                Projecting(store, projections).project(game, len(entries))
                click.echo(f"{game} {said}")
            except click.ClickException as error:
                error.show()
                refused += 1
    sys.exit(1 if refused else 0)


def audited(file: Path) -> list[Entry]:
    """The entries of a log whose audit is ok. Raises ClickException."""
    with followed(lines_in(file), "reading", "judging") as lines:
        report = audit(lines)
    if not report.ok:
        first = next(v for v in report.verdicts if v.status not in {"ok", "not-given"})
        said = f"{first.name} {first.status}: {first.detail}"
        raise click.ClickException(plain(f"{file} is not imported. audit: {said}"))
    return entries_in(file)


def put(store: RedisStore, entries: list[Entry]) -> bool:
    """Whether the game is new, now. Raises ClickException where it is there with another log."""
    head = envelope(entries[0])
    opened = int(datetime.fromisoformat(head.at).timestamp() * 1000)
    try:
        store.append(head.game, EMPTY, entries, ("score",), opened)
    except (VersionConflict, LogMissing):
        if store.read(head.game) == entries:
            return False
        raise click.ClickException(
            f"{head.game} is not imported: the game is there with another log."
        ) from None
    return True
