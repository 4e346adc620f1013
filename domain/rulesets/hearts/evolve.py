"""What each event of Hearts changes. Facts are applied, never judged: no rule is consulted here."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from domain.card_games.cards import FRENCH, CardSet, moved
from domain.kernel import IntegrityError, stated_seat
from domain.rulesets.hearts.model import (
    HAND_SIZE,
    NO_CARDS,
    SEATS,
    CardPlayed,
    CardsPassed,
    DealScored,
    Dealt,
    HeartsEvent,
    HeartsState,
    PassesSwapped,
    ScoredDeal,
    Trick,
    TrickTaken,
)


def evolve(state: HeartsState, event: HeartsEvent) -> HeartsState:
    """Raises IntegrityError on a fact that cannot follow, such as a card played twice."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case Dealt():
            return _dealt(state, event)
        case CardsPassed():
            return _cards_passed(state, event)
        case PassesSwapped():
            return _passes_swapped(state, event)
        case DealScored():
            return _deal_scored(state, event)
        case _:
            assert_never(event)


def _card_played(state: HeartsState, event: CardPlayed) -> HeartsState:
    seat, table, hands = event.seat, state.table, state.hands
    if state.leader is None or len(table) == SEATS or event.deal != state.deal:
        raise IntegrityError("a card is played while none may be")
    if seat != (state.leader + len(table)) % SEATS or event.trick != len(state.tricks) + 1:
        raise IntegrityError("a card is played out of turn")
    card = FRENCH.stated(event.card)
    return replace(
        state,
        hands=(*hands[:seat], moved(hands[seat], card), *hands[seat + 1 :]),
        table=(*table, card),
        broken=state.broken or event.breaks_hearts,
    )


def _trick_taken(state: HeartsState, event: TrickTaken) -> HeartsState:
    cards = tuple(map(FRENCH.stated, event.cards))
    leader = state.leader
    if leader is None or len(cards) != SEATS or cards != state.table:
        raise IntegrityError("a trick is taken that is not on the table")
    if event.deal != state.deal or event.trick != len(state.tricks) + 1:
        raise IntegrityError("a trick is taken out of order")
    taken = Trick(leader, cards, stated_seat(event.seat, SEATS), event.points)
    return replace(state, leader=event.seat, table=(), tricks=(*state.tricks, taken))


def _dealt(state: HeartsState, event: Dealt) -> HeartsState:
    if state.phase != "dealing" or event.deal != state.deal + 1:
        raise IntegrityError("a deal begins out of order")
    hands = tuple(FRENCH.set_of(hand) for hand in event.hands)
    if [hand.bit_count() for hand in hands] != [HAND_SIZE] * SEATS:
        raise IntegrityError("a deal is not four hands of 13")
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


def _cards_passed(state: HeartsState, event: CardsPassed) -> HeartsState:
    seat = stated_seat(event.seat, SEATS)
    if state.phase != "pass" or event.deal != state.deal or state.picks[seat]:
        raise IntegrityError("a seat passes out of order, or twice")
    cards = FRENCH.set_of(event.cards)
    return replace(
        state,
        hands=_with(state.hands, seat, moved(state.hands[seat], cards)),
        picks=_with(state.picks, seat, cards),
    )


def _passes_swapped(state: HeartsState, event: PassesSwapped) -> HeartsState:
    if state.phase != "pass" or event.deal != state.deal or not all(state.picks):
        raise IntegrityError("passes are swapped out of order")
    received = tuple(FRENCH.set_of(cards) for cards in event.received)
    if len(received) != SEATS or _union(received) != _union(state.picks):
        raise IntegrityError("the cards received are not the cards passed")
    hands = tuple(kept | new for kept, new in zip(state.hands, received, strict=True))
    if any(hand.bit_count() != HAND_SIZE for hand in hands):
        raise IntegrityError("a hand is not of 13 cards after the pass")
    return replace(state, hands=hands, received=received, leader=stated_seat(event.leader, SEATS))


def _deal_scored(state: HeartsState, event: DealScored) -> HeartsState:
    if event.deal != state.deal or len(state.tricks) != HAND_SIZE or state.hands != NO_CARDS:
        raise IntegrityError("a deal is scored before its last trick is taken")
    taken = [sum(t.points for t in state.tricks if t.taker == seat) for seat in range(SEATS)]
    if list(event.captured) != taken:
        raise IntegrityError("the points of a deal are not those of its tricks")
    totals = tuple(old + new for old, new in zip(state.totals, event.points, strict=False))
    if len(event.points) != SEATS or event.totals != totals:
        raise IntegrityError("the totals are not the old ones and the points of this deal")
    return HeartsState(
        target_score=state.target_score,
        totals=totals,
        deal=state.deal,
        direction=state.direction,
        scored=(
            *state.scored,
            ScoredDeal(state.deal, state.tricks, event.moon, event.points),
        ),
    )


def _with(sets: tuple[CardSet, ...], seat: int, cards: CardSet) -> tuple[CardSet, ...]:
    return (*sets[:seat], cards, *sets[seat + 1 :])


def _union(sets: Iterable[CardSet]) -> CardSet:
    union = 0
    for cards in sets:
        union |= cards
    return union
