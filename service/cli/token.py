"""`elsinore token`: a player without HTTP, or a token for one who has lost theirs."""

from pathlib import Path

import click

from events.accounts.names import InvalidName, proper_name
from events.accounts.players import Player, RedisPlayers
from events.accounts.tokens import SCOPES
from events.errors import UnknownPlayer
from events.redis.client import connect
from service.cli.composition import data_directory, data_option, log_server
from service.cli.errors import errors_in_sentences


@click.command()
@click.argument("name", required=False)
@click.option("--for", "player", metavar="PLAYER", help="The id of a player who has lost theirs.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(sorted(SCOPES)),
    help="What the token is good for; may be repeated.  [default: everything]",
)
@data_option
@errors_in_sentences
def token(name: str | None, player: str | None, scopes: tuple[str, ...], data: Path | None) -> None:
    """Make a player called NAME; print id and token, which is shown only now.

    With --for, a token for a player there is: the one they had is nobody's from then on.
    """
    if (name is None) == (player is None):
        raise click.UsageError("Say either NAME or --for PLAYER.")
    granted = frozenset(scopes) or SCOPES
    called = None if name is None else _checked(name)
    with log_server(data_directory(data)) as url:
        players = RedisPlayers(connect(url))
        if called is not None:
            made, issued = players.create(called, granted)
        else:
            made = _known(players, player or "")
            issued = players.tokens.issue(made.id, granted)
    click.echo(f"{made.id} {issued}")


def _checked(name: str) -> str:
    try:
        return proper_name(name)
    except InvalidName as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None


def _known(players: RedisPlayers, player: str) -> Player:
    try:
        return players.get(player)
    except UnknownPlayer:
        raise click.BadParameter("There is no such player.", param_hint="PLAYER") from None
