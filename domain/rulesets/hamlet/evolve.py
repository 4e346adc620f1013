"""What each event of Hamlet changes. Facts are applied, never judged: no rule is consulted here."""

from typing import assert_never

from msgspec.structs import replace

from domain.card_games import trick_play
from domain.card_games.cards import FRENCH, CardSet
from domain.card_games.tricks import tricks_taken
from domain.kernel import IntegrityError, stated_seat
from domain.rulesets.hamlet import model
from domain.rulesets.hamlet.model import HamletEvent, HamletState


def evolve(state: HamletState, event: HamletEvent) -> HamletState:
    """Raises IntegrityError on a fact that cannot follow, such as a card played twice."""
    match event:
        case model.CardPlayed():
            if state.phase != "play":
                raise IntegrityError("a card is played while none may be")
            return trick_play.card_played(state, event)
        case model.TrickTaken():
            return trick_play.trick_taken(state, event)
        case model.BidMade():
            return _bid_made(state, event)
        case model.Dealt():
            return _dealt(state, event)
        case model.DealScored():
            return _deal_scored(state, event)
        case model.DealerDrawn():
            if state.phase != "drawing":
                raise IntegrityError("the first dealer is drawn twice")
            return replace(state, dealer=stated_seat(event.dealer, state.seats))
        case _:
            assert_never(event)


def _bid_made(state: HamletState, event: model.BidMade) -> HamletState:
    if state.phase != "bid" or event.deal != state.deal or event.seat != state.bidding:
        raise IntegrityError("a bid is made out of turn, or twice")
    if not 0 <= event.bid <= state.size:
        raise IntegrityError("a bid is not of a number of tricks that the deal has")
    return replace(state, bids=trick_play.at_seat(state.bids, event.seat, event.bid))


def _dealt(state: HamletState, event: model.Dealt) -> HamletState:
    if state.phase != "dealing" or event.deal != state.deal + 1:
        raise IntegrityError("a deal begins out of order")
    hands = trick_play.stated_hands(state, event.hands, event.size)
    dealer, stock = stated_seat(event.dealer, state.seats), FRENCH.set_of(event.stock)
    turned = None if event.turned is None else FRENCH.stated(event.turned)
    in_hand = event.source == "dealers-last-card"
    if in_hand != bool(turned and turned & hands[dealer]):
        raise IntegrityError(
            "the card shown is the dealer's where it is said to be, and only there"
        )
    FRENCH.check_whole([*hands, stock, 0 if in_hand or turned is None else turned])
    return replace(
        state,
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


def _trump(event: model.Dealt) -> CardSet:
    if (event.trump is None) != (event.source == "none"):
        raise IntegrityError("trump has a source, and there is none only without trump")
    if event.trump is None:
        return 0
    suit = FRENCH.suits.get(event.trump)
    if suit is None:
        raise IntegrityError(f"{event.trump} is no suit of this deck")
    return suit


def _deal_scored(state: HamletState, event: model.DealScored) -> HamletState:
    trick_play.check_played_out(state, event.deal, state.size)
    if event.bids != state.bids or event.taken != tricks_taken(state.tricks, state.seats):
        raise IntegrityError("the bids or tricks of a deal are not those that were made")
    if event.totals != trick_play.added(state.totals, event.points):
        raise IntegrityError("the totals are not the old ones and the points of this deal")
    assert state.dealer is not None
    scored = model.ScoredDeal(
        state.deal, state.dealer, state.trump, state.tricks, event.bids, event.points
    )
    return HamletState(
        seats=state.seats,
        deals=state.deals,
        pattern=state.pattern,
        no_trump_every=state.no_trump_every,
        totals=event.totals,
        dealer=state.dealer,
        deal=state.deal,
        scored=(*state.scored, scored),
        hands=(0,) * state.seats,
        bids=(None,) * state.seats,
    )
