"""What all trick-taking games share: restrictions on the card to play, and who takes a trick."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from domain.card_games.cards import Card, CardSet, Deck, members
from domain.kernel import Legal, Move, Refusal, RuleViolation, Seat

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class PlayCard(Move, frozen=True, kw_only=True, tag="play_card"):
    """One card from the hand to the table; the same move in every trick-taking game."""

    card: str


@dataclass(frozen=True, slots=True)
class Restriction(Generic[T_contra]):
    """The cards a rule leaves: "if you can, you must". It binds only while it leaves one.

    `allows(table, seat)` is that set of cards, whatever the hand; None where the rule is silent.
    """

    rule: str
    sentence: str
    allows: Callable[[T_contra, Seat], CardSet | None]


def follow_suit(led: Callable[[T], CardSet | None]) -> Restriction[T]:
    """The one duty that all these games have; `led(table)` is the suit led, None before a lead."""
    return Restriction(
        "follow-suit",
        "You hold a card of the suit that was led, so you must follow it.",
        lambda table, _: led(table),
    )


class Trick(msgspec.Struct, frozen=True):
    """A taken trick: its cards in the order played, from the leader on."""

    leader: Seat
    cards: tuple[Card, ...]
    taker: Seat


def legal_cards(
    hand: CardSet, restrictions: Iterable[Restriction[T]], table: T, seat: Seat
) -> CardSet:
    """The cards of `hand` that every binding restriction leaves."""
    for restriction in restrictions:
        allowed = restriction.allows(table, seat)
        if allowed is not None and hand & allowed:
            hand &= allowed
    return hand


def legal_plays(
    deck: Deck,
    hand: CardSet,
    restrictions: Iterable[Restriction[T]],
    table: T,
    seat: Seat,
    asked: str,
) -> Legal:
    """The answers to the question `asked` for a card: those of `hand` that may be played, and
    for each other one, in card order, the first rule against it."""
    left, against = _judged(hand, restrictions, table, seat)
    return Legal(
        tuple(PlayCard(answers=asked, card=card) for card in deck.listed(left)),
        tuple(_refusal(asked, deck.code(card), against[card]) for card in sorted(against)),
    )


def _judged(
    hand: CardSet, restrictions: Iterable[Restriction[T]], table: T, seat: Seat
) -> tuple[CardSet, dict[Card, Restriction[T]]]:
    """The cards that may be played, and the first restriction against each other one."""
    against: dict[Card, Restriction[T]] = {}
    for restriction in restrictions:
        allowed = restriction.allows(table, seat)
        if allowed is not None and hand & allowed:
            against |= dict.fromkeys(members(hand & ~allowed), restriction)
            hand &= allowed
    return hand, against


def _refusal(asked: str, card: str, restriction: Restriction[Any]) -> Refusal:
    move = PlayCard(answers=asked, card=card)
    return Refusal(move=move, rule=restriction.rule, detail=restriction.sentence, card=card)


def check_card(
    deck: Deck,
    hand: CardSet,
    code: str,
    restrictions: Sequence[Restriction[T]],
    table: T,
    seat: Seat,
) -> Card:
    """The card named by `code`, where it may be played; raises RuleViolation otherwise."""
    card = deck.card(code)
    if not card & hand:
        raise RuleViolation(
            "card-not-in-hand", f"{code} is not in your hand.", code="card-not-in-hand"
        )
    if not card & legal_cards(hand, restrictions, table, seat):
        _, against = _judged(hand, restrictions, table, seat)
        raise RuleViolation(against[card].rule, against[card].sentence)
    return card


def taking_card(played: CardSet, led: CardSet, trump: CardSet = 0) -> Card:
    """The card that takes a trick: the highest trump, else the highest of the led suit."""
    contenders = (played & trump) or (played & led)
    return 1 << (contenders.bit_length() - 1)


def taker(leader: Seat, table: Sequence[Card], taking: Card) -> Seat:
    """The seat that played the card `taking` to a full table."""
    return (leader + table.index(taking)) % len(table)


def tricks_taken(tricks: Iterable[Trick], seats: int) -> tuple[int, ...]:
    """How many of these tricks each seat took."""
    takers = [trick.taker for trick in tricks]
    return tuple(takers.count(seat) for seat in range(seats))


def taken_cards(tricks: Iterable[Trick], seats: int) -> tuple[CardSet, ...]:
    """All cards that each seat took in these tricks."""
    taken = [0] * seats
    for trick in tricks:
        taken[trick.taker] |= sum(trick.cards)
    return tuple(taken)
