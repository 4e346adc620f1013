"""Downloaded logs, as several commands read them."""

from pathlib import Path

import click

from events.audit.audit import import_log, lines_of
from events.audit.transport import damage
from events.log.entry import Entry
from service.cli.terminal.progress import followed
from service.cli.terminal.tables import plain


def lines_in(file: Path) -> list[bytes]:
    """The lines of a downloaded log. Raises ClickException where the file has suffered."""
    log = file.read_bytes()
    if (suffered := damage(log)) is not None:
        raise click.ClickException(plain(f"{file} is not as it was exported. {suffered}"))
    return lines_of(log)


def entries_in(file: Path) -> list[Entry]:
    """The entries of a downloaded log, at least one. Raises ClickException."""
    try:
        with followed(lines_in(file), "reading", "reading") as lines:
            return import_log(lines)
    except ValueError as error:
        raise click.ClickException(plain(f"{file} is not a log: {error}")) from None
