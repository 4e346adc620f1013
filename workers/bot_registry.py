"""Which bot plays a game: one from outside, else the module of its name under `workers.bots`, else
the uniform one."""

import inspect
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from domain.registry import HOUSE, RULESETS
from events.plugins import BOTS_GROUP, Refused, could_not_load, loaded, refused


class Bot(Protocol):
    """A module with these two. It is given what its seat may see, and imports `domain` only."""

    VERSION: str

    @staticmethod
    def choose(
        view: dict[str, Any], legal: Sequence[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The body of one of the `legal` moves, the same for the same arguments."""


FROM_OUTSIDE: dict[str, Bot] = {}
"""By the name of the game, whatever its version."""


def bot_of(ruleset: str) -> Bot:
    """The bot for a rule set such as `hearts@1`."""
    name = ruleset.partition("@")[0]
    return FROM_OUTSIDE.get(name) or _bot_of_the_house(name)


def load_bots() -> list[Refused]:
    """Takes every bot of a registered game from outside; those that are refused.

    Of several for one game none is taken.
    """
    found = list(loaded(BOTS_GROUP))
    names = Counter(point.name for point, _ in found)
    refusals = []
    for point, bot in found:
        reason = _reason(point.name, bot, names[point.name])
        if reason is None:
            FROM_OUTSIDE[point.name] = bot
        else:
            refusals.append(refused(point, reason))
    return refusals


def _reason(name: str, bot: Any, times: int) -> str | None:
    if isinstance(bot, BaseException):
        return could_not_load(bot)
    if name in HOUSE:
        return f"{name} has a bot of the house"
    if name not in {ruleset.name for ruleset in RULESETS.values()}:
        return f"there is no game {name}"
    if times > 1:
        return f"{times} distributions bring a bot for {name}"
    if not isinstance(getattr(bot, "VERSION", None), str) or not bot.VERSION:
        return "it has no VERSION"
    try:
        inspect.signature(bot.choose).bind({}, (), b"")
    except (AttributeError, TypeError, ValueError):
        return "it has no choose(view, legal, seed)"
    return None


@cache
def _bot_of_the_house(name: str) -> Bot:
    if find_spec(f"workers.bots.{name}") is None:
        name = "uniform"
    return cast("Bot", import_module(f"workers.bots.{name}"))
