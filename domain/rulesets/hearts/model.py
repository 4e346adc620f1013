"""What Hearts is made of: options, moves, events, and the state they lead to."""

from typing import Annotated, ClassVar, Literal

import msgspec

from domain.card_games import scripts, trick_play, tricks
from domain.card_games.cards import FRENCH, Card, CardSet, Codes, Deck
from domain.card_games.tricks import PlayCard
from domain.chance import Draw
from domain.kernel import Event, Move, Seat
from domain.visibility import PerSeat, Public, SeatOnly

SEATS = 4
HAND_SIZE = 13
PASS_SIZE = 3

HEARTS: CardSet = FRENCH.suits["H"]
QUEEN_OF_SPADES: Card = FRENCH.card("QS")
TWO_OF_CLUBS: Card = FRENCH.card("2C")

Direction = Literal["left", "right", "across", "none"]
Phase = Literal["dealing", "pass", "play", "over"]


class HeartsOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ruling HE-4: 100 is the game; the option is for shorter ones."""

    target_score: Annotated[
        int,
        msgspec.Meta(
            ge=1,
            le=1000,
            description="The game ends after the deal in which some total reaches this.",
        ),
    ] = 100


class ScriptedDeal(scripts.ScriptedHands, frozen=True, kw_only=True):
    """A deal written down beforehand: the 13 cards dealt to each seat, in card order."""


class PassCards(Move, frozen=True, kw_only=True, tag="pass_cards"):
    cards: Codes


HeartsMove = PassCards | PlayCard


class Dealt(Event, frozen=True, kw_only=True, tag="hearts.dealt"):
    """`leader` is the holder of 2C, known at once in a deal without a pass."""

    deal: Public[int]
    direction: Public[Direction]
    draw: Public[Draw]
    hands: PerSeat[Codes]
    leader: Public[Seat | None]


class CardsPassed(Event, frozen=True, kw_only=True, tag="hearts.cards-passed"):
    """That a seat has picked is public, what is not (ruling HE-6)."""

    deal: Public[int]
    seat: Public[Seat]
    answers: Public[str]
    cards: SeatOnly[Codes]


class PassesSwapped(Event, frozen=True, kw_only=True, tag="hearts.passes-swapped"):
    deal: Public[int]
    direction: Public[Direction]
    received: PerSeat[Codes]
    leader: Public[Seat]


class CardPlayed(trick_play.CardPlayed, frozen=True, kw_only=True, tag="hearts.card-played"):
    breaks_hearts: Public[bool]


class TrickTaken(trick_play.TrickTaken, frozen=True, kw_only=True, tag="hearts.trick-taken"):
    """`seat` took it; `cards` in the order played."""

    points: Public[int]


class DealScored(Event, frozen=True, kw_only=True, tag="hearts.deal-scored"):
    """`captured` are points taken by each seat, `points` what a moon makes of them."""

    ends_draw: ClassVar[bool] = True

    deal: Public[int]
    captured: Public[tuple[int, ...]]
    moon: Public[Seat | None]
    points: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


HeartsEvent = Dealt | CardsPassed | PassesSwapped | CardPlayed | TrickTaken | DealScored


class Trick(tricks.Trick, frozen=True):
    points: int


class ScoredDeal(msgspec.Struct, frozen=True):
    """What remains of a deal that is over."""

    deal: int
    tricks: tuple[Trick, ...]
    moon: Seat | None
    points: tuple[int, ...]


NO_CARDS: tuple[CardSet, ...] = (0,) * SEATS


class HeartsState(msgspec.Struct, frozen=True):
    """A table of Hearts; card sets and cards are bits of `FRENCH`, tuples of four are by seat.

    `leader` leads the current trick; None while no card may be played. A picked card has left its
    hand. `picks` and `received` keep the pass of this deal, for the seats to see.
    """

    deck: ClassVar[Deck] = FRENCH
    seats: ClassVar[int] = SEATS

    target_score: int
    totals: tuple[int, ...] = (0,) * SEATS
    deal: int = 0
    direction: Direction = "none"
    hands: tuple[CardSet, ...] = NO_CARDS
    picks: tuple[CardSet, ...] = NO_CARDS
    received: tuple[CardSet, ...] = NO_CARDS
    leader: Seat | None = None
    trick_cards: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    broken: bool = False
    scored: tuple[ScoredDeal, ...] = ()

    @property
    def phase(self) -> Phase:
        if self.leader is not None:
            return "play"
        if self.hands != NO_CARDS:
            return "pass"
        return "over" if max(self.totals) >= self.target_score else "dealing"
