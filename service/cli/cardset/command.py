"""`elsinore cardset`: card sets of Hamlet! on their own, before anybody plays with them."""

import sys
from pathlib import Path

import click
from rich.console import Console

from domain.rulesets.hamlet_play.analysis.soundness import unsound
from domain.rulesets.hamlet_play.cardset.errors import CardSetError
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS
from events.cardsets import read_card_set
from events.files import put_file
from service.cli.cardset import measure, prove

directory_argument = click.argument(
    "directory", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


@click.group()
def cardset() -> None:
    """Look at a card set of Hamlet!"""


seats_option = click.option(
    "--seats",
    "seat_counts",
    type=click.Choice([str(seats) for seats in SEAT_COUNTS]),
    multiple=True,
    help="Only with so many seats; may be repeated.",
)


@cardset.command()
@directory_argument
@seats_option
@click.option("--scenes", type=click.IntRange(0), default=100_000, show_default=True)
@click.option(
    "--lines",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the line found to each ending here, as JSON.",
)
def check(directory: Path, seat_counts: tuple[str, ...], scenes: int, file: Path | None) -> None:
    """Say all that is wrong with the card set in DIRECTORY, and prove that it can be played.

    Nothing on it may be useless or contradict itself; every ending and every action must be
    reached by some line of play; SCENES played at random must not stop the engine.
    """
    cards = _read(directory)
    click.echo(f"{cards.id}: {len(cards.personae)} personae, {len(cards.actions)} actions")
    click.echo(f"digest {cards.digest}")
    found = list(prove.proofs(directory, cards, _counts(seat_counts), scenes))
    if file is not None:
        put_file(file, prove.lines_json(cards, found))
    click.echo(prove.summary(found))
    flaws = (*unsound(cards), *(one.flaw for one in found if one.flaw))
    for flaw in flaws:
        click.echo(flaw, err=True)
    if flaws:
        sys.exit(1)


@cardset.command()
@directory_argument
@click.option(
    "--games", type=click.IntRange(2), help="For each number of seats.  [default: 2000; 6-8: 500]"
)
@seats_option
def balance(directory: Path, games: int | None, seat_counts: tuple[str, ...]) -> None:
    """Let the sensible player play games with the card set in DIRECTORY, and count who wins."""
    cards = _read(directory)
    found = measure.trials(directory, {n: games or measure.GAMES[n] for n in _counts(seat_counts)})
    console = Console(width=measure.WIDTH)
    console.print(measure.by_seats(found))
    console.print(measure.by_ending(cards, found))


def _counts(given: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(int(seats) for seats in given) or SEAT_COUNTS


def _read(directory: Path) -> CardSet:
    try:
        return read_card_set(directory)
    except CardSetError as error:
        for flaw in error.flaws:
            click.echo(flaw, err=True)
        sys.exit(1)
