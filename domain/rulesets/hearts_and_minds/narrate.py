"""A deal of Hearts and Minds told in lines of text, for transcripts."""

from typing import assert_never

from domain.card_games import narration
from domain.kernel import Seat
from domain.rulesets.hearts_and_minds.model import (
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
            return _dealt(state, event)
        case GoalChosen():
            return (f"  seat {event.seat} chooses {event.goal}, face down",)
        case GoalsRevealed():
            return ("  goals revealed", *_goals(event))
        case CardPlayed():
            return ()
        case TrickTaken():
            return (_trick(event, event.seat if state.leader is None else state.leader),)
        case DealScored():
            return _scored(event)
        case _:
            assert_never(event)


def _dealt(state: HeartsAndMindsState, event: Dealt) -> tuple[str, ...]:
    head = f"Deal {event.deal} ({narration.drawn(event.draw)}): seat {event.leader} leads"
    return "", head, *narration.hands(state.deck, event.hands)


def _goals(event: GoalsRevealed) -> tuple[str, ...]:
    """Who is bound must win and must trump; a suit to shun is scored as this table agreed."""
    return tuple(
        f"    seat {seat}  {goal}"
        + (f", bound, scored {event.suitless_scoring}" if goal in BINDING else "")
        for seat, goal in enumerate(event.goals)
    )


def _trick(event: TrickTaken, leader: Seat) -> str:
    played = narration.trick_played(event.trick, leader, event.cards)
    return f"{played}  trump {event.trump}, seat {event.seat} takes it"


def _scored(event: DealScored) -> tuple[str, ...]:
    seats = (
        f"    seat {seat}  {goal}: {tricks} {'trick' if tricks == 1 else 'tricks'}, "
        f"{_counted(taken)}: {points:+d}"
        for seat, (goal, tricks, taken, points) in enumerate(
            zip(event.goals, event.tricks, event.taken, event.points, strict=True)
        )
    )
    return (*seats, f"  {narration.points_and_totals(event.points, event.totals)}")


def _counted(taken: SuitCounts) -> str:
    return f"H {taken.hearts} M {taken.minds} T {taken.thoughts} P {taken.prayers}"
