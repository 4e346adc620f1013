"""`elsinore repair`: what a power cut or a full disk has left in the files of the log's server."""

import os
import shutil
from pathlib import Path

import click

from service.cli.composition import LOG, data_directory, data_option, read_settings
from service.cli.errors import NoData, errors_in_sentences
from service.cli.ops.aof import (
    AOF,
    MANIFEST,
    goes_on,
    is_empty,
    manifest_of,
    named,
    readable,
    there,
)
from service.cli.ops.embedded_valkey import locked


@click.command()
@click.option("--cut", is_flag=True, help="Cut off also commands that stand beyond the damage.")
@data_option
@errors_in_sentences
def repair(data: Path | None, *, cut: bool) -> None:
    """Make the log's server start again: a manifest that is gone or half is written anew, and what
    was half written at the end, and so never acknowledged, is cut off.

    What was there is kept beside it. Nothing else is changed.
    """
    if read_settings().redis_url:
        raise click.UsageError("The log is at REDIS_URL: repair that server by its own means.")
    directory = data_directory(data) / LOG
    files = directory / AOF
    if not files.is_dir() or not there(files):
        raise NoData(data_directory(data))
    with locked(directory):
        manifest, end = _manifest(files), 0
        last = files / named(manifest)[-1][0]  # the base, where nothing was written since
        if last.name.endswith(".incr.aof"):
            end = readable(last)
            if end < last.stat().st_size and not cut and goes_on(last, end):
                raise click.ClickException(
                    f"{last} cannot be read at byte {end}, and goes on after that: it is no write "
                    "that was cut short. Restore a backup, or lose all from there on by --cut."
                )
        _mend(files, manifest, last, end)


def _manifest(files: Path) -> str:
    """The manifest there is, or where it does not name all there is, the one there should be."""
    try:
        text = (files / MANIFEST).read_text()
        kept = {name for name, kind in named(text) if kind != "h"}
    except (FileNotFoundError, ValueError):
        text, kept = "", set[str]()
    commands = [name for _, name in there(files) if ".incr." in name and not is_empty(files / name)]
    if not set(commands[-1:]) <= kept or not kept:
        text = manifest_of(files)
        kept = {name for name, _ in named(text)}
    bases = [name for name in kept if ".base." in name]
    lost = [name for name in kept if not (files / name).exists()]
    lost += [name for name in bases if (files / name).exists() and is_empty(files / name)]
    if lost or not bases:
        what = ", ".join(sorted(lost)) or "The base"
        raise click.ClickException(f"{what} is gone, which no power cut does: restore a backup.")
    return text


def _mend(files: Path, manifest: str, last: Path, end: int) -> None:
    path = files / MANIFEST
    torn = last.name.endswith(".incr.aof") and end < last.stat().st_size
    written = not path.exists() or path.read_bytes() != manifest.encode()
    if not torn and not written:
        click.echo("There is nothing to repair.")
        return
    kept = _aside(files)
    if written:
        fresh = path.with_name("temp-repair.manifest")
        fresh.write_text(manifest)
        _sync(fresh)
        fresh.rename(path)
        _sync(files)
        click.echo(f"The manifest was written anew, for {len(manifest.splitlines())} files.")
    if torn:
        cut = last.stat().st_size - end
        os.truncate(last, end)
        _sync(last)
        click.echo(f"{cut} bytes were cut off the end of {last.name}.")
    click.echo(f"What was there is in {kept}.")


def _aside(files: Path) -> Path:
    number = 1
    while (kept := files.with_name(f"{AOF}.before-repair-{number}")).exists():
        number += 1
    shutil.copytree(files, kept)
    return kept


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
