"""Decks and dealing of Hearts and Minds, from docs/fairness.md alone (§9, §17)."""

from typing import Any

from tests.independent.dealing import Order, Rules, Table, hands_of
from tests.independent.deals import checking, drawn

NAME = "hearts_and_minds"
MINDS = [f"{rank}{suit}" for suit in "HMTP" for rank in range(1, 11)]
EVENTS = {
    "hearts_and_minds.leader-drawn": "leader draw",
    "hearts_and_minds.dealt": "deal leader draw hands",
    "hearts_and_minds.goal-chosen": "deal seat answers goal",
    "hearts_and_minds.goals-revealed": "deal goals suitless_scoring",
    "hearts_and_minds.card-played": "deal trick seat answers card",
    "hearts_and_minds.trick-taken": "deal trick seat cards trump",
    "hearts_and_minds.deal-scored": "deal goals taken tricks points totals",
}


def minds_deck(table: Table) -> list[str]:
    return [card for card in MINDS if table.seats == 4 or not card.startswith("10")]


def minds_head(table: Table) -> dict[str, Any]:
    return {"leader": (table.first + table.number - 1) % table.seats}


def minds_deal(table: Table, order: Order) -> dict[str, Any]:
    return {"hands": hands_of(order, minds_deck(table), table.seats)}


RULES = Rules(
    sealed={
        "hearts_and_minds.dealt": [("hands", "each")],
        "hearts_and_minds.goal-chosen": [("goal", "own")],
    },
    first=("hearts_and_minds.leader-drawn", "leader"),
    deck=minds_deck,
    head=minds_head,
    deal=minds_deal,
    item={"hands", "leader"},
)
SEALED, DEALS = RULES.sealed, {f"{NAME}.dealt"}
LINKED = drawn(NAME, RULES)
check = checking(RULES)
