"""What the games of deals share, from docs/fairness.md alone (§5, §9)."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .scheme import need, same

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


def check_deal(table: Table, rules: Rules, stated: dict[str, Any], order: Order) -> None:
    need(isinstance(order, list) or set(order) == rules.item, "script")
    due = rules.deal(table, order)
    need(same({name: stated[name] for name in due}, due), "not the cards that had to come")
