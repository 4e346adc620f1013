"""`elsinore cardset`: card sets of Hamlet! on their own, before anybody plays with them."""

import sys
from pathlib import Path

import click

from domain.rulesets.hamlet_play.flaws import CardSetError
from events import cardsets
from events.cardsets import read_card_set
from service.cli.wiring import read_settings

directory_argument = click.argument(
    "directory", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


def load_card_sets() -> None:
    """Those of the house, and those of the operator."""
    try:
        cardsets.load(read_settings().card_sets)
    except (CardSetError, cardsets.CardSetTaken) as error:
        raise click.ClickException(f"ELSINORE_CARDSETS: {error}") from None


@click.group()
def cardset() -> None:
    """Look at a card set of Hamlet!"""


@cardset.command()
@directory_argument
def check(directory: Path) -> None:
    """Read the card set in DIRECTORY and say all that is wrong with it."""
    try:
        found = read_card_set(directory)
    except CardSetError as error:
        for flaw in error.flaws:
            click.echo(flaw, err=True)
        sys.exit(1)
    click.echo(f"{found.id}: {len(found.personae)} personae, {len(found.actions)} actions")
    click.echo(f"digest {found.digest}")
