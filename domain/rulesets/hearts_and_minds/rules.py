"""Hearts and Minds, as its rulebook has it: what may be done, and what follows."""

from typing import assert_never

from domain.card_games import trick_play
from domain.card_games.tricks import PlayCard, tricks_taken
from domain.chance import Chance
from domain.kernel import NOTHING_LEGAL, Legal, Refusal, RuleViolation, Seat
from domain.rulesets.hearts_and_minds import model, scoring
from domain.rulesets.hearts_and_minds.model import (
    DEALS,
    GOALS,
    HeartsAndMindsEvent,
    HeartsAndMindsMove,
    HeartsAndMindsOptions,
    HeartsAndMindsState,
)
from domain.rulesets.hearts_and_minds.restrictions import RESTRICTIONS, TRUMP_OF

GOAL_USED = "goal-used"


def initial(options: HeartsAndMindsOptions, seats: int) -> HeartsAndMindsState:
    return HeartsAndMindsState(
        suitless_scoring=options.suitless_scoring,
        totals=(0,) * seats,
        used=((),) * seats,
        hands=(0,) * seats,
        picks=(None,) * seats,
    )


def max_draws(options: HeartsAndMindsOptions, seats: int) -> int:
    """The leader, and a deal for each of the four rounds."""
    return 1 + DEALS


# --- who owes what


def to_act(state: HeartsAndMindsState) -> tuple[Seat, ...]:
    if state.phase == "goal":
        return tuple(seat for seat, pick in enumerate(state.picks) if pick is None)
    return trick_play.on_turn(state)


def question(state: HeartsAndMindsState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    return f"d{state.deal}.goal" if state.phase == "goal" else trick_play.question(state)


def legal_moves(state: HeartsAndMindsState, seat: Seat) -> Legal:
    if (asked := question(state, seat)) is None:
        return NOTHING_LEGAL
    if state.leader is None:
        return _legal_goals(state, seat, asked)
    return trick_play.legal_plays(state, seat, RESTRICTIONS)


def _legal_goals(state: HeartsAndMindsState, seat: Seat, asked: str) -> Legal:
    goals = [model.ChooseGoal(answers=asked, goal=goal) for goal in GOALS]
    used = state.used[seat]
    return Legal(
        tuple(move for move in goals if move.goal not in used),
        tuple(
            Refusal(move=move, rule=GOAL_USED, detail=_used_in(used.index(move.goal) + 1))
            for move in goals
            if move.goal in used
        ),
    )


def _used_in(deal: int) -> str:
    return f"You used this goal in round {deal}; a goal is used once in a game."


# --- what a seat does


def accept(
    state: HeartsAndMindsState, seat: Seat, move: HeartsAndMindsMove
) -> model.CardPlayed | model.GoalChosen:
    match move:
        case PlayCard() if state.phase == "play":
            return trick_play.play(model.CardPlayed, state, seat, move, RESTRICTIONS)
        case model.ChooseGoal() if state.phase == "goal":
            return _choose(state, seat, move)
        case PlayCard() | model.ChooseGoal():
            raise trick_play.wrong_move(state.phase, {"goal": "the goal you choose"})
        case _:
            assert_never(move)


def _choose(state: HeartsAndMindsState, seat: Seat, move: model.ChooseGoal) -> model.GoalChosen:
    """Ruling HM-6: a pick is final. A goal is used once per game."""
    used = state.used[seat]
    if move.goal in used:
        raise RuleViolation(GOAL_USED, _used_in(used.index(move.goal) + 1))
    return model.GoalChosen(deal=state.deal, seat=seat, answers=move.answers, goal=move.goal)


# --- what the table does by itself


def consequence(state: HeartsAndMindsState, chance: Chance) -> HeartsAndMindsEvent | None:
    match state.phase:
        case "play":
            if len(state.trick_cards) == state.seats:
                return _trick_taken(state)
            return _deal_scored(state) if len(state.tricks) == state.hand_size else None
        case "goal":
            return _goals_revealed(state)
        case "leader":
            leader, draw = chance.pick("leader", state.seats)
            return model.LeaderDrawn(leader=leader, draw=draw)
        case "dealing":
            return _dealt(state, chance)
        case "over":
            return None


def _dealt(state: HeartsAndMindsState, chance: Chance) -> model.Dealt:
    """One card at a time from seat 0; the first lead moves one to the left (ruling HM-1)."""
    assert state.first_leader is not None
    leader = (state.first_leader + state.deal) % state.seats
    hands, draw = trick_play.deal_out(state, chance)
    return model.Dealt(deal=state.deal + 1, leader=leader, draw=draw, hands=hands)


def _goals_revealed(state: HeartsAndMindsState) -> model.GoalsRevealed | None:
    chosen = tuple(goal for goal in state.picks if goal is not None)
    if len(chosen) < state.seats:
        return None
    return model.GoalsRevealed(
        deal=state.deal, goals=chosen, suitless_scoring=state.suitless_scoring
    )


def _trick_taken(state: HeartsAndMindsState) -> model.TrickTaken:
    """The highest trump takes it, else the highest card of the led suit."""
    trump = TRUMP_OF[state.deck.suit_code(state.trick_cards[0])]
    return trick_play.take(model.TrickTaken, state, state.deck.suits[trump], trump=trump)


def _deal_scored(state: HeartsAndMindsState) -> model.DealScored:
    """Ruling HM-7: the running total is held at 0 or above after each round."""
    deal = scoring.Deal(state.deal, state.goals, state.tricks, state.deck, state.suitless_scoring)
    points = scoring.points(deal)
    sums = trick_play.added(state.totals, points)
    return model.DealScored(
        deal=state.deal,
        goals=state.goals,
        taken=state.suit_counts,
        tricks=tricks_taken(state.tricks, state.seats),
        points=points,
        totals=tuple(max(0, total) for total in sums),
    )
