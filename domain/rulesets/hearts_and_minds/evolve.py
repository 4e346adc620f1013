"""What each event of Hearts and Minds changes. Facts are applied, never judged."""

from typing import assert_never

from msgspec.structs import replace

from domain.card_games import trick_play
from domain.card_games.tricks import tricks_taken
from domain.kernel import IntegrityError, stated_seat
from domain.rulesets.hearts_and_minds import model
from domain.rulesets.hearts_and_minds.model import HeartsAndMindsEvent, HeartsAndMindsState


def evolve(state: HeartsAndMindsState, event: HeartsAndMindsEvent) -> HeartsAndMindsState:
    """Raises IntegrityError on a fact that cannot follow, such as a card played twice."""
    match event:
        case model.CardPlayed():
            return trick_play.card_played(state, event)
        case model.TrickTaken():
            return trick_play.trick_taken(state, event, model.Trick, trump=event.trump)
        case model.LeaderDrawn():
            if state.phase != "leader":
                raise IntegrityError("the first leader is drawn twice")
            return replace(state, first_leader=stated_seat(event.leader, state.seats))
        case model.Dealt():
            return _dealt(state, event)
        case model.GoalChosen():
            return _goal_chosen(state, event)
        case model.GoalsRevealed():
            return _goals_revealed(state, event)
        case model.DealScored():
            return _deal_scored(state, event)
        case _:
            assert_never(event)


def _dealt(state: HeartsAndMindsState, event: model.Dealt) -> HeartsAndMindsState:
    if state.phase != "dealing" or event.deal != state.deal + 1:
        raise IntegrityError("a deal begins out of order")
    hands = trick_play.stated_hands(state, event.hands, state.hand_size)
    state.deck.check_whole(hands)
    return replace(
        state, deal=event.deal, deal_leader=stated_seat(event.leader, state.seats), hands=hands
    )


def _goal_chosen(state: HeartsAndMindsState, event: model.GoalChosen) -> HeartsAndMindsState:
    seat = stated_seat(event.seat, state.seats)
    if state.phase != "goal" or event.deal != state.deal or state.picks[seat] is not None:
        raise IntegrityError("a seat chooses a goal out of order, or twice")
    if event.goal in state.used[seat]:
        raise IntegrityError("a goal is used a second time")
    return replace(state, picks=trick_play.at_seat(state.picks, seat, event.goal))


def _goals_revealed(state: HeartsAndMindsState, event: model.GoalsRevealed) -> HeartsAndMindsState:
    if state.phase != "goal" or event.deal != state.deal or event.goals != state.picks:
        raise IntegrityError("the goals revealed are not those that were chosen")
    if event.suitless_scoring != state.suitless_scoring:
        raise IntegrityError("the goals are revealed under another scoring")
    used = tuple((*old, new) for old, new in zip(state.used, event.goals, strict=True))
    return replace(state, used=used, leader=state.deal_leader)


def _deal_scored(state: HeartsAndMindsState, event: model.DealScored) -> HeartsAndMindsState:
    trick_play.check_played_out(state, event.deal, state.hand_size)
    if event.taken != state.suit_counts or event.tricks != tricks_taken(state.tricks, state.seats):
        raise IntegrityError("the counts of a deal are not those of its tricks")
    if event.goals != state.goals:
        raise IntegrityError("a deal is not scored by the goals that were revealed")
    sums = trick_play.added(state.totals, event.points)
    if event.totals != tuple(max(0, total) for total in sums):
        raise IntegrityError("the totals are not the old ones and the points of this deal")
    scored = model.ScoredDeal(state.deal, state.goals, state.tricks, event.points, event.totals)
    return replace(
        state,
        totals=event.totals,
        picks=(None,) * state.seats,
        deal_leader=None,
        leader=None,
        tricks=(),
        scored=(*state.scored, scored),
    )
