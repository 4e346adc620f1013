"""Hearts and Minds, as its rulebook has it: what may be done, and what follows."""

from typing import assert_never

from domain.card_games.tricks import (
    PlayCard,
    check_card,
    legal_plays,
    taken_cards,
    taker,
    taking_card,
    tricks_taken,
)
from domain.chance import Chance
from domain.kernel import NOTHING_LEGAL, Legal, Refusal, RuleViolation, Seat
from domain.rulesets.hearts_and_minds import scoring
from domain.rulesets.hearts_and_minds.model import (
    DEALS,
    GOALS,
    CardPlayed,
    ChooseGoal,
    DealScored,
    Dealt,
    GoalChosen,
    GoalsRevealed,
    HeartsAndMindsEvent,
    HeartsAndMindsMove,
    HeartsAndMindsOptions,
    HeartsAndMindsState,
    LeaderDrawn,
    Phase,
    TrickTaken,
    suit_counts,
)
from domain.rulesets.hearts_and_minds.restrictions import RESTRICTIONS, TRUMP_OF

GOAL_USED = "goal-used"

ASKED_FOR: dict[Phase, str] = {
    "play": "You are asked for one card to play.",
    "goal": "You are asked for the goal you choose.",
    "leader": "You are asked for nothing now.",
    "dealing": "You are asked for nothing now.",
    "over": "You are asked for nothing more.",
}


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
    if state.leader is not None:
        on_turn = (state.leader + len(state.table)) % state.seats
        return (on_turn,) if len(state.table) < state.seats else ()
    if state.phase == "goal":
        return tuple(seat for seat, pick in enumerate(state.picks) if pick is None)
    return ()


def question(state: HeartsAndMindsState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    if state.leader is None:
        return f"d{state.deal}.goal"
    return f"d{state.deal}.t{len(state.tricks) + 1}"


def legal_moves(state: HeartsAndMindsState, seat: Seat) -> Legal:
    asked = question(state, seat)
    if asked is None:
        return NOTHING_LEGAL
    if state.leader is None:
        return _legal_goals(state, seat, asked)
    return legal_plays(state.deck, state.hands[seat], RESTRICTIONS, state, seat, asked)


def _legal_goals(state: HeartsAndMindsState, seat: Seat, asked: str) -> Legal:
    goals = [ChooseGoal(answers=asked, goal=goal) for goal in GOALS]
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
) -> CardPlayed | GoalChosen:
    match move:
        case PlayCard() if state.phase == "play":
            return _play(state, seat, move)
        case ChooseGoal() if state.phase == "goal":
            return _choose(state, seat, move)
        case PlayCard() | ChooseGoal():
            raise RuleViolation("wrong-move", ASKED_FOR[state.phase], code="wrong-move")
        case _:
            assert_never(move)


def _choose(state: HeartsAndMindsState, seat: Seat, move: ChooseGoal) -> GoalChosen:
    """Ruling HM-6: a pick is final. A goal is used once per game."""
    used = state.used[seat]
    if move.goal in used:
        raise RuleViolation(GOAL_USED, _used_in(used.index(move.goal) + 1))
    return GoalChosen(deal=state.deal, seat=seat, answers=move.answers, goal=move.goal)


def _play(state: HeartsAndMindsState, seat: Seat, move: PlayCard) -> CardPlayed:
    check_card(state.deck, state.hands[seat], move.card, RESTRICTIONS, state, seat)
    return CardPlayed(
        deal=state.deal,
        trick=len(state.tricks) + 1,
        seat=seat,
        answers=move.answers,
        card=move.card,
    )


# --- what the table does by itself


def consequence(state: HeartsAndMindsState, chance: Chance) -> HeartsAndMindsEvent | None:
    match state.phase:
        case "play":
            if len(state.table) == state.seats:
                return _trick_taken(state)
            return _deal_scored(state) if len(state.tricks) == state.hand_size else None
        case "goal":
            return _goals_revealed(state)
        case "leader":
            leader, draw = chance.pick("leader", state.seats)
            return LeaderDrawn(leader=leader, draw=draw)
        case "dealing":
            return _dealt(state, chance)
        case "over":
            return None


def _dealt(state: HeartsAndMindsState, chance: Chance) -> Dealt:
    """One card at a time from seat 0; the first lead moves one to the left (ruling HM-1)."""
    assert state.first_leader is not None
    seats, deck = state.seats, state.deck
    order, draw = chance.shuffle(f"d{state.deal + 1}.deal", deck.codes)
    return Dealt(
        deal=state.deal + 1,
        leader=(state.first_leader + state.deal) % seats,
        draw=draw,
        hands=tuple(deck.listed(deck.set_of(order[seat::seats])) for seat in range(seats)),
    )


def _goals_revealed(state: HeartsAndMindsState) -> GoalsRevealed | None:
    chosen = tuple(goal for goal in state.picks if goal is not None)
    if len(chosen) < state.seats:
        return None
    return GoalsRevealed(deal=state.deal, goals=chosen, suitless_scoring=state.suitless_scoring)


def _trick_taken(state: HeartsAndMindsState) -> TrickTaken:
    """The highest trump takes it, else the highest card of the led suit."""
    assert state.leader is not None
    deck, cards = state.deck, state.table
    led = deck.suit_of(cards[0])
    trump = TRUMP_OF[deck.suit_code(led)]
    taking = taking_card(sum(cards), led, deck.suits[trump])
    return TrickTaken(
        deal=state.deal,
        trick=len(state.tricks) + 1,
        seat=taker(state.leader, cards, taking),
        cards=tuple(map(deck.code, cards)),
        trump=trump,
    )


def _deal_scored(state: HeartsAndMindsState) -> DealScored:
    """Ruling HM-7: the running total is held at 0 or above after each round."""
    points = scoring.points(
        scoring.Deal(state.deal, state.goals, state.tricks, state.deck, state.suitless_scoring)
    )
    pairs = zip(state.totals, points, strict=True)
    return DealScored(
        deal=state.deal,
        goals=state.goals,
        taken=tuple(suit_counts(state.deck, c) for c in taken_cards(state.tricks, state.seats)),
        tricks=tricks_taken(state.tricks, state.seats),
        points=points,
        totals=tuple(max(0, total + point) for total, point in pairs),
    )
