"""`elsinore`: everything that is started or looked at from a terminal."""

from pkgutil import resolve_name

import click

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from service.cli.composition import card_sets
from service.cli.plugins import load_plugins
from service.release import VERSION

COMMANDS = {
    "up": "service.cli.up:up",
    "serve": "service.cli.serve:serve",
    "work": "service.cli.work:work",
    "token": "service.cli.token:token",
    "play": "service.cli.play:play",
    "replay": "service.cli.replay:replay",
    "verify": "service.cli.verify:verify",
    "export": "service.cli.export:export",
    "import": "service.cli.import_log:import_",
    "backup": "service.cli.backup:backup",
    "repair": "service.cli.repair:repair",
    "rebuild": "service.cli.rebuild:rebuild",
    "status": "service.cli.status:status",
    "dead": "service.cli.dead:dead",
    "openapi": "service.cli.openapi:openapi",
    "demo": "service.cli.demo:demo",
    "cardset": "service.cli.cardset.command:cardset",
    "ruleset": "service.cli.rulesets:ruleset",
}


class Commands(click.Group):
    """Imports a command when it is asked for: each starts without what only others need."""

    def list_commands(self, _: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = resolve_name(COMMANDS[name])
        return command


@click.group(cls=Commands)
@click.version_option(VERSION, prog_name="elsinore")
@click.pass_context
def main(context: click.Context) -> None:
    """An event-sourced table service: every card accounted for, every deal provably honest."""
    context.with_resource(registry.using(hamlet_play(card_sets())))
    load_plugins()


if __name__ == "__main__":
    main()
