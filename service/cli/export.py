"""`elsinore export`: the whole log of a finished game."""

from pathlib import Path

import click

from events.files import put_file
from service.cli.composition import (
    data_directory,
    data_option,
    reading,
)
from service.cli.errors import errors_in_sentences
from service.cli.terminal.progress import waiting


@click.command()
@click.argument("game")
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Instead of stdout."
)
@data_option
@errors_in_sentences
def export(game: str, output: Path | None, data: Path | None) -> None:
    """Write the whole log of a finished GAME, one line per entry."""
    with reading(data_directory(data)) as runtime, waiting("reading"):
        log = b"".join(line + b"\n" for line in runtime.reader.log(game))
    if output is None:
        click.echo(log, nl=False)
    else:
        put_file(output, log)
