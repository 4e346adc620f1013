"""Decks and dealing of Hamlet, from docs/fairness.md alone (§9, §16)."""

from typing import Any

from tests.independent.dealing import Order, Rules, Table, sort, whole
from tests.independent.deals import checking, drawn
from tests.independent.scheme import FRENCH, need

NAME = "hamlet"
EVENTS = {
    "hamlet.dealer-drawn": "draw dealer",
    "hamlet.dealt": "deal dealer leader size draw turned trump source hands stock",
    "hamlet.bid-made": "deal seat answers bid",
    "hamlet.card-played": "deal trick seat answers card",
    "hamlet.trick-taken": "deal trick seat cards",
    "hamlet.deal-scored": "deal bids taken points totals",
}


def hamlet_head(table: Table) -> dict[str, Any]:
    dealer = (table.first + table.number - 1) % table.seats
    return {"dealer": dealer, "leader": (dealer + 1) % table.seats, "size": hamlet_size(table)}


def hamlet_size(table: Table) -> int:
    most = 52 // table.seats
    if table.options["pattern"] == "full":
        return most
    return int(min(table.number, 2 * most - table.number))


def hamlet_deal(table: Table, order: Order) -> dict[str, Any]:
    head, size = hamlet_head(table), hamlet_size(table)
    every = table.options["no_trump_every"]
    trumpless = every > 0 and table.number % every == 0
    if isinstance(order, dict):
        hands, left = order["hands"], list(order["stock"])
        if size * table.seats < 52:
            left.insert(0, order["turned"])
        last = hands[head["dealer"]][-1] if order["turned"] is None else order["turned"]
        whole(FRENCH, *hands, left)
        need([len(hand) for hand in hands] == [size] * table.seats, "sizes of the hands")
    else:
        dealt, left = order[: size * table.seats], list(order[size * table.seats :])
        hands = [
            dealt[(s - head["leader"]) % table.seats :: table.seats] for s in range(table.seats)
        ]
        last = hands[head["dealer"]][-1]
    turned = left.pop(0) if left else None if trumpless else last
    source = (
        "none" if trumpless else "turned-card" if size * table.seats < 52 else "dealers-last-card"
    )
    need(source != "dealers-last-card" or turned in hands[head["dealer"]], "not the dealer's card")
    return {
        "hands": [sort(hand, FRENCH) for hand in hands],
        "stock": sort(left, FRENCH),
        "turned": turned,
        "trump": None if trumpless or turned is None else turned[-1],
        "source": source,
    }


RULES = Rules(
    sealed={"hamlet.dealt": [("hands", "each"), ("stock", "nobody")]},
    first=("hamlet.dealer-drawn", "dealer"),
    deck=lambda _: FRENCH,
    head=hamlet_head,
    deal=hamlet_deal,
    item={"hands", "stock", "turned", "dealer"},
)
SEALED, DEALS = RULES.sealed, {f"{NAME}.dealt"}
LINKED = drawn(NAME, RULES)
check = checking(RULES)
