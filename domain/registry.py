"""Every version of every game that can be played or replayed: one line each.

Games from outside are registered at start, beside those of the house.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from domain.kernel import Event, Ruleset, RuleViolation
from domain.rulesets.hamlet import HAMLET
from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hearts import HEARTS
from domain.rulesets.hearts_and_minds import HEARTS_AND_MINDS

RULESETS: dict[str, Ruleset[Any]] = {
    "hearts@1": HEARTS,
    "hamlet@1": HAMLET,
    "hearts_and_minds@1": HEARTS_AND_MINDS,
    "hamlet_play@1": hamlet_play(CardSets()),
}
HOUSE = frozenset(ruleset.name for ruleset in RULESETS.values())


def register(ruleset: Ruleset[Any]) -> None:
    """Makes a rule set from outside known to this process; `domain.admission` has looked at it."""
    replace(ruleset)


def replace(ruleset: Ruleset[Any]) -> None:
    """From now on `ruleset` is the record of its id: the same rules, made of other values."""
    RULESETS[ruleset.id] = ruleset


@contextmanager
def using(ruleset: Ruleset[Any]) -> Iterator[None]:
    """The same for a block alone."""
    before = RULESETS[ruleset.id]
    replace(ruleset)
    try:
        yield
    finally:
        replace(before)


def find(ruleset_id: str) -> Ruleset[Any]:
    """The rule set a game is pinned to; raises RuleViolation `unknown-ruleset`."""
    try:
        return RULESETS[ruleset_id]
    except KeyError:
        raise _unknown(ruleset_id) from None


def latest(name: str) -> Ruleset[Any]:
    """The newest version of a game; raises RuleViolation `unknown-ruleset`."""
    versions = [ruleset for ruleset in RULESETS.values() if ruleset.name == name]
    if not versions:
        raise _unknown(name)
    return max(versions, key=lambda ruleset: ruleset.version)


def event_types() -> dict[str, type[Event]]:
    """The class of each event type, across all rule sets."""
    return {
        str(event_type.__struct_config__.tag): event_type
        for ruleset in RULESETS.values()
        for event_type in ruleset.events
    }


def _unknown(asked: str) -> RuleViolation:
    return RuleViolation(
        "unknown-ruleset", f"There is no rule set {asked}.", code="unknown-ruleset"
    )
