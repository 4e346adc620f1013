"""Hamlet, as its rulebook has it: what may be done, and what the table then does."""

from typing import assert_never

from msgspec.structs import replace

from domain.card_games.cards import FRENCH, Codes
from domain.card_games.tricks import (
    PlayCard,
    Restriction,
    check_card,
    follow_suit,
    led_suit,
    legal_plays,
    taker,
    taking_card,
    tricks_taken,
)
from domain.chance import Chance
from domain.kernel import NOTHING_LEGAL, Legal, Refusal, RuleViolation, Seat
from domain.rulesets.hamlet import scoring
from domain.rulesets.hamlet.model import (
    BidMade,
    CardPlayed,
    DealerDrawn,
    DealScored,
    Dealt,
    HamletEvent,
    HamletMove,
    HamletOptions,
    HamletState,
    Phase,
    PlaceBid,
    TrickTaken,
    TrumpSource,
    hand_size,
)

DEFAULT_DEALS = {3: 9, 4: 12}
FORBIDDEN_BID = "forbidden-bid"


def complete_options(options: HamletOptions, seats: int) -> HamletOptions:
    return replace(options, deals=deals_of(options, seats))


def deals_of(options: HamletOptions, seats: int) -> int:
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


def initial(options: HamletOptions, seats: int) -> HamletState:
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
    bids = [PlaceBid(answers=asked, bid=bid) for bid in range(state.size + 1)]
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


RESTRICTIONS: tuple[Restriction[HamletState], ...] = (
    follow_suit(lambda state: led_suit(FRENCH, state.table)),
)


# --- who owes what


def to_act(state: HamletState) -> tuple[Seat, ...]:
    if state.leader is None:
        return ()
    if state.phase == "bid":
        return (state.bidding,)
    if len(state.table) == state.seats or len(state.tricks) == state.size:
        return ()
    return ((state.leader + len(state.table)) % state.seats,)


def question(state: HamletState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    if state.phase == "bid":
        return f"d{state.deal}.bid"
    return f"d{state.deal}.t{len(state.tricks) + 1}"


def legal_moves(state: HamletState, seat: Seat) -> Legal:
    asked = question(state, seat)
    if asked is None:
        return NOTHING_LEGAL
    if state.phase == "bid":
        return _legal_bids(state, asked)
    return legal_plays(FRENCH, state.hands[seat], RESTRICTIONS, state, seat, asked)


# --- what a seat does


ASKED_FOR: dict[Phase, str] = {
    "drawing": "You are asked for nothing now.",
    "dealing": "You are asked for nothing now.",
    "bid": "You are asked for your bid.",
    "play": "You are asked for one card to play.",
    "over": "You are asked for nothing more.",
}


def accept(state: HamletState, seat: Seat, move: HamletMove) -> BidMade | CardPlayed:
    match move:
        case PlayCard() if state.phase == "play":
            return _play(state, seat, move)
        case PlaceBid() if state.phase == "bid":
            return _bid(state, seat, move)
        case PlayCard() | PlaceBid():
            raise RuleViolation("wrong-move", ASKED_FOR[state.phase], code="wrong-move")
        case _:
            assert_never(move)


def _play(state: HamletState, seat: Seat, move: PlayCard) -> CardPlayed:
    check_card(FRENCH, state.hands[seat], move.card, RESTRICTIONS, state, seat)
    return CardPlayed(
        deal=state.deal,
        trick=len(state.tricks) + 1,
        seat=seat,
        answers=move.answers,
        card=move.card,
    )


def _bid(state: HamletState, seat: Seat, move: PlaceBid) -> BidMade:
    if not 0 <= move.bid <= state.size:
        raise RuleViolation("bid-out-of-range", f"A bid in this deal is 0 to {state.size}.")
    if move.bid == forbidden_bid(state):
        raise RuleViolation(FORBIDDEN_BID, _adds_up(state, move.bid))
    return BidMade(deal=state.deal, seat=seat, answers=move.answers, bid=move.bid)


# --- what the table does by itself


def consequence(state: HamletState, chance: Chance) -> HamletEvent | None:
    match state.phase:
        case "play" if state.leader is not None:
            if len(state.table) == state.seats:
                return _trick_taken(state, state.leader)
            return _deal_scored(state) if len(state.tricks) == state.size else None
        case "dealing":
            return _dealt(state, chance)
        case "drawing":
            dealer, draw = chance.pick("dealer", state.seats)
            return DealerDrawn(draw=draw, dealer=dealer)
        case _:
            return None


def _dealt(state: HamletState, chance: Chance) -> Dealt:
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
    return Dealt(
        deal=deal,
        dealer=dealer,
        leader=leader,
        size=size,
        draw=draw,
        hands=tuple(_in_card_order(hand) for hand in hands),
        stock=_in_card_order(order[dealt + 1 :]),
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


def _trick_taken(state: HamletState, leader: Seat) -> TrickTaken:
    """The highest trump takes it, else the highest card of the led suit."""
    cards = state.table
    taking = taking_card(sum(cards), FRENCH.suit_of(cards[0]), state.trump)
    return TrickTaken(
        deal=state.deal,
        trick=len(state.tricks) + 1,
        seat=taker(leader, cards, taking),
        cards=tuple(FRENCH.code(card) for card in cards),
    )


def _deal_scored(state: HamletState) -> DealScored:
    bids = tuple(bid for bid in state.bids if bid is not None)
    taken = tricks_taken(state.tricks, state.seats)
    points = tuple(scoring.points_for(bid, took) for bid, took in zip(bids, taken, strict=True))
    totals = tuple(total + point for total, point in zip(state.totals, points, strict=True))
    return DealScored(deal=state.deal, bids=bids, taken=taken, points=points, totals=totals)


def _in_card_order(codes: Codes) -> Codes:
    return FRENCH.listed(FRENCH.set_of(codes))
