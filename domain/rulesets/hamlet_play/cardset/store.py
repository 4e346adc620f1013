"""The card sets that this process has loaded, by name and version.

Files are read elsewhere; a game asks here for the very set it was opened with, by its digest, and
never gets another one of the same name.
"""

from typing import Any

import msgspec

from domain.kernel import RuleViolation
from domain.rulesets.hamlet_play.cardset.model import CardSet

HOUSE_SET = "elsinore"

_loaded: dict[str, CardSet] = {}
_known: dict[tuple[str, str], CardSet] = {}


def register(cards: CardSet) -> None:
    """To open games with; a set of the same name and version takes the place of the one before."""
    _loaded[cards.id] = cards
    know(cards)


def know(cards: CardSet) -> None:
    """To judge games that were played with it, whatever else bears its name."""
    _known[cards.id, cards.digest] = cards


def forget(set_id: str) -> None:
    _loaded.pop(set_id, None)
    for known in [one for one in _known if one[0] == set_id]:
        del _known[known]


def loaded() -> tuple[CardSet, ...]:
    """The one of the house first, the others as they were loaded."""
    return tuple(sorted(_loaded.values(), key=lambda cards: cards.name != HOUSE_SET))


def described() -> dict[str, Any]:
    """Every set whole, with its digest: enough to draw the cards from."""
    return {
        "card_sets": [
            {"id": cards.id, "digest": cards.digest, **msgspec.to_builtins(cards)}
            for cards in loaded()
        ]
    }


def lookup(set_id: str, digest: str) -> CardSet | None:
    """The set a game was opened with, or None where it is not loaded or is not the same."""
    return _known.get((set_id, digest))


def find(set_id: str, digest: str) -> CardSet:
    """As `lookup`; raises RuleViolation `card-set-missing`."""
    cards = lookup(set_id, digest)
    if cards is None:
        raise missing(set_id)
    return cards


def chosen(asked: str, digest: str = "") -> CardSet:
    """The set that options ask for: by name, its newest version; of the house where they name none.

    Raises RuleViolation `card-set-missing`.
    """
    named = [c for c in loaded() if asked in {"", c.id, c.name}]
    name = named[0].name if named else ""
    found = max((c for c in named if c.name == name), key=lambda c: c.version, default=None)
    if found is None or digest not in {"", found.digest}:
        raise missing(asked or HOUSE_SET)
    return found


def missing(set_id: str) -> RuleViolation:
    return RuleViolation(
        "card-set-missing",
        f"The card set {set_id}, with the cards of this game, is not loaded here.",
        code="card-set-missing",
    )
