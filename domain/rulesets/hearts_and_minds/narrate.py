"""A deal of Hearts and Minds told in lines of text, for transcripts."""

from typing import assert_never

from domain.kernel import Seat
from domain.rulesets.hearts_and_minds.model import (
    SUITS,
    CardPlayed,
    DealScored,
    Dealt,
    GoalChosen,
    GoalsRevealed,
    HeartsAndMindsEvent,
    HeartsAndMindsState,
    LeaderDrawn,
    SuitCounts,
    TrickTaken,
)
from domain.rulesets.hearts_and_minds.restrictions import BINDING


def narrate(state: HeartsAndMindsState, event: HeartsAndMindsEvent) -> tuple[str, ...]:
    match event:
        case LeaderDrawn():
            return (f"Seat {event.leader} leads the first deal (draw {event.draw.number})",)
        case Dealt():
            return _dealt(event)
        case GoalChosen():
            return (f"  seat {event.seat} chooses {event.goal}, face down",)
        case GoalsRevealed():
            return ("  goals revealed", *_goals(event))
        case CardPlayed():
            return ()
        case TrickTaken():
            return (_trick(state, event, event.seat if state.leader is None else state.leader),)
        case DealScored():
            return _scored(event)
        case _:
            assert_never(event)


def _dealt(event: Dealt) -> tuple[str, ...]:
    chance = "written down beforehand" if event.draw.scripted else f"draw {event.draw.number}"
    hands = (f"    seat {seat}  {_by_suit(hand)}" for seat, hand in enumerate(event.hands))
    return "", f"Deal {event.deal} ({chance}): seat {event.leader} leads", *hands


def _goals(event: GoalsRevealed) -> tuple[str, ...]:
    """Who is bound must win and must trump; a suit to shun is scored as this table agreed."""
    return tuple(
        f"    seat {seat}  {goal}"
        + (f", bound, scored {event.suitless_scoring}" if goal in BINDING else "")
        for seat, goal in enumerate(event.goals)
    )


def _trick(state: HeartsAndMindsState, event: TrickTaken, leader: Seat) -> str:
    played = " ".join(
        f"{(leader + place) % state.seats}:{card}" for place, card in enumerate(event.cards)
    )
    return f"  trick {event.trick:2}  {played}  trump {event.trump}, seat {event.seat} takes it"


def _scored(event: DealScored) -> tuple[str, ...]:
    seats = (
        f"    seat {seat}  {goal}: {tricks} {'trick' if tricks == 1 else 'tricks'}, "
        f"{_counted(taken)}: {points:+d}"
        for seat, (goal, tricks, taken, points) in enumerate(
            zip(event.goals, event.tricks, event.taken, event.points, strict=True)
        )
    )
    points = " ".join(f"{one:+d}" for one in event.points)
    totals = " ".join(str(total) for total in event.totals)
    return (*seats, f"  points {points}  totals {totals}")


def _counted(taken: SuitCounts) -> str:
    return f"H {taken.hearts} M {taken.minds} T {taken.thoughts} P {taken.prayers}"


def _by_suit(codes: tuple[str, ...]) -> str:
    """Cards on a line, a wider gap between the suits."""
    suits = [" ".join(code for code in codes if code[-1] == suit) for suit in SUITS]
    return "  ".join(suit for suit in suits if suit)
