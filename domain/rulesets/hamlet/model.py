"""What Hamlet is made of: options, moves, events, and the state they lead to."""

from typing import Annotated, ClassVar, Literal

import msgspec

from domain.card_games import trick_play
from domain.card_games.cards import FRENCH, Card, CardSet, Codes, Deck
from domain.card_games.tricks import PlayCard, Trick
from domain.chance import Draw
from domain.kernel import Event, Move, Seat
from domain.visibility import Hidden, PerSeat, Public

SEAT_COUNTS = (3, 4)

Pattern = Literal["full", "up_down"]
Phase = Literal["drawing", "dealing", "bid", "play", "over"]
TrumpSource = Literal["turned-card", "dealers-last-card", "none"]


class HamletOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rulings HA-8, HA-9. `deals` is filled in when the game is opened."""

    deals: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=99)] | None,
        msgspec.Meta(
            description="How many deals are played, 1 to 99. Left out, it is 9 with three seats, "
            "12 with four, and the whole sequence for up_down, which has 33 deals with three "
            "seats and 25 with four and cannot be played for longer."
        ),
    ] = None
    pattern: Annotated[
        Pattern,
        msgspec.Meta(
            description="full: each deal has 17 tricks with three seats, 13 with four. up_down: "
            "1 trick, then 2, up to that number, and down again to 1."
        ),
    ] = "full"
    no_trump_every: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=99,
            description="Every so many deals one is without trump: 3 means the deals 3, 6, 9; 1 "
            "means all of them, 0 none. A multiple of the number of seats gives one and the same "
            "dealer all deals without trump.",
        ),
    ] = 0


class ScriptedDeal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal written down beforehand. The last card of a hand is the last one dealt to it.

    `stock` are the undealt cards but for `turned`. Where nothing is left over to turn, `turned` is
    the dealer's last card. `dealer` is for the first deal of the game alone; left out, it is drawn.
    """

    hands: tuple[Codes, ...]
    stock: Codes = ()
    turned: str | None = None
    dealer: Seat | None = None

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "stock", FRENCH.in_order(self.stock))


class PlaceBid(Move, frozen=True, kw_only=True, tag="place_bid"):
    """How many tricks the seat will take. 0 is a bid like any other."""

    bid: int


HamletMove = PlaceBid | PlayCard


class DealerDrawn(Event, frozen=True, kw_only=True, tag="hamlet.dealer-drawn"):
    """Who deals first (ruling HA-1)."""

    draw: Public[Draw]
    dealer: Public[Seat]


class Dealt(Event, frozen=True, kw_only=True, tag="hamlet.dealt"):
    """A deal of `size` tricks. `leader`, on the dealer's left, bids and leads first.

    `turned` is the card shown: undealt, or the dealer's last one, which stays in that hand.
    `source` says where `trump` comes from: turned-card, dealers-last-card, or none in a deal
    without trump.
    """

    deal: Public[int]
    dealer: Public[Seat]
    leader: Public[Seat]
    size: Public[int]
    draw: Public[Draw]
    hands: PerSeat[Codes]
    stock: Hidden[Codes]
    turned: Public[str | None]
    trump: Public[str | None]
    source: Public[TrumpSource]


class BidMade(Event, frozen=True, kw_only=True, tag="hamlet.bid-made"):
    deal: Public[int]
    seat: Public[Seat]
    answers: Public[str]
    bid: Public[int]


class CardPlayed(trick_play.CardPlayed, frozen=True, tag="hamlet.card-played"): ...


class TrickTaken(trick_play.TrickTaken, frozen=True, tag="hamlet.trick-taken"):
    """`seat` took it; `cards` in the order played."""


class DealScored(Event, frozen=True, kw_only=True, tag="hamlet.deal-scored"):
    """By seat: the tricks bid, the tricks taken, and what that is worth."""

    ends_draw: ClassVar[bool] = True

    deal: Public[int]
    bids: Public[tuple[int, ...]]
    taken: Public[tuple[int, ...]]
    points: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


HamletEvent = DealerDrawn | Dealt | BidMade | CardPlayed | TrickTaken | DealScored


class ScoredDeal(msgspec.Struct, frozen=True):
    """What remains of a deal that is over; tuples are by seat."""

    deal: int
    dealer: Seat
    trump: CardSet
    tricks: tuple[Trick, ...]
    bids: tuple[int, ...]
    points: tuple[int, ...]


class HamletState(msgspec.Struct, frozen=True, kw_only=True):
    """A table of Hamlet; card sets and cards are bits of `FRENCH`, tuples of seats are by seat.

    `deals`, `pattern` and `no_trump_every` are agreed for the game, `totals` to `scored` of what
    was; the rest is of the deal under way. A bid of None is not made yet. `leader` bids first, then
    leads the current trick; None while no deal is under way. `trump` is a whole suit, or no card.
    """

    deck: ClassVar[Deck] = FRENCH

    seats: int
    deals: int
    pattern: Pattern
    no_trump_every: int
    totals: tuple[int, ...]
    dealer: Seat | None = None
    deal: int = 0
    scored: tuple[ScoredDeal, ...] = ()
    size: int = 0
    hands: tuple[CardSet, ...]
    stock: CardSet = 0
    turned: Card | None = None
    trump: CardSet = 0
    source: TrumpSource = "none"
    bids: tuple[int | None, ...]
    leader: Seat | None = None
    trick_cards: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()

    @property
    def phase(self) -> Phase:
        if self.leader is not None:
            return "bid" if None in self.bids else "play"
        if self.dealer is None:
            return "drawing"
        return "over" if self.deal == self.deals else "dealing"

    @property
    def bidding(self) -> Seat:
        """The seat whose bid is next: as many places after the leader as bids are made."""
        made = sum(bid is not None for bid in self.bids)
        return ((self.leader or 0) + made) % self.seats


def hand_size(pattern: Pattern, seats: int, deal: int) -> int:
    """The tricks of deal number `deal`: 1, 2 … the greatest hand once … 2, 1 for up_down."""
    greatest = len(FRENCH.codes) // seats
    return greatest if pattern == "full" else min(deal, 2 * greatest - deal)
