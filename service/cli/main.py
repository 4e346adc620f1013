"""`elsinore`: everything that is started or looked at from a terminal."""

import click

from service.cli.backup import backup
from service.cli.cardset.command import cardset, load_card_sets
from service.cli.demo import demo
from service.cli.import_log import import_
from service.cli.logs import export, replay, verify
from service.cli.openapi import openapi
from service.cli.ops.processes import serve
from service.cli.ops.up import up, work
from service.cli.play import play
from service.cli.rebuild import rebuild
from service.cli.status import dead, status
from service.cli.token import token
from service.release import VERSION


@click.group()
@click.version_option(VERSION, prog_name="elsinore")
def main() -> None:
    """An event-sourced table service: every card accounted for, every deal provably honest."""
    load_card_sets()


for command in (
    up,
    serve,
    work,
    token,
    play,
    replay,
    verify,
    export,
    import_,
    backup,
    rebuild,
    status,
    dead,
    openapi,
    demo,
    cardset,
):
    main.add_command(command)

if __name__ == "__main__":
    main()
