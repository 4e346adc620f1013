"""Downloaded logs, as several commands read them."""

from pathlib import Path

import click

from events.audit.audit import import_log, lines_of
from events.log.entry import Entry
from service.cli.terminal.progress import followed
from service.cli.terminal.tables import plain


def entries_in(file: Path) -> list[Entry]:
    """The entries of a downloaded log, at least one."""
    try:
        with followed(lines_of(file.read_bytes()), "reading", "reading") as lines:
            return import_log(lines)
    except ValueError as error:
        raise click.ClickException(plain(f"{file} is not a log: {error}")) from None
