"""What each event of Hearts changes. Facts are applied, never judged: no rule is consulted here."""

from functools import reduce
from operator import or_
from typing import assert_never

from msgspec.structs import replace

from domain.card_games import trick_play
from domain.card_games.cards import FRENCH, moved
from domain.kernel import IntegrityError, stated_seat
from domain.rulesets.hearts import model
from domain.rulesets.hearts.model import HAND_SIZE, SEATS, HeartsEvent, HeartsState


def evolve(state: HeartsState, event: HeartsEvent) -> HeartsState:
    """Raises IntegrityError on a fact that cannot follow, such as a card played twice."""
    match event:
        case model.CardPlayed():
            broken = state.broken or event.breaks_hearts
            return trick_play.card_played(state, event, broken=broken)
        case model.TrickTaken():
            return trick_play.trick_taken(state, event, model.Trick, points=event.points)
        case model.Dealt():
            return _dealt(state, event)
        case model.CardsPassed():
            return _cards_passed(state, event)
        case model.PassesSwapped():
            return _passes_swapped(state, event)
        case model.DealScored():
            return _deal_scored(state, event)
        case _:
            assert_never(event)


def _dealt(state: HeartsState, event: model.Dealt) -> HeartsState:
    if state.phase != "dealing" or event.deal != state.deal + 1:
        raise IntegrityError("a deal begins out of order")
    hands = trick_play.stated_hands(state, event.hands, HAND_SIZE)
    FRENCH.check_whole(hands)
    if (event.leader is None) != (event.direction != "none"):
        raise IntegrityError("a deal has a leader at once where it has no pass, and only there")
    return HeartsState(
        target_score=state.target_score,
        totals=state.totals,
        deal=event.deal,
        direction=event.direction,
        hands=hands,
        leader=None if event.leader is None else stated_seat(event.leader, SEATS),
        scored=state.scored,
    )


def _cards_passed(state: HeartsState, event: model.CardsPassed) -> HeartsState:
    seat = stated_seat(event.seat, SEATS)
    if state.phase != "pass" or event.deal != state.deal or state.picks[seat]:
        raise IntegrityError("a seat passes out of order, or twice")
    cards = FRENCH.set_of(event.cards)
    return replace(
        state,
        hands=trick_play.at_seat(state.hands, seat, moved(state.hands[seat], cards)),
        picks=trick_play.at_seat(state.picks, seat, cards),
    )


def _passes_swapped(state: HeartsState, event: model.PassesSwapped) -> HeartsState:
    if state.phase != "pass" or event.deal != state.deal or not all(state.picks):
        raise IntegrityError("passes are swapped out of order")
    received = tuple(FRENCH.set_of(cards) for cards in event.received)
    if len(received) != SEATS or reduce(or_, received) != reduce(or_, state.picks):
        raise IntegrityError("the cards received are not the cards passed")
    hands = tuple(kept | new for kept, new in zip(state.hands, received, strict=True))
    if any(hand.bit_count() != HAND_SIZE for hand in hands):
        raise IntegrityError("a hand is not of 13 cards after the pass")
    return replace(state, hands=hands, received=received, leader=stated_seat(event.leader, SEATS))


def _deal_scored(state: HeartsState, event: model.DealScored) -> HeartsState:
    trick_play.check_played_out(state, event.deal, HAND_SIZE)
    taken = [sum(t.points for t in state.tricks if t.taker == seat) for seat in range(SEATS)]
    if list(event.captured) != taken:
        raise IntegrityError("the points of a deal are not those of its tricks")
    if event.totals != trick_play.added(state.totals, event.points):
        raise IntegrityError("the totals are not the old ones and the points of this deal")
    scored = model.ScoredDeal(state.deal, state.tricks, event.moon, event.points)
    return HeartsState(
        target_score=state.target_score,
        totals=event.totals,
        deal=state.deal,
        direction=state.direction,
        scored=(*state.scored, scored),
    )
