"""`elsinore token`: a player without HTTP."""

from pathlib import Path

import click

from events.accounts.names import InvalidName, proper_name
from events.accounts.players import RedisPlayers
from events.redis.client import connect
from service.cli.composition import data_directory, data_option, log_server
from service.cli.errors import errors_in_sentences


@click.command()
@click.argument("name")
@data_option
@errors_in_sentences
def token(name: str, data: Path | None) -> None:
    """Make a player called NAME; print id and token, which is shown only now."""
    try:
        name = proper_name(name)
    except InvalidName as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    with log_server(data_directory(data)) as url:
        player, made = RedisPlayers(connect(url)).create(name)
    click.echo(f"{player.id} {made}")
