"""The card sets that games are opened with and judged by.

Files are read elsewhere. A game is played with the very set it was opened with, by its digest, and
never gets another one of the same name.
"""

from typing import Any

import msgspec

from domain.kernel import RuleViolation
from domain.rulesets.hamlet_play.cardset.model import CardSet

HOUSE_SET = "elsinore"


class CardSets(msgspec.Struct, frozen=True):
    """In the order in which they are shown. To judge logs there may be two of one name and version;
    their digests tell them apart."""

    sets: tuple[CardSet, ...] = ()

    def lookup(self, set_id: str, digest: str) -> CardSet | None:
        """The set a game was opened with, or None where it is missing or is not the same."""
        return next((c for c in self.sets if (c.id, c.digest) == (set_id, digest)), None)

    def chosen(self, asked: str, digest: str = "") -> CardSet:
        """What options ask for: by name, its newest version; of the house where they name none.

        Raises RuleViolation `card-set-missing`.
        """
        asked = asked or HOUSE_SET
        named = [cards for cards in self.sets if asked in {cards.id, cards.name}]
        newest = max((cards.version for cards in named), default=0)
        fitting = (c for c in named if c.version == newest and digest in {"", c.digest})
        if (found := next(fitting, None)) is None:
            raise missing(asked)
        return found

    def described(self) -> dict[str, Any]:
        """Every set whole, with its digest: enough to draw the cards from."""
        return {
            "card_sets": [
                {"id": cards.id, "digest": cards.digest, **msgspec.to_builtins(cards)}
                for cards in self.sets
            ]
        }


def missing(set_id: str) -> RuleViolation:
    return RuleViolation(
        "card-set-missing",
        f"The card set {set_id}, with the cards of this game, is not loaded here.",
        code="card-set-missing",
    )
