"""Decks and dealing of each rule set, from docs/fairness.md alone (§5, §9, §16, §17)."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .scheme import FRENCH, need, same

MINDS = [f"{rank}{suit}" for suit in "HMTP" for rank in range(1, 11)]
Order = list[str] | dict[str, Any]  # a shuffled deck, or an item of the script


class Table(NamedTuple):
    """What a deal depends on beside its draw. `first` is who was drawn first, if anybody was."""

    seats: int
    options: dict[str, Any]
    number: int
    first: int


class Rules(NamedTuple):
    """`sealed`: by type the sealed fields and to whom; `first`: type and field of the first draw.

    `head` are public fields of a deal that are given before its link is out.
    """

    sealed: dict[str, list[tuple[str, str]]]
    first: tuple[str, str] | None
    deck: Callable[[Table], list[str]]
    head: Callable[[Table], dict[str, Any]]
    deal: Callable[[Table, Order], dict[str, Any]]
    item: set[str]


def sort(cards: Sequence[str], deck: Sequence[str]) -> list[str]:
    return sorted(cards, key=deck.index)


def whole(deck: Sequence[str], *places: Sequence[str]) -> None:
    need(sorted(card for place in places for card in place) == sorted(deck), "not one deck")


def hands_of(order: Order, deck: Sequence[str], seats: int) -> list[list[str]]:
    """All cards, one at a time from seat 0; or as they are written down."""
    if isinstance(order, dict):
        hands: list[list[str]] = order["hands"]
    else:
        hands = [order[seat::seats] for seat in range(seats)]
    whole(deck, *hands)
    need([len(hand) for hand in hands] == [len(deck) // seats] * seats, "sizes of the hands")
    return [sort(hand, deck) for hand in hands]


# --- Hearts: §5


def hearts_head(table: Table) -> dict[str, Any]:
    return {"direction": ("left", "right", "across", "none")[(table.number - 1) % 4]}


def hearts_deal(table: Table, order: Order) -> dict[str, Any]:
    hands = hands_of(order, FRENCH, 4)
    leader = next(seat for seat, hand in enumerate(hands) if "2C" in hand)
    return {"hands": hands, "leader": leader if table.number % 4 == 0 else None}


# --- Hamlet: §16


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


# --- Hearts and Minds: §17


def minds_deck(table: Table) -> list[str]:
    return [card for card in MINDS if table.seats == 4 or not card.startswith("10")]


def minds_head(table: Table) -> dict[str, Any]:
    return {"leader": (table.first + table.number - 1) % table.seats}


def minds_deal(table: Table, order: Order) -> dict[str, Any]:
    return {"hands": hands_of(order, minds_deck(table), table.seats)}


RULES = {
    "hearts": Rules(
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
    ),
    "hamlet": Rules(
        sealed={"hamlet.dealt": [("hands", "each"), ("stock", "nobody")]},
        first=("hamlet.dealer-drawn", "dealer"),
        deck=lambda _: FRENCH,
        head=hamlet_head,
        deal=hamlet_deal,
        item={"hands", "stock", "turned", "dealer"},
    ),
    "hearts_and_minds": Rules(
        sealed={
            "hearts_and_minds.dealt": [("hands", "each")],
            "hearts_and_minds.goal-chosen": [("goal", "own")],
        },
        first=("hearts_and_minds.leader-drawn", "leader"),
        deck=minds_deck,
        head=minds_head,
        deal=minds_deal,
        item={"hands", "leader"},
    ),
}
"""By the name of the rule set, each in its first version."""


def rules_of(opened: dict[str, Any]) -> Rules:
    name, _, version = opened["ruleset"].partition("@")
    need(version == "1", "rule set")
    return RULES[name]


def check_deal(table: Table, rules: Rules, stated: dict[str, Any], order: Order) -> None:
    need(isinstance(order, list) or set(order) == rules.item, "script")
    due = rules.deal(table, order)
    need(same({name: stated[name] for name in due}, due), "not the cards that had to come")
