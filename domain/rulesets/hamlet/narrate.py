"""A deal of Hamlet told in lines of text, for transcripts."""

from typing import assert_never

from domain.card_games import narration
from domain.card_games.cards import FRENCH
from domain.rulesets.hamlet import model
from domain.rulesets.hamlet.model import HamletEvent, HamletState


def narrate(state: HamletState, event: HamletEvent) -> tuple[str, ...]:
    """What a transcript says of `event`; `state` is the one before it."""
    match event:
        case model.DealerDrawn():
            return (f"Seat {event.dealer} deals first (draw {event.draw.number})",)
        case model.Dealt():
            return _dealt(event)
        case model.BidMade():
            return (f"  seat {event.seat} bids {event.bid}{_of(state, event)}",)
        case model.CardPlayed():
            return ()
        case model.TrickTaken():
            took = 1 + sum(trick.taker == event.seat for trick in state.tricks)
            score = f"{took} of {state.bids[event.seat]}"
            return (f"{narration.trick_played(state, event)}  seat {event.seat} takes it, {score}",)
        case model.DealScored():
            return _scored(event)
        case _:
            assert_never(event)


def _dealt(event: model.Dealt) -> tuple[str, ...]:
    cards = "one card" if event.size == 1 else f"{event.size} cards"
    how = f"{cards} each, seat {event.dealer} deals; {_shown(event)}"
    stock = (f"    stock   {narration.cards(FRENCH, event.stock)}",) if event.stock else ()
    return (*narration.dealt(FRENCH, event, how), *stock)


def _shown(event: model.Dealt) -> str:
    match event.source:
        case "turned-card":
            return f"{event.turned} is turned up, trump {event.trump}"
        case "dealers-last-card":
            return f"the dealer's last card is {event.turned}, trump {event.trump}"
        case "none":
            return "no trump" + (f", {event.turned} is turned up" if event.turned else "")
        case _:
            assert_never(event.source)


def _of(state: HamletState, event: model.BidMade) -> str:
    """After the last bid: what all bids add up to."""
    others = [bid for bid in state.bids if bid is not None]
    if len(others) < state.seats - 1:
        return ""
    return f"; {sum(others) + event.bid} bid of {state.size}"


def _scored(event: model.DealScored) -> tuple[str, ...]:
    kept = " ".join(f"{took}/{bid}" for took, bid in zip(event.taken, event.bids, strict=True))
    return (f"  taken/bid {kept}  {narration.points_and_totals(event.points, event.totals)}",)
