"""What whist is made of: options, events, and the state that these lead to."""

from functools import partial
from typing import Annotated, ClassVar

import msgspec
from msgspec.structs import replace

from domain.card_games import trick_play
from domain.card_games.cards import FRENCH, Card, CardSet, Codes, Deck
from domain.card_games.tricks import Trick
from domain.chance import Draw
from domain.kernel import Event, IntegrityError, Seat, stated_seat
from domain.scores import ScoreLine
from domain.visibility import PerSeat, Public

SEATS, HAND_SIZE = 4, 13
TEAMS = ((0, 2), (1, 3))
odd_trick = partial(ScoreLine, points=1, reason="a trick after the pair's first six", ruling="WH-6")


class WhistOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: Annotated[int, msgspec.Meta(ge=1, le=99, description="Points that win (WH-7).")] = 5


class WhistDeal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal written down beforehand: each hand in the order dealt, and in deal 1 who deals."""

    hands: tuple[Codes, ...]
    dealer: Seat | None = None


class DealerDrawn(Event, frozen=True, kw_only=True, tag="whist.dealer-drawn"):
    draw: Public[Draw]
    dealer: Public[Seat]


class Dealt(Event, frozen=True, kw_only=True, tag="whist.dealt"):
    """`turned` is the dealer's last card: it stays in that hand, and its suit is trump."""

    deal: Public[int]
    dealer: Public[Seat]
    draw: Public[Draw]
    hands: PerSeat[Codes]
    turned: Public[str]


class CardPlayed(trick_play.CardPlayed, frozen=True, tag="whist.card-played"): ...


class TrickTaken(trick_play.TrickTaken, frozen=True, tag="whist.trick-taken"): ...


class DealScored(Event, frozen=True, kw_only=True, tag="whist.deal-scored"):
    ends_draw: ClassVar[bool] = True

    deal: Public[int]
    points: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


WhistEvent = DealerDrawn | Dealt | CardPlayed | TrickTaken | DealScored


class WhistState(msgspec.Struct, frozen=True, kw_only=True):
    """Cards are bits of `FRENCH`, tuples of four are by seat; `leader` is None between deals."""

    deck: ClassVar[Deck] = FRENCH
    seats: ClassVar[int] = SEATS

    target: int
    totals: tuple[int, ...] = (0,) * SEATS
    scored: tuple[tuple[Trick, ...], ...] = ()
    dealer: Seat | None = None
    deal: int = 0
    turned: Card = 0
    hands: tuple[CardSet, ...] = (0,) * SEATS
    leader: Seat | None = None
    trick_cards: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()


def evolve(state: WhistState, event: WhistEvent) -> WhistState:
    """Facts are applied, never judged. Raises IntegrityError on one that cannot follow."""
    match event:
        case CardPlayed():
            return trick_play.card_played(state, event)
        case TrickTaken():
            return trick_play.trick_taken(state, event)
        case DealerDrawn() if state.dealer is None:
            return replace(state, dealer=stated_seat(event.dealer, SEATS))
        case Dealt(dealer=dealer) if state.leader is None and event.deal == state.deal + 1:
            hands = trick_play.stated_hands(state, event.hands, HAND_SIZE)
            FRENCH.check_whole(hands)
            turned, leader = FRENCH.stated(event.turned), (stated_seat(dealer, SEATS) + 1) % SEATS
            shown = replace(state, deal=event.deal, dealer=dealer, turned=turned)
            return replace(shown, hands=hands, leader=leader)
        case DealScored(totals=totals) if totals == trick_play.added(state.totals, event.points):
            trick_play.check_played_out(state, event.deal, HAND_SIZE)
            scored = (*state.scored, state.tricks)
            return replace(state, totals=totals, scored=scored, leader=None, tricks=())
        case _:
            raise IntegrityError("a dealer, a deal or a total is stated out of order")
