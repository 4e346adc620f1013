"""What Hearts and Minds is made of: options, moves, events, and the state they lead to."""

from typing import Annotated, ClassVar, Literal, get_args

import msgspec

from domain.card_games import scripts, trick_play, tricks
from domain.card_games.cards import Card, CardSet, Codes, Deck
from domain.card_games.tricks import PlayCard
from domain.chance import Draw
from domain.kernel import Event, Move, Seat
from domain.visibility import PerSeat, Public, SeatOnly

SEAT_COUNTS = (3, 4)
DEALS = 4
SUITS = "HMTP"
RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")

DECKS: dict[int, Deck] = {3: Deck(RANKS[:-1], SUITS), 4: Deck(RANKS, SUITS)}
"""By the number of seats: three play without the tens."""

Suit = Literal["H", "M", "T", "P"]
Goal = Literal[
    "most-hearts-and-minds",
    "least-thoughts-and-prayers",
    "balanced-diet",
    "heartless",
    "mindless",
]
GOALS: tuple[Goal, ...] = get_args(Goal)
SuitlessScoring = Literal["graded", "fewest"]
Phase = Literal["leader", "dealing", "goal", "play", "over"]


class HeartsAndMindsOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ruling HM-2: the text gives no scores for Heartless and Mindless."""

    suitless_scoring: Annotated[
        SuitlessScoring,
        msgspec.Meta(
            description="What Heartless and Mindless score. graded: 3 less the cards of the suit "
            "taken, not below -3. fewest: +3 with the fewest of all, ties included; else -3.",
        ),
    ] = "graded"


class ScriptedDeal(scripts.ScriptedHands, frozen=True, kw_only=True):
    """A deal written down beforehand: the hand of each seat, in card order; deal 1 may name its
    leader too."""

    deck: ClassVar[Deck] = DECKS[4]

    leader: int | None = None


class ChooseGoal(Move, frozen=True, kw_only=True, tag="choose_goal"):
    goal: Goal


HeartsAndMindsMove = ChooseGoal | PlayCard


class SuitCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many cards of each suit, in tricks taken."""

    hearts: int
    minds: int
    thoughts: int
    prayers: int


class LeaderDrawn(Event, frozen=True, kw_only=True, tag="hearts_and_minds.leader-drawn"):
    """Who leads the first deal (ruling HM-1)."""

    leader: Public[Seat]
    draw: Public[Draw]


class Dealt(Event, frozen=True, kw_only=True, tag="hearts_and_minds.dealt"):
    """`leader` leads the first trick of this deal; known before goals are chosen."""

    deal: Public[int]
    leader: Public[Seat]
    draw: Public[Draw]
    hands: PerSeat[Codes]


class GoalChosen(Event, frozen=True, kw_only=True, tag="hearts_and_minds.goal-chosen"):
    """That a seat has picked is public, what is not (ruling HM-6)."""

    deal: Public[int]
    seat: Public[Seat]
    answers: Public[str]
    goal: SeatOnly[Goal]


class GoalsRevealed(Event, frozen=True, kw_only=True, tag="hearts_and_minds.goals-revealed"):
    """All goals of the deal by seat, and how this table scores Heartless and Mindless."""

    deal: Public[int]
    goals: Public[tuple[Goal, ...]]
    suitless_scoring: Public[SuitlessScoring]


class CardPlayed(trick_play.CardPlayed, frozen=True, tag="hearts_and_minds.card-played"): ...


class TrickTaken(
    trick_play.TrickTaken, frozen=True, kw_only=True, tag="hearts_and_minds.trick-taken"
):
    """`seat` took it; `cards` in the order played, `trump` fixed by the first of them."""

    trump: Public[Suit]


class DealScored(Event, frozen=True, kw_only=True, tag="hearts_and_minds.deal-scored"):
    """By seat. `points` are those of this deal alone, `totals` are held at 0 or above."""

    ends_draw: ClassVar[bool] = True

    deal: Public[int]
    goals: Public[tuple[Goal, ...]]
    taken: Public[tuple[SuitCounts, ...]]
    tricks: Public[tuple[int, ...]]
    points: Public[tuple[int, ...]]
    totals: Public[tuple[int, ...]]


HeartsAndMindsEvent = (
    LeaderDrawn | Dealt | GoalChosen | GoalsRevealed | CardPlayed | TrickTaken | DealScored
)


class Trick(tricks.Trick, frozen=True):
    trump: Suit


class ScoredDeal(msgspec.Struct, frozen=True):
    """What remains of a deal that is over."""

    deal: int
    goals: tuple[Goal, ...]
    tricks: tuple[Trick, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class HeartsAndMindsState(msgspec.Struct, frozen=True):
    """A table; card sets and cards are bits of its deck, tuples of three or four are by seat.

    `deal_leader` leads the first trick of the current deal, `leader` the current trick; None while
    no card may be played. `picks` are the goals chosen for this deal, face down until `leader` is
    set; `used` the goals that lie face up, of this deal too, in the order of the deals.
    """

    suitless_scoring: SuitlessScoring
    totals: tuple[int, ...]
    used: tuple[tuple[Goal, ...], ...]
    hands: tuple[CardSet, ...]
    picks: tuple[Goal | None, ...]
    first_leader: Seat | None = None
    deal: int = 0
    deal_leader: Seat | None = None
    leader: Seat | None = None
    trick_cards: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    scored: tuple[ScoredDeal, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.totals)

    @property
    def deck(self) -> Deck:
        return DECKS[len(self.totals)]

    @property
    def hand_size(self) -> int:
        return len(self.deck.codes) // self.seats

    @property
    def phase(self) -> Phase:
        if self.leader is not None:
            return "play"
        if any(self.hands):
            return "goal"
        if self.first_leader is None:
            return "leader"
        return "over" if len(self.scored) == DEALS else "dealing"

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals of this deal, by seat, once they are revealed; empty before."""
        revealed = tuple(goal for goal in self.picks if goal is not None)
        return revealed if self.leader is not None else ()

    @property
    def suit_counts(self) -> tuple[SuitCounts, ...]:
        """By seat, of the tricks taken in this deal."""
        captured = tricks.taken_cards(self.tricks, self.seats)
        return tuple(_suit_counts(self.deck, cards) for cards in captured)


def _suit_counts(deck: Deck, cards: CardSet) -> SuitCounts:
    hearts, minds, thoughts, prayers = ((cards & deck.suits[s]).bit_count() for s in SUITS)
    return SuitCounts(hearts=hearts, minds=minds, thoughts=thoughts, prayers=prayers)
