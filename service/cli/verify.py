"""`elsinore verify`: whether a log is true, judged offline."""

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
from events import cardsets
from events.audit.audit import audit
from service.cli.composition import (
    card_sets,
)
from service.cli.errors import errors_in_sentences
from service.cli.log_files import lines_in
from service.cli.terminal.progress import followed
from service.cli.terminal.tables import plain, verdicts


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
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
@errors_in_sentences
def verify(file: Path, receipts: Path | None, keys: Path | None, cardset: Path | None) -> None:
    """Judge the log in FILE offline. The exit status is 0 where every verdict is ok."""
    given = [_json(line, receipts) for line in _lines(receipts)]
    with (
        _judged_with(cardset),
        followed(lines_in(file), "reading", "judging") as lines,
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
