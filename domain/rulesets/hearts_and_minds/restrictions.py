"""Which card may be played: everybody follows suit, bound seats must also win and must trump.

A bound seat chose Heartless or Mindless. Each restriction binds only while it leaves a card, so
their order is the rule: a seat that follows is past its duty to trump (ruling HM-4).
"""

from domain.card_games import trick_play
from domain.card_games.cards import CardSet
from domain.card_games.tricks import Restriction
from domain.kernel import Seat
from domain.rulesets.hearts_and_minds.model import Goal, HeartsAndMindsState, Suit

TRUMP_OF: dict[str, Suit] = {"H": "P", "P": "H", "M": "T", "T": "M"}
BINDING: tuple[Goal, ...] = ("heartless", "mindless")


def is_bound(state: HeartsAndMindsState, seat: Seat) -> bool:
    return state.leader is not None and state.picks[seat] in BINDING


def trump_suit(state: HeartsAndMindsState) -> CardSet | None:
    """The led suit alone decides it, anew in each trick; it is never the led suit."""
    led = trick_play.led_suit(state)
    return None if led is None else state.deck.suits[TRUMP_OF[state.deck.suit_code(led)]]


def _head(state: HeartsAndMindsState, seat: Seat) -> CardSet | None:
    """A trick that has been trumped cannot be headed: any card of the led suit will do."""
    led, trump = trick_play.led_suit(state), trump_suit(state)
    if led is None or trump is None or not is_bound(state, seat) or sum(state.trick_cards) & trump:
        return None
    return _above(state, led)


def _trump(state: HeartsAndMindsState, seat: Seat) -> CardSet | None:
    """Ruling HM-4: a trump lower than the one in the trick must be played all the same."""
    return trump_suit(state) if is_bound(state, seat) else None


def _overtrump(state: HeartsAndMindsState, seat: Seat) -> CardSet | None:
    trump = trump_suit(state)
    if trump is None or not is_bound(state, seat) or not sum(state.trick_cards) & trump:
        return None
    return _above(state, trump)


def _above(state: HeartsAndMindsState, suit: CardSet) -> CardSet:
    """The cards of `suit` higher than all of it that lie on the table."""
    highest = (sum(state.trick_cards) & suit).bit_length()
    return suit >> highest << highest


RESTRICTIONS: tuple[Restriction[HeartsAndMindsState], ...] = (
    trick_play.FOLLOW_SUIT,
    Restriction(
        "must-head",
        "Your goal binds you: no trump has fallen and you can go higher, so you must.",
        _head,
    ),
    Restriction(
        "must-trump",
        "Your goal binds you: you cannot follow and you hold a trump: play one.",
        _trump,
    ),
    Restriction(
        "must-overtrump",
        "Your goal binds you: you hold a trump higher than any in the trick: play one.",
        _overtrump,
    ),
)
