"""Pairs of games that differ in what a viewer cannot know, as each game writes them down."""

from collections.abc import Callable
from typing import Any, NamedTuple

from domain.card_games.cards import Deck

VIEWER = 1
Moves = list[dict[str, Any]]
Choose = Callable[[int, Moves, Moves], tuple[dict[str, Any], dict[str, Any]]]


class Pair(NamedTuple):
    """Two scripts of a table, and what its seats answer in each: by default the same.

    The games are played for `steps` moves: as long as the difference can be a secret.
    """

    seats: int
    steps: int
    scripts: tuple[Any, Any]
    options: dict[str, Any] | None = None
    choose: Choose | None = None
    alike: int = 0
    """For as many moves the games are the same but for what is written down for later."""


def hands(deck: Deck, seats: int, size: int) -> list[list[str]]:
    """Mixed hands: suit by suit, each suit round the table."""
    cards = sorted(deck.codes, key=lambda code: (deck.codes.index(code) * 7) % len(deck.codes))
    return [cards[seat : size * seats : seats] for seat in range(seats)]


def swapped(deal: list[list[str]], one: int, other: int, suits: str) -> list[list[str]]:
    """The same hands, but that a card of each of these suits is exchanged between two seats."""
    changed = [list(hand) for hand in deal]
    for suit in suits:
        first = next(c for c in reversed(changed[one]) if c[-1] == suit)
        second = next(c for c in reversed(changed[other]) if c[-1] == suit)
        changed[one][changed[one].index(first)] = second
        changed[other][changed[other].index(second)] = first
    return changed


def the_same(seat: int, first: Moves, second: Moves) -> tuple[dict[str, Any], dict[str, Any]]:
    move = next(move for move in first if move in second)
    return move, move
