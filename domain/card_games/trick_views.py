"""Tricks as the views of all card games show them.

`kind` is the Struct that a view has for a trick: one of those here, or a game's own.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec

from domain.card_games.cards import Card, Deck
from domain.card_games.trick_play import TrickPlay, number
from domain.kernel import Seat

V = TypeVar("V")


class CardView(msgspec.Struct, frozen=True):
    seat: int
    card: str


class TrickView(msgspec.Struct, frozen=True, kw_only=True):
    """The trick on the table, cards in the order played; `number` is 0 while none is."""

    number: int
    leader: int | None
    cards: tuple[CardView, ...]


class PlayedTrickView(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    leader: int
    cards: tuple[CardView, ...]
    taker: int


def on_table(kind: Callable[..., V], state: TrickPlay, **own: Any) -> V:
    """The trick on the table, as a `TrickView` or one with the fields `own` beside."""
    if state.leader is None:
        return kind(number=0, leader=None, cards=(), **own)
    cards = cards_played(state.deck, state.leader, state.trick_cards, state.seats)
    return kind(number=number(state), leader=state.leader, cards=cards, **own)


def last_trick(kind: Callable[..., V], state: TrickPlay, *own: str) -> V | None:
    """The trick taken last in this deal, as a `PlayedTrickView` or one with more fields beside:
    `own` names those, which the game's own Trick has too."""
    return _taken(kind, state, len(state.tricks), own) if state.tricks else None


def all_tricks(kind: Callable[..., V], state: TrickPlay, *own: str) -> tuple[V, ...]:
    """All tricks taken in this deal, as `last_trick` shows one."""
    return tuple(_taken(kind, state, n, own) for n in range(1, len(state.tricks) + 1))


def _taken(kind: Callable[..., V], state: TrickPlay, number: int, own: Iterable[str]) -> V:
    trick = state.tricks[number - 1]
    cards = cards_played(state.deck, trick.leader, trick.cards, state.seats)
    beside = {name: getattr(trick, name) for name in own}
    return kind(number=number, leader=trick.leader, cards=cards, taker=trick.taker, **beside)


def cards_played(
    deck: Deck, leader: Seat, cards: Iterable[Card], seats: int
) -> tuple[CardView, ...]:
    """The cards of a trick, full or not, each with the seat that played it."""
    return tuple(
        CardView((leader + place) % seats, deck.code(card)) for place, card in enumerate(cards)
    )
