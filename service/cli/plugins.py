"""Games from outside, for the commands and for the processes that play."""

import click

from events.plugins import Refused, load_rulesets
from service.telemetry import logging
from workers.bot_registry import load_bots


def load_plugins() -> None:
    """Those that are refused are told on standard error, a line each."""
    for refused in _load():
        click.echo(str(refused), err=True)


def load_plugins_logged() -> None:
    """The same for a process whose lines are JSON."""
    logging.refused(_load())


def _load() -> list[Refused]:
    return [*load_rulesets(), *load_bots()]
