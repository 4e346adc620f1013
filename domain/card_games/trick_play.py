"""How a deal is played, trick by trick: the words that all trick-taking games have in common.

Functions over a game's own state (see `TrickPlay`), to be called from its own rules. `play` and
`take` give the event that a move or a full trick brings about, `card_played` and `trick_taken`
the state after it:

    trick_play.play(CardPlayed, state, seat, move, (trick_play.FOLLOW_SUIT,))     in `accept`
    trick_play.take(TrickTaken, state, trumps)                                    in `consequence`
    trick_play.card_played(state, event), trick_play.trick_taken(state, event)    in `evolve`

What comes before and after the play (bids, passes, scores) is each game's own.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from domain.card_games import tricks
from domain.card_games.cards import Card, CardSet, Codes, Deck
from domain.card_games.tricks import PlayCard, Restriction, Trick
from domain.chance import Chance, Draw
from domain.kernel import (
    NOTHING_LEGAL,
    Event,
    IntegrityError,
    Legal,
    RuleViolation,
    Seat,
    stated_seat,
)
from domain.visibility import Public


class CardPlayed(Event, frozen=True, kw_only=True):
    """The base of a game's own event, which has the tag: `"hearts.card-played"`."""

    deal: Public[int]
    trick: Public[int]
    seat: Public[Seat]
    answers: Public[str]
    card: Public[str]


class TrickTaken(Event, frozen=True, kw_only=True):
    """The base of a game's own event. `seat` took it; `cards` in the order played."""

    deal: Public[int]
    trick: Public[int]
    seat: Public[Seat]
    cards: Public[Codes]


class TrickPlay(Protocol):
    """What a state has while a deal is played; `deck` and `seats` may be `ClassVar`s of its type.

    `hands` are by seat. `leader` leads the trick of `trick_cards`, whose cards stand in the order
    played; it is None while no card may be played. `tricks` are those taken in this deal.
    """

    @property
    def deck(self) -> Deck: ...
    @property
    def seats(self) -> int: ...
    @property
    def deal(self) -> int: ...
    @property
    def hands(self) -> tuple[CardSet, ...]: ...
    @property
    def leader(self) -> Seat | None: ...
    @property
    def trick_cards(self) -> tuple[Card, ...]: ...
    @property
    def tricks(self) -> tuple[Trick, ...]: ...


S = TypeVar("S", bound=TrickPlay)
C = TypeVar("C", bound=CardPlayed)
T = TypeVar("T", bound=TrickTaken)
V = TypeVar("V")


# --- who owes a card, and which


def on_turn(state: TrickPlay) -> tuple[Seat, ...]:
    """The seat whose card is next; nobody while the trick is full, and before the first lead."""
    if state.leader is None or len(state.trick_cards) == state.seats:
        return ()
    return ((state.leader + len(state.trick_cards)) % state.seats,)


def led_suit(state: TrickPlay) -> CardSet | None:
    """The suit of the first card on the table; None before it is led."""
    return state.deck.suit_of(state.trick_cards[0]) if state.trick_cards else None


FOLLOW_SUIT: Restriction[TrickPlay] = tricks.follow_suit(led_suit)


def number(state: TrickPlay) -> int:
    """The number of the trick on the table; the first of a deal is 1."""
    return len(state.tricks) + 1


def question(state: TrickPlay) -> str:
    """The question for a card to the trick on the table, such as `d3.t7`."""
    return f"d{state.deal}.t{number(state)}"


def legal_plays(state: S, seat: Seat, restrictions: Iterable[Restriction[S]]) -> Legal:
    """The cards that `seat` may answer the question with, and what is against each other one;
    nothing while it is not on turn."""
    if seat not in on_turn(state):
        return NOTHING_LEGAL
    hand = state.hands[seat]
    return tricks.legal_plays(state.deck, hand, restrictions, state, seat, question(state))


def wrong_move(phase: str, asked_for: Mapping[str, str]) -> RuleViolation:
    """The refusal of a move of another kind than the phase asks a seat for.

    `asked_for` says what the game's own phases ask for: `{"bid": "your bid"}`. A phase that is not
    among them asks for nothing, except `play`.
    """
    wanted = {"play": "one card to play", "over": "nothing more", **asked_for}
    sentence = f"You are asked for {wanted.get(phase, 'nothing now')}."
    return RuleViolation("wrong-move", sentence, code="wrong-move")


