"""`elsinore`: everything that is started or looked at from a terminal."""

import click

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from service.cli.backup import backup
from service.cli.cardset.command import cardset
from service.cli.composition import card_sets
from service.cli.dead import dead
from service.cli.demo import demo
from service.cli.export import export
from service.cli.import_log import import_
from service.cli.openapi import openapi
from service.cli.play import play
from service.cli.plugins import load_plugins
from service.cli.rebuild import rebuild
from service.cli.replay import replay
from service.cli.rulesets import ruleset
from service.cli.serve import serve
from service.cli.status import status
from service.cli.token import token
from service.cli.up import up
from service.cli.verify import verify
from service.cli.work import work
from service.release import VERSION


@click.group()
@click.version_option(VERSION, prog_name="elsinore")
@click.pass_context
def main(context: click.Context) -> None:
    """An event-sourced table service: every card accounted for, every deal provably honest."""
    context.with_resource(registry.using(hamlet_play(card_sets())))
    load_plugins()


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
    ruleset,
):
    main.add_command(command)

if __name__ == "__main__":
    main()
