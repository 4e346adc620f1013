"""What each event of Hamlet changes. Facts are applied, never judged: no rule is consulted here."""

from typing import assert_never

from msgspec.structs import replace

from domain.card_games.cards import FRENCH, CardSet, moved
from domain.card_games.tricks import Trick, tricks_taken
from domain.kernel import IntegrityError, stated_seat
from domain.rulesets.hamlet.model import (
    BidMade,
    CardPlayed,
    DealerDrawn,
    DealScored,
    Dealt,
    HamletEvent,
    HamletState,
    ScoredDeal,
    TrickTaken,
)


def evolve(state: HamletState, event: HamletEvent) -> HamletState:
    """Raises IntegrityError on a fact that cannot follow, such as a card played twice."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case BidMade():
            return _bid_made(state, event)
        case Dealt():
            return _dealt(state, event)
        case DealScored():
            return _deal_scored(state, event)
        case DealerDrawn():
            if state.phase != "drawing":
                raise IntegrityError("the first dealer is drawn twice")
            return replace(state, dealer=stated_seat(event.dealer, state.seats))
        case _:
            assert_never(event)


def _card_played(state: HamletState, event: CardPlayed) -> HamletState:
    seat, table, hands = event.seat, state.table, state.hands
    if state.leader is None or state.phase != "play" or len(table) == state.seats:
        raise IntegrityError("a card is played while none may be")
    if (event.deal, event.trick) != (state.deal, len(state.tricks) + 1):
        raise IntegrityError("a card is played out of order")
    if seat != (state.leader + len(table)) % state.seats:
        raise IntegrityError("a card is played out of turn")
    card = FRENCH.stated(event.card)
    return replace(
        state,
        hands=(*hands[:seat], moved(hands[seat], card), *hands[seat + 1 :]),
        table=(*table, card),
    )


def _trick_taken(state: HamletState, event: TrickTaken) -> HamletState:
    cards = tuple(map(FRENCH.stated, event.cards))
    leader = state.leader
    if leader is None or len(cards) != state.seats or cards != state.table:
        raise IntegrityError("a trick is taken that is not on the table")
    if (event.deal, event.trick) != (state.deal, len(state.tricks) + 1):
        raise IntegrityError("a trick is taken out of order")
    taken = Trick(leader, cards, stated_seat(event.seat, state.seats))
    return replace(state, leader=event.seat, table=(), tricks=(*state.tricks, taken))


def _bid_made(state: HamletState, event: BidMade) -> HamletState:
    if state.phase != "bid" or event.deal != state.deal or event.seat != state.bidding:
        raise IntegrityError("a bid is made out of turn, or twice")
    if not 0 <= event.bid <= state.size:
        raise IntegrityError("a bid is not of a number of tricks that the deal has")
    bids = state.bids
    return replace(state, bids=(*bids[: event.seat], event.bid, *bids[event.seat + 1 :]))


def _dealt(state: HamletState, event: Dealt) -> HamletState:
    if state.phase != "dealing" or event.deal != state.deal + 1:
        raise IntegrityError("a deal begins out of order")
    hands = tuple(FRENCH.set_of(hand) for hand in event.hands)
    if [hand.bit_count() for hand in hands] != [event.size] * state.seats or not event.size:
        raise IntegrityError("the hands of a deal are not each of its size")
    dealer, stock = stated_seat(event.dealer, state.seats), FRENCH.set_of(event.stock)
    turned = None if event.turned is None else FRENCH.stated(event.turned)
    in_hand = event.source == "dealers-last-card"
    if in_hand != bool(turned and turned & hands[dealer]):
        raise IntegrityError(
            "the card shown is the dealer's where it is said to be, and only there"
        )
    FRENCH.check_whole([*hands, stock, 0 if in_hand or turned is None else turned])
    return replace(
        _cleared(state),
        dealer=dealer,
        deal=event.deal,
        leader=stated_seat(event.leader, state.seats),
        size=event.size,
        hands=hands,
        stock=stock,
        turned=turned,
        trump=_trump(event),
        source=event.source,
    )


def _trump(event: Dealt) -> CardSet:
    if (event.trump is None) != (event.source == "none"):
        raise IntegrityError("trump has a source, and there is none only without trump")
    if event.trump is None:
        return 0
    suit = FRENCH.suits.get(event.trump)
    if suit is None:
        raise IntegrityError(f"{event.trump} is no suit of this deck")
    return suit


def _deal_scored(state: HamletState, event: DealScored) -> HamletState:
    if event.deal != state.deal or len(state.tricks) != state.size or state.dealer is None:
        raise IntegrityError("a deal is scored before its last trick is taken")
    if any(state.hands) or state.leader is None:
        raise IntegrityError("a deal is scored twice, or with cards in a hand")
    if event.bids != state.bids or event.taken != tricks_taken(state.tricks, state.seats):
        raise IntegrityError("the bids or tricks of a deal are not those that were made")
    totals = tuple(old + new for old, new in zip(state.totals, event.points, strict=False))
    if len(event.points) != state.seats or event.totals != totals:
        raise IntegrityError("the totals are not the old ones and the points of this deal")
    scored = ScoredDeal(
        state.deal, state.dealer, state.trump, state.tricks, event.bids, event.points
    )
    return replace(_cleared(state), totals=totals, scored=(*state.scored, scored))


def _cleared(state: HamletState) -> HamletState:
    """The table between two deals: agreements, totals, dealer and number of the last deal stay."""
    return HamletState(
        seats=state.seats,
        deals=state.deals,
        pattern=state.pattern,
        no_trump_every=state.no_trump_every,
        totals=state.totals,
        dealer=state.dealer,
        deal=state.deal,
        scored=state.scored,
        hands=(0,) * state.seats,
        bids=(None,) * state.seats,
    )
