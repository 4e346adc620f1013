"""A table of Hearts and Minds as one viewer sees it. The hand is the seat's own, and its goal
until all are revealed."""

import msgspec

from domain.card_games import trick_views
from domain.card_games.cards import Codes
from domain.card_games.trick_views import CardView
from domain.card_games.tricks import taken_cards, tricks_taken
from domain.rulesets.hearts_and_minds import model
from domain.rulesets.hearts_and_minds.model import DEALS, GOALS, Goal, HeartsAndMindsState, Suit
from domain.rulesets.hearts_and_minds.restrictions import TRUMP_OF, is_bound
from domain.rulesets.hearts_and_minds.scoring import standings
from domain.scores import Standings
from domain.visibility import Viewer


class HeartsAndMindsTrickView(msgspec.Struct, frozen=True, kw_only=True):
    """The trick on the table, cards in the order played; `number` is 0 while none is.

    `trump` is fixed by the card that is led, and null until then.
    """

    number: int
    leader: int | None
    led: Suit | None
    trump: Suit | None
    cards: tuple[CardView, ...]


class HeartsAndMindsTakenTrickView(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    leader: int
    trump: Suit
    cards: tuple[CardView, ...]
    taker: int


class HeartsAndMindsView(msgspec.Struct, frozen=True, kw_only=True):
    """`hand` and `goal` are null for a spectator; lists of three or four are by seat.

    `leader` leads the first trick of the deal, `trick.leader` the one on the table.
    `goals` is null until they are revealed. `goals_used` lie face up, in the order of the deals.
    `bound` seats play under must-win and must-trump.
    """

    deal: int
    deals: int
    phase: model.Phase
    leader: int | None
    hand: Codes | None
    hand_counts: tuple[int, ...]
    goal: Goal | None
    picked: tuple[bool, ...]
    goals: tuple[Goal, ...] | None
    goals_used: tuple[tuple[Goal, ...], ...]
    goals_left: tuple[tuple[Goal, ...], ...]
    bound: tuple[bool, ...]
    trick: HeartsAndMindsTrickView
    last_trick: HeartsAndMindsTakenTrickView | None
    captured: tuple[Codes, ...]
    suit_counts: tuple[model.SuitCounts, ...]
    tricks_taken: tuple[int, ...]
    totals: tuple[int, ...]
    suitless_scoring: model.SuitlessScoring
    deal_points: tuple[tuple[int, ...], ...]
    deal_goals: tuple[tuple[Goal, ...], ...]
    standings: Standings


def view(state: HeartsAndMindsState, viewer: Viewer) -> HeartsAndMindsView:
    """A goal is its seat's own until all have picked (ruling HM-6)."""
    seat, deck, seats = viewer.seat, state.deck, state.seats
    return HeartsAndMindsView(
        deal=state.deal,
        deals=DEALS,
        phase=state.phase,
        leader=state.deal_leader,
        hand=None if seat is None else deck.listed(state.hands[seat]),
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        goal=None if seat is None else state.picks[seat],
        picked=tuple(pick is not None for pick in state.picks),
        goals=state.goals or None,
        goals_used=state.used,
        goals_left=tuple(tuple(g for g in GOALS if g not in used) for used in state.used),
        bound=tuple(is_bound(state, one) for one in range(seats)),
        trick=_current_trick(state),
        last_trick=trick_views.last_trick(HeartsAndMindsTakenTrickView, state, "trump"),
        captured=tuple(map(deck.listed, taken_cards(state.tricks, seats))),
        suit_counts=state.suit_counts,
        tricks_taken=tricks_taken(state.tricks, seats),
        totals=state.totals,
        suitless_scoring=state.suitless_scoring,
        deal_points=tuple(scored.points for scored in state.scored),
        deal_goals=tuple(scored.goals for scored in state.scored),
        standings=standings(state),
    )


def _current_trick(state: HeartsAndMindsState) -> HeartsAndMindsTrickView:
    trump = TRUMP_OF[state.deck.suit_code(state.trick_cards[0])] if state.trick_cards else None
    led = None if trump is None else TRUMP_OF[trump]
    return trick_views.on_table(HeartsAndMindsTrickView, state, led=led, trump=trump)
