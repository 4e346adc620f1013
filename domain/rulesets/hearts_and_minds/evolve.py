"""What each event of Hearts and Minds changes. Facts are applied, never judged."""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from domain.card_games.cards import moved
from domain.card_games.tricks import taken_cards, tricks_taken
from domain.kernel import IntegrityError, Seat, stated_seat
from domain.rulesets.hearts_and_minds.model import (
    CardPlayed,
    DealScored,
    Dealt,
    GoalChosen,
    GoalsRevealed,
    HeartsAndMindsEvent,
    HeartsAndMindsState,
    LeaderDrawn,
    ScoredDeal,
    Trick,
    TrickTaken,
    suit_counts,
)

T = TypeVar("T")


def evolve(state: HeartsAndMindsState, event: HeartsAndMindsEvent) -> HeartsAndMindsState:
    """Raises IntegrityError on a fact that cannot follow, such as a card played twice."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case LeaderDrawn():
            return _leader_drawn(state, event)
        case Dealt():
            return _dealt(state, event)
        case GoalChosen():
            return _goal_chosen(state, event)
        case GoalsRevealed():
            return _goals_revealed(state, event)
        case DealScored():
            return _deal_scored(state, event)
        case _:
            assert_never(event)


def _leader_drawn(state: HeartsAndMindsState, event: LeaderDrawn) -> HeartsAndMindsState:
    if state.phase != "leader":
        raise IntegrityError("the first leader is drawn twice")
    return replace(state, first_leader=stated_seat(event.leader, state.seats))


def _dealt(state: HeartsAndMindsState, event: Dealt) -> HeartsAndMindsState:
    if state.phase != "dealing" or event.deal != state.deal + 1:
        raise IntegrityError("a deal begins out of order")
    hands = tuple(state.deck.set_of(hand) for hand in event.hands)
    if [hand.bit_count() for hand in hands] != [state.hand_size] * state.seats:
        raise IntegrityError("a deal is not a hand of the same size for each seat")
    state.deck.check_whole(hands)
    return replace(
        state, deal=event.deal, deal_leader=stated_seat(event.leader, state.seats), hands=hands
    )


def _goal_chosen(state: HeartsAndMindsState, event: GoalChosen) -> HeartsAndMindsState:
    seat = stated_seat(event.seat, state.seats)
    if state.phase != "goal" or event.deal != state.deal or state.picks[seat] is not None:
        raise IntegrityError("a seat chooses a goal out of order, or twice")
    if event.goal in state.used[seat]:
        raise IntegrityError("a goal is used a second time")
    return replace(state, picks=_with(state.picks, seat, event.goal))


def _goals_revealed(state: HeartsAndMindsState, event: GoalsRevealed) -> HeartsAndMindsState:
    if state.phase != "goal" or event.deal != state.deal or event.goals != state.picks:
        raise IntegrityError("the goals revealed are not those that were chosen")
    if event.suitless_scoring != state.suitless_scoring:
        raise IntegrityError("the goals are revealed under another scoring")
    used = tuple((*old, new) for old, new in zip(state.used, event.goals, strict=True))
    return replace(state, used=used, leader=state.deal_leader)


def _card_played(state: HeartsAndMindsState, event: CardPlayed) -> HeartsAndMindsState:
    seat, table = event.seat, state.table
    if state.leader is None or len(table) == state.seats or event.deal != state.deal:
        raise IntegrityError("a card is played while none may be")
    if seat != (state.leader + len(table)) % state.seats or event.trick != len(state.tricks) + 1:
        raise IntegrityError("a card is played out of turn")
    card = state.deck.stated(event.card)
    return replace(
        state,
        hands=_with(state.hands, seat, moved(state.hands[seat], card)),
        table=(*table, card),
    )


def _trick_taken(state: HeartsAndMindsState, event: TrickTaken) -> HeartsAndMindsState:
    cards = tuple(map(state.deck.stated, event.cards))
    if state.leader is None or len(cards) != state.seats or cards != state.table:
        raise IntegrityError("a trick is taken that is not on the table")
    if event.deal != state.deal or event.trick != len(state.tricks) + 1:
        raise IntegrityError("a trick is taken out of order")
    taken = Trick(state.leader, cards, stated_seat(event.seat, state.seats), event.trump)
    return replace(state, leader=event.seat, table=(), tricks=(*state.tricks, taken))


def _deal_scored(state: HeartsAndMindsState, event: DealScored) -> HeartsAndMindsState:
    seats = state.seats
    if event.deal != state.deal or len(state.tricks) != state.hand_size or any(state.hands):
        raise IntegrityError("a deal is scored before its last trick is taken")
    taken = tuple(suit_counts(state.deck, cards) for cards in taken_cards(state.tricks, seats))
    if event.taken != taken or event.tricks != tricks_taken(state.tricks, seats):
        raise IntegrityError("the counts of a deal are not those of its tricks")
    if event.goals != state.goals or len(event.points) != seats:
        raise IntegrityError("a deal is not scored by the goals that were revealed")
    sums = (old + new for old, new in zip(state.totals, event.points, strict=True))
    if event.totals != tuple(max(0, total) for total in sums):
        raise IntegrityError("the totals are not the old ones and the points of this deal")
    scored = ScoredDeal(state.deal, state.goals, state.tricks, event.points, event.totals)
    return replace(
        state,
        totals=event.totals,
        picks=(None,) * seats,
        deal_leader=None,
        leader=None,
        tricks=(),
        scored=(*state.scored, scored),
    )


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