# --- what happens; `kind` is the game's own event, `own` what it has beside the fields of its base


def deal_out(state: TrickPlay, chance: Chance) -> tuple[tuple[Codes, ...], Draw]:
    """The hands of the next deal, in card order: the whole deck, one card at a time from seat 0.

    `scripts.whole_deals` is the same, written down beforehand.
    """
    order, draw = chance.shuffle(f"d{state.deal + 1}.deal", state.deck.codes)
    hands = (state.deck.in_order(order[seat :: state.seats]) for seat in range(state.seats))
    return tuple(hands), draw


def play(
    kind: type[C],
    state: S,
    seat: Seat,
    move: PlayCard,
    restrictions: Sequence[Restriction[S]],
    **own: Any,
) -> C:
    """A card is played to the trick; raises RuleViolation where it may not be."""
    tricks.check_card(state.deck, state.hands[seat], move.card, restrictions, state, seat)
    return kind(
        deal=state.deal,
        trick=number(state),
        seat=seat,
        answers=move.answers,
        card=move.card,
        **own,
    )


def take(kind: type[T], state: TrickPlay, trumps: CardSet = 0, **own: Any) -> T:
    """The full trick on the table is taken, by the highest of `trumps`, else of the led suit."""
    assert state.leader is not None
    deck, table = state.deck, state.trick_cards
    taking = tricks.taking_card(sum(table), deck.suit_of(table[0]), trumps)
    seat, cards = tricks.taker(state.leader, table, taking), tuple(map(deck.code, table))
    return kind(deal=state.deal, trick=number(state), seat=seat, cards=cards, **own)


# --- what events change; a fact that cannot follow raises IntegrityError


def stated_hands(state: TrickPlay, hands: Iterable[Codes], size: int) -> tuple[CardSet, ...]:
    """The hands an event states, `size` cards each. Whether they are the whole deck is for
    `Deck.check_whole` to say, with what is not dealt."""
    sets = tuple(map(state.deck.set_of, hands))
    if not size or [hand.bit_count() for hand in sets] != [size] * state.seats:
        raise IntegrityError("the hands of a deal are not each of its size")
    return sets


def card_played(state: S, event: CardPlayed, **own: Any) -> S:
    """The card goes from the hand to the table; `own` are fields of the state that change too."""
    if event.deal != state.deal or event.trick != number(state):
        raise IntegrityError("a card is played out of order")
    if (event.seat,) != on_turn(state):
        raise IntegrityError("a card is played out of turn")
    card, hand = state.deck.played(state.hands[event.seat], event.card)
    hands = at_seat(state.hands, event.seat, hand)
    return replace(state, hands=hands, trick_cards=(*state.trick_cards, card), **own)  # type: ignore[type-var]


def trick_taken(state: S, event: TrickTaken, kind: type[Trick] = Trick, **own: Any) -> S:
    """The trick goes from the table to its taker, who leads the next one.

    It is kept as a `kind`: `Trick`, or a game's own with the fields `own` beside.
    """
    cards = tuple(map(state.deck.stated, event.cards))
    if state.leader is None or len(cards) != state.seats or cards != state.trick_cards:
        raise IntegrityError("a trick is taken that is not on the table")
    if event.deal != state.deal or event.trick != number(state):
        raise IntegrityError("a trick is taken out of order")
    taken = kind(state.leader, cards, stated_seat(event.seat, state.seats), **own)
    return replace(state, leader=event.seat, trick_cards=(), tricks=(*state.tricks, taken))  # type: ignore[type-var]


def check_played_out(state: TrickPlay, deal: int, size: int) -> None:
    """That deal number `deal` can be scored now: its `size` tricks are taken, no card is left."""
    if state.leader is None or deal != state.deal:
        raise IntegrityError("a deal is scored that is not under way")
    if len(state.tricks) != size or any(state.hands):
        raise IntegrityError("a deal is scored before its last trick is taken")


def added(totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """The totals after a deal that brings each seat so many points."""
    if len(totals) != len(points):
        raise IntegrityError("the points of a deal are not those of each seat")
    return tuple(map(sum, zip(totals, points, strict=True)))


def at_seat(values: tuple[V, ...], seat: Seat, value: V) -> tuple[V, ...]:
    """`values` by seat, with another one at `seat`."""
    return (*values[:seat], value, *values[seat + 1 :])
