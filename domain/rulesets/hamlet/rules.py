"""Hamlet, as its rulebook has it: what may be done, and what the table then does."""

from typing import assert_never

from msgspec.structs import replace

from domain.card_games import trick_play
from domain.card_games.cards import FRENCH, Codes
from domain.card_games.tricks import PlayCard, tricks_taken
from domain.chance import Chance
from domain.kernel import NOTHING_LEGAL, Legal, Refusal, RuleViolation, Seat
from domain.rulesets.hamlet import model, scoring
from domain.rulesets.hamlet.model import (
    HamletEvent,
    HamletMove,
    HamletState,
    TrumpSource,
    hand_size,
)

DEFAULT_DEALS = {3: 9, 4: 12}
FORBIDDEN_BID = "forbidden-bid"


def complete_options(options: model.HamletOptions, seats: int) -> model.HamletOptions:
    return replace(options, deals=deals_of(options, seats))


def deals_of(options: model.HamletOptions, seats: int) -> int:
    """Ruling HA-8: how many deals are played where nothing was said, and how many can be."""
    sequence = 2 * (len(FRENCH.codes) // seats) - 1
    if options.deals is None:
        return DEFAULT_DEALS[seats] if options.pattern == "full" else sequence
    if options.pattern == "up_down" and options.deals > sequence:
        raise RuleViolation(
            "HA-8",
            f"With {seats} seats up and down is {sequence} deals long.",
            code="invalid-options",
        )
    return options.deals


def initial(options: model.HamletOptions, seats: int) -> HamletState:
    return HamletState(
        seats=seats,
        deals=deals_of(options, seats),
        pattern=options.pattern,
        no_trump_every=options.no_trump_every,
        totals=(0,) * seats,
        hands=(0,) * seats,
        bids=(None,) * seats,
    )


# --- which bid may be made


def forbidden_bid(state: HamletState) -> int | None:
    """Ruling HA-5: what the dealer may not bid, it being the dealer's turn: the bid that would make
    all bids add up to the tricks of the deal. None where no bid does, or it is another's turn."""
    if state.phase != "bid" or state.bidding != state.dealer:
        return None
    left = state.size - sum(bid for bid in state.bids if bid is not None)
    return left if left >= 0 else None


def _legal_bids(state: HamletState, asked: str) -> Legal:
    forbidden = forbidden_bid(state)
    bids = [model.PlaceBid(answers=asked, bid=bid) for bid in range(state.size + 1)]
    return Legal(
        tuple(move for move in bids if move.bid != forbidden),
        tuple(
            Refusal(move=move, rule=FORBIDDEN_BID, detail=_adds_up(state, move.bid))
            for move in bids
            if move.bid == forbidden
        ),
    )


def _adds_up(state: HamletState, bid: int) -> str:
    return (
        f"With {bid} the bids would add up to the {state.size} tricks of this deal, which the "
        "dealer has to prevent."
    )


# --- which card may be played


RESTRICTIONS = (trick_play.FOLLOW_SUIT,)


# --- who owes what


def to_act(state: HamletState) -> tuple[Seat, ...]:
    if state.phase == "bid":
        return (state.bidding,)
    return () if len(state.tricks) == state.size else trick_play.on_turn(state)


def question(state: HamletState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    return f"d{state.deal}.bid" if state.phase == "bid" else trick_play.question(state)


def legal_moves(state: HamletState, seat: Seat) -> Legal:
    if (asked := question(state, seat)) is None:
        return NOTHING_LEGAL
    if state.phase == "bid":
        return _legal_bids(state, asked)
    return trick_play.legal_plays(state, seat, RESTRICTIONS)


# --- what a seat does


def accept(state: HamletState, seat: Seat, move: HamletMove) -> model.BidMade | model.CardPlayed:
    match move:
        case PlayCard() if state.phase == "play":
            return trick_play.play(model.CardPlayed, state, seat, move, RESTRICTIONS)
        case model.PlaceBid() if state.phase == "bid":
            return _bid(state, seat, move)
        case PlayCard() | model.PlaceBid():
            raise trick_play.wrong_move(state.phase, {"bid": "your bid"})
        case _:
            assert_never(move)


def _bid(state: HamletState, seat: Seat, move: model.PlaceBid) -> model.BidMade:
    if not 0 <= move.bid <= state.size:
        raise RuleViolation("bid-out-of-range", f"A bid in this deal is 0 to {state.size}.")
    if move.bid == forbidden_bid(state):
        raise RuleViolation(FORBIDDEN_BID, _adds_up(state, move.bid))
    return model.BidMade(deal=state.deal, seat=seat, answers=move.answers, bid=move.bid)


# --- what the table does by itself


def consequence(state: HamletState, chance: Chance) -> HamletEvent | None:
    match state.phase:
        case "play":
            if len(state.trick_cards) == state.seats:
                return _trick_taken(state)
            return _deal_scored(state) if len(state.tricks) == state.size else None
        case "dealing":
            return _dealt(state, chance)
        case "drawing":
            dealer, draw = chance.pick("dealer", state.seats)
            return model.DealerDrawn(draw=draw, dealer=dealer)
        case "bid" | "over":
            return None


def _dealt(state: HamletState, chance: Chance) -> model.Dealt:
    """One card at a time from the dealer's left, as many rounds as the deal has tricks.

    A script writes hands down by seat, whoever deals: its cards go round from seat 0.
    """
    deal, seats = state.deal + 1, state.seats
    dealer = ((state.dealer or 0) + (1 if state.deal else 0)) % seats
    leader = (dealer + 1) % seats
    size = hand_size(state.pattern, seats, deal)
    order, draw = chance.shuffle(f"d{deal}.deal", FRENCH.codes)
    first = 0 if draw.scripted else leader
    dealt = size * seats
    hands = [order[(seat - first) % seats : dealt : seats] for seat in range(seats)]
    turned, source = _shown(state, order[dealt:], hands[dealer][-1])
    return model.Dealt(
        deal=deal,
        dealer=dealer,
        leader=leader,
        size=size,
        draw=draw,
        hands=tuple(map(FRENCH.in_order, hands)),
        stock=FRENCH.in_order(order[dealt + 1 :]),
        turned=turned,
        trump=None if turned is None or source == "none" else turned[-1],
        source=source,
    )


def _shown(state: HamletState, undealt: Codes, dealers_last: str) -> tuple[str | None, TrumpSource]:
    """The card that is shown, and what it means (rulings HA-2 to HA-4, HA-9)."""
    every = state.no_trump_every
    if every and (state.deal + 1) % every == 0:
        return (undealt[0] if undealt else None), "none"
    return (undealt[0], "turned-card") if undealt else (dealers_last, "dealers-last-card")


def _trick_taken(state: HamletState) -> model.TrickTaken:
    """The highest trump takes it, else the highest card of the led suit."""
    return trick_play.take(model.TrickTaken, state, state.trump)


def _deal_scored(state: HamletState) -> model.DealScored:
    bids = tuple(bid for bid in state.bids if bid is not None)
    taken = tricks_taken(state.tricks, state.seats)
    points = tuple(scoring.points_for(bid, took) for bid, took in zip(bids, taken, strict=True))
    totals = trick_play.added(state.totals, points)
    return model.DealScored(deal=state.deal, bids=bids, taken=taken, points=points, totals=totals)
