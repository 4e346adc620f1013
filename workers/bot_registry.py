"""Which bot plays a game: the module of its name under `workers.bots`, else the uniform one."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast


class Bot(Protocol):
    """A module with these two. It is given what its seat may see, and imports `domain` only."""

    VERSION: str

    @staticmethod
    def choose(
        view: dict[str, Any], legal: Sequence[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The body of one of the `legal` moves, the same for the same arguments."""


@cache
def bot_of(ruleset: str) -> Bot:
    """The bot for a rule set such as `hearts@1`."""
    name = ruleset.partition("@")[0]
    if find_spec(f"workers.bots.{name}") is None:
        name = "uniform"
    return cast("Bot", import_module(f"workers.bots.{name}"))
