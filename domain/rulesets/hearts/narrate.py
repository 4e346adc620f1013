"""A deal of Hearts told in lines of text, for transcripts."""

from typing import assert_never

from domain.cards import FRENCH
from domain.kernel import Seat
from domain.rulesets.hearts.model import (
    SEATS,
    CardPlayed,
    CardsPassed,
    Codes,
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
            return (*_deal(event), *_hands(event.hands))
        case CardsPassed():
            to = (event.seat + STEPS[state.direction]) % SEATS
            return (f"  seat {event.seat} passes {' '.join(event.cards)} to seat {to}",)
        case PassesSwapped():
            hands = [kept | FRENCH.set_of(new) for kept, new in _kept(state, event)]
            return (
                f"  swapped; seat {event.leader} holds 2C and leads",
                *_hands(tuple(FRENCH.listed(hand) for hand in hands)),
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
    chance = "written down beforehand" if event.draw.scripted else f"draw {event.draw.number}"
    return "", f"Deal {event.deal} ({chance}): {passing}"


def _hands(hands: tuple[Codes, ...]) -> tuple[str, ...]:
    """Each hand on a line, a wider gap between the suits."""
    return tuple(
        f"    seat {seat}  "
        + "  ".join(
            " ".join(code for code in hand if code[1] == suit)
            for suit in FRENCH.suits
            if any(code[1] == suit for code in hand)
        )
        for seat, hand in enumerate(hands)
    )


def _trick(event: TrickTaken, leader: Seat) -> str:
    played = " ".join(
        f"{(leader + place) % SEATS}:{card}" for place, card in enumerate(event.cards)
    )
    points = f", {event.points}" if event.points else ""
    return f"  trick {event.trick:2}  {played}  seat {event.seat} takes it{points}"


def _scored(event: DealScored) -> tuple[str, ...]:
    moon = () if event.moon is None else (f"  seat {event.moon} shoots the moon",)
    points = " ".join(f"{old:+d}" for old in event.points)
    totals = " ".join(str(total) for total in event.totals)
    return (*moon, f"  points {points}  totals {totals}")
