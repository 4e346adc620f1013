"""Decks and dealing of Hearts, from docs/fairness.md alone (§5, §9)."""

from typing import Any

from tests.independent.dealing import Order, Rules, Table, hands_of
from tests.independent.deals import checking, drawn
from tests.independent.scheme import FRENCH

NAME = "hearts"
EVENTS = {
    "hearts.dealt": "deal direction draw leader hands",
    "hearts.cards-passed": "deal seat answers cards",
    "hearts.passes-swapped": "deal direction leader received",
    "hearts.card-played": "deal trick seat answers card breaks_hearts",
    "hearts.trick-taken": "deal trick seat cards points",
    "hearts.deal-scored": "deal captured moon points totals",
}


def hearts_head(table: Table) -> dict[str, Any]:
    return {"direction": ("left", "right", "across", "none")[(table.number - 1) % 4]}


def hearts_deal(table: Table, order: Order) -> dict[str, Any]:
    hands = hands_of(order, FRENCH, 4)
    leader = next(seat for seat, hand in enumerate(hands) if "2C" in hand)
    return {"hands": hands, "leader": leader if table.number % 4 == 0 else None}


RULES = Rules(
    sealed={
        "hearts.dealt": [("hands", "each")],
        "hearts.passes-swapped": [("received", "each")],
        "hearts.cards-passed": [("cards", "own")],
    },
    first=None,
    deck=lambda _: FRENCH,
    head=hearts_head,
    deal=hearts_deal,
    item={"hands"},
)
SEALED, DEALS = RULES.sealed, {f"{NAME}.dealt"}
LINKED = drawn(NAME, RULES)
check = checking(RULES)
