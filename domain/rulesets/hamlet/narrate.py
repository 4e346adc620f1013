"""A deal of Hamlet told in lines of text, for transcripts."""

from typing import assert_never

from domain.card_games import narration
from domain.card_games.cards import FRENCH
from domain.kernel import Seat
from domain.rulesets.hamlet.model import (
    BidMade,
    CardPlayed,
    DealerDrawn,
    DealScored,
    Dealt,
    HamletEvent,
    HamletState,
    TrickTaken,
)


def narrate(state: HamletState, event: HamletEvent) -> tuple[str, ...]:
    """What a transcript says of `event`; `state` is the one before it."""
    match event:
        case DealerDrawn():
            return (f"Seat {event.dealer} deals first (draw {event.draw.number})",)
        case Dealt():
            return _dealt(event)
        case BidMade():
            return (f"  seat {event.seat} bids {event.bid}{_of(state, event)}",)
        case CardPlayed():
            return ()
        case TrickTaken():
            return (_trick(state, event, event.seat if state.leader is None else state.leader),)
        case DealScored():
            return _scored(event)
        case _:
            assert_never(event)


def _dealt(event: Dealt) -> tuple[str, ...]:
    chance = narration.drawn(event.draw)
    cards = "one card" if event.size == 1 else f"{event.size} cards"
    head = f"Deal {event.deal} ({chance}): {cards} each, seat {event.dealer} deals; {_shown(event)}"
    stock = (f"    stock   {narration.cards(FRENCH, event.stock)}",) if event.stock else ()
    return ("", head, *narration.hands(FRENCH, event.hands), *stock)


def _shown(event: Dealt) -> str:
    match event.source:
        case "turned-card":
            return f"{event.turned} is turned up, trump {event.trump}"
        case "dealers-last-card":
            return f"the dealer's last card is {event.turned}, trump {event.trump}"
        case "none":
            return "no trump" + (f", {event.turned} is turned up" if event.turned else "")
        case _:
            assert_never(event.source)


def _of(state: HamletState, event: BidMade) -> str:
    """After the last bid: what all bids add up to."""
    others = [bid for bid in state.bids if bid is not None]
    if len(others) < state.seats - 1:
        return ""
    return f"; {sum(others) + event.bid} bid of {state.size}"


def _trick(state: HamletState, event: TrickTaken, leader: Seat) -> str:
    played = narration.trick_played(event.trick, leader, event.cards)
    took = 1 + sum(trick.taker == event.seat for trick in state.tricks)
    bid = state.bids[event.seat]
    return f"{played}  seat {event.seat} takes it, {took} of {bid}"


def _scored(event: DealScored) -> tuple[str, ...]:
    kept = " ".join(f"{took}/{bid}" for took, bid in zip(event.taken, event.bids, strict=True))
    return (f"  taken/bid {kept}  {narration.points_and_totals(event.points, event.totals)}",)
