"""A deal of Hearts told in lines of text, for transcripts."""

from typing import assert_never

from domain.card_games import narration
from domain.card_games.cards import FRENCH, Codes
from domain.kernel import Seat
from domain.rulesets.hearts.model import (
    SEATS,
    CardPlayed,
    CardsPassed,
    DealScored,
    Dealt,
    HeartsEvent,
    HeartsState,
    PassesSwapped,
    TrickTaken,
)
from domain.rulesets.hearts.rules import STEPS


def narrate(state: HeartsState, event: HeartsEvent) -> tuple[str, ...]:
    match event:
        case Dealt():
            return (*_deal(event), *narration.hands(FRENCH, event.hands))
        case CardsPassed():
            to = (event.seat + STEPS[state.direction]) % SEATS
            return (f"  seat {event.seat} passes {' '.join(event.cards)} to seat {to}",)
        case PassesSwapped():
            hands = [kept | FRENCH.set_of(new) for kept, new in _kept(state, event)]
            return (
                f"  swapped; seat {event.leader} holds 2C and leads",
                *narration.hands(FRENCH, map(FRENCH.listed, hands)),
            )
        case CardPlayed():
            return ()
        case TrickTaken():
            return (_trick(event, event.seat if state.leader is None else state.leader),)
        case DealScored():
            return _scored(event)
        case _:
            assert_never(event)


def _kept(state: HeartsState, event: PassesSwapped) -> list[tuple[int, Codes]]:
    return list(zip(state.hands, event.received, strict=True))


def _deal(event: Dealt) -> tuple[str, str]:
    passing = (
        f"no pass; seat {event.leader} holds 2C and leads"
        if event.direction == "none"
        else f"pass {event.direction}"
    )
    return "", f"Deal {event.deal} ({narration.drawn(event.draw)}): {passing}"


def _trick(event: TrickTaken, leader: Seat) -> str:
    points = f", {event.points}" if event.points else ""
    played = narration.trick_played(event.trick, leader, event.cards)
    return f"{played}  seat {event.seat} takes it{points}"


def _scored(event: DealScored) -> tuple[str, ...]:
    moon = () if event.moon is None else (f"  seat {event.moon} shoots the moon",)
    return (*moon, f"  {narration.points_and_totals(event.points, event.totals)}")
