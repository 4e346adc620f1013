"""A deal of Hearts told in lines of text, for transcripts."""

from typing import assert_never

from domain.card_games import narration
from domain.card_games.cards import FRENCH
from domain.rulesets.hearts import model
from domain.rulesets.hearts.model import SEATS, HeartsEvent, HeartsState
from domain.rulesets.hearts.rules import STEPS


def narrate(state: HeartsState, event: HeartsEvent) -> tuple[str, ...]:
    match event:
        case model.Dealt():
            return narration.dealt(FRENCH, event, _passing(event))
        case model.CardsPassed():
            to = (event.seat + STEPS[state.direction]) % SEATS
            return (f"  seat {event.seat} passes {' '.join(event.cards)} to seat {to}",)
        case model.PassesSwapped():
            received = map(FRENCH.set_of, event.received)
            hands = [kept | new for kept, new in zip(state.hands, received, strict=True)]
            return (
                f"  swapped; seat {event.leader} holds 2C and leads",
                *narration.hands(FRENCH, map(FRENCH.listed, hands)),
            )
        case model.CardPlayed():
            return ()
        case model.TrickTaken():
            points = f", {event.points}" if event.points else ""
            played = narration.trick_played(state, event)
            return (f"{played}  seat {event.seat} takes it{points}",)
        case model.DealScored():
            return _scored(event)
        case _:
            assert_never(event)


def _passing(event: model.Dealt) -> str:
    if event.direction == "none":
        return f"no pass; seat {event.leader} holds 2C and leads"
    return f"pass {event.direction}"


def _scored(event: model.DealScored) -> tuple[str, ...]:
    moon = () if event.moon is None else (f"  seat {event.moon} shoots the moon",)
    return (*moon, f"  {narration.points_and_totals(event.points, event.totals)}")
