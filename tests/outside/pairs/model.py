"""What Pairs is made of."""

from typing import Annotated, ClassVar

import msgspec

from domain.card_games.cards import Card, CardSet, Codes, Deck
from domain.card_games.tricks import Trick
from domain.chance import Draw
from domain.kernel import Event, Move, Seat
from domain.visibility import PerSeat, Public, SeatOnly

SEATS = 4
HAND_SIZE = 3
TEAMS = ((0, 2), (1, 3))
DECK = Deck("123456", "AB")


class PairsOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    deals: Annotated[int, msgspec.Meta(ge=1, le=9, description="How many are played.")] = 2


class PairsDeal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hands: tuple[Codes, ...]


class PairsWish(Move, frozen=True, kw_only=True, tag="pairs.make_wish"):
    """How many tricks the seat is going to take, told to nobody before all have wished."""

    tricks: int


class Dealt(Event, frozen=True, kw_only=True, tag="pairs.dealt"):
    deal: Public[int]
    draw: Public[Draw]
    hands: PerSeat[Codes]


class WishMade(Event, frozen=True, kw_only=True, tag="pairs.wish-made"):
    deal: Public[int]
    seat: Public[Seat]
    answers: Public[str]
    tricks: SeatOnly[int]


class WishesRevealed(Event, frozen=True, kw_only=True, tag="pairs.wishes-revealed"):
    deal: Public[int]
    wishes: Public[tuple[int, ...]]


class CardPlayed(Event, frozen=True, kw_only=True, tag="pairs.card-played"):
    deal: Public[int]
    seat: Public[Seat]
    answers: Public[str]
    card: Public[str]


class TrickTaken(Event, frozen=True, kw_only=True, tag="pairs.trick-taken"):
    deal: Public[int]
    trick: Public[int]
    seat: Public[Seat]


class DealScored(Event, frozen=True, kw_only=True, tag="pairs.deal-scored"):
    ends_draw: ClassVar[bool] = True

    deal: Public[int]
    points: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


EVENTS = (Dealt, WishMade, WishesRevealed, CardPlayed, TrickTaken, DealScored)


class PairsState(msgspec.Struct, frozen=True, kw_only=True):
    """`wishes` are by seat, None before they are made; `leader` is None until all are revealed."""

    deals: int
    totals: tuple[int, ...] = (0,) * SEATS
    deal: int = 0
    hands: tuple[CardSet, ...] = (0,) * SEATS
    wishes: tuple[int | None, ...] = (None,) * SEATS
    leader: Seat | None = None
    table: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    scored: tuple[tuple[tuple[Trick, ...], tuple[int, ...]], ...] = ()

    @property
    def dealing(self) -> bool:
        return self.deal == len(self.scored)


class PairsView(msgspec.Struct, frozen=True, kw_only=True):
    deal: int
    hand: Codes | None
    hand_counts: tuple[int, ...]
    wish: int | None
    wishes: tuple[int, ...] | None
    leader: int | None
    table: Codes
    tricks_taken: tuple[int, ...]
    totals: tuple[int, ...]
