"""`elsinore backup`: a copy of the log and the keys, also while the service runs."""

import shutil
from pathlib import Path

import click

from events.files import sync, sync_all
from events.receipts import PUBLIC_KEYS
from service.cli.composition import LOG, data_directory, data_option, key_file, read_settings
from service.cli.errors import NoData, errors_in_sentences
from service.cli.ops.aof import AOF, MANIFEST, named
from service.cli.terminal.progress import waiting

ATTEMPTS = 10


class Rewritten(Exception):
    """The server put other files in the place of those that were being copied."""


@click.command()
@click.argument("to", type=click.Path(path_type=Path, file_okay=False))
@data_option
@errors_in_sentences
def backup(to: Path, data: Path | None) -> None:
    """Copy log and keys into the new directory TO, which `elsinore up --data TO` can run on.

    All that was acknowledged before is in it. Keep it as safe as the data itself: it holds every
    card of every game, and the key that receipts are signed with.
    """
    if read_settings().redis_url:
        raise click.UsageError("The log is at REDIS_URL: back that server up by its own means.")
    data = data_directory(data)
    source = data / LOG / AOF
    if not (source / MANIFEST).is_file():
        raise NoData(data)
    if to.exists():
        raise click.ClickException(f"{to} is there already.")
    partial = to.with_name(f"{to.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    (partial / LOG).mkdir(mode=0o700, parents=True)
    with waiting("copying"):
        for attempt in range(1, ATTEMPTS + 1):
            try:
                copy_log(source, partial / LOG / AOF)
                break
            except Rewritten:
                if attempt == ATTEMPTS:
                    raise click.ClickException("The server keeps rewriting its files.") from None
        _copy_keys(data, partial)
    sync_all(partial)
    partial.rename(to)
    sync(to.resolve().parent)
    click.echo(f"Copied to {to}")


def copy_log(source: Path, to: Path) -> None:
    """Copies the files that the manifest names, in its order. Raises Rewritten.

    A server only appends to the last of them, and names other files in a new manifest before it
    writes there: what is copied under one manifest is the log up to some moment after the start.
    The last command may be cut short; a server drops it when it loads, nobody having had an answer.
    """
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(mode=0o700)
    manifest = (source / MANIFEST).read_bytes()
    (to / MANIFEST).write_bytes(manifest)
    try:
        for name, kind in named(manifest.decode()):
            if kind != "h":  # no longer wanted: the server deletes it
                shutil.copy2(source / name, to / name)
    except FileNotFoundError:
        raise Rewritten from None
    if (source / MANIFEST).read_bytes() != manifest:
        raise Rewritten


def _copy_keys(data: Path, to: Path) -> None:
    if key_file(data).exists():
        shutil.copy2(key_file(data), key_file(to))
    if (data / PUBLIC_KEYS).is_dir():
        shutil.copytree(data / PUBLIC_KEYS, to / PUBLIC_KEYS)
