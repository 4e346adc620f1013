"""A deal of Hearts and Minds told in lines of text, for transcripts."""

from typing import assert_never

from domain.card_games import narration
from domain.rulesets.hearts_and_minds import model
from domain.rulesets.hearts_and_minds.model import HeartsAndMindsEvent, HeartsAndMindsState
from domain.rulesets.hearts_and_minds.restrictions import BINDING


def narrate(state: HeartsAndMindsState, event: HeartsAndMindsEvent) -> tuple[str, ...]:
    match event:
        case model.LeaderDrawn():
            return (f"Seat {event.leader} leads the first deal (draw {event.draw.number})",)
        case model.Dealt():
            return narration.dealt(state.deck, event, f"seat {event.leader} leads")
        case model.GoalChosen():
            return (f"  seat {event.seat} chooses {event.goal}, face down",)
        case model.GoalsRevealed():
            return ("  goals revealed", *_goals(event))
        case model.CardPlayed():
            return ()
        case model.TrickTaken():
            played = narration.trick_played(state, event)
            return (f"{played}  trump {event.trump}, seat {event.seat} takes it",)
        case model.DealScored():
            return _scored(event)
        case _:
            assert_never(event)


def _goals(event: model.GoalsRevealed) -> tuple[str, ...]:
    """Who is bound must win and must trump; a suit to shun is scored as this table agreed."""
    return tuple(
        f"    seat {seat}  {goal}"
        + (f", bound, scored {event.suitless_scoring}" if goal in BINDING else "")
        for seat, goal in enumerate(event.goals)
    )


def _scored(event: model.DealScored) -> tuple[str, ...]:
    seats = (
        f"    seat {seat}  {goal}: {tricks} {'trick' if tricks == 1 else 'tricks'}, "
        f"{_counted(taken)}: {points:+d}"
        for seat, (goal, tricks, taken, points) in enumerate(
            zip(event.goals, event.tricks, event.taken, event.points, strict=True)
        )
    )
    return (*seats, f"  {narration.points_and_totals(event.points, event.totals)}")


def _counted(taken: model.SuitCounts) -> str:
    return f"H {taken.hearts} M {taken.minds} T {taken.thoughts} P {taken.prayers}"
