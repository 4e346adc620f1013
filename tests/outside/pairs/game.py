"""Pairs: what may be done, what the table does, what each event changes, what is seen."""

from collections.abc import Sequence
from typing import Any, assert_never

from msgspec.structs import replace

from domain.card_games.cards import Codes, moved
from domain.card_games.scripts import impossible, whole_deck
from domain.card_games.tricks import (
    PlayCard,
    Restriction,
    Trick,
    check_card,
    follow_suit,
    legal_plays,
    taker,
    taking_card,
    tricks_taken,
)
from domain.chance import Chance
from domain.kernel import NOTHING_LEGAL, Event, IntegrityError, Legal, RuleViolation, Seat
from domain.visibility import Viewer
from tests.outside.pairs import scoring
from tests.outside.pairs.model import (
    DECK,
    HAND_SIZE,
    SEATS,
    CardPlayed,
    DealScored,
    Dealt,
    PairsDeal,
    PairsOptions,
    PairsState,
    PairsView,
    PairsWish,
    TrickTaken,
    WishesRevealed,
    WishMade,
)

RESTRICTIONS: tuple[Restriction[PairsState], ...] = (
    follow_suit(lambda state: DECK.suit_of(state.table[0]) if state.table else None),
)


def initial(options: PairsOptions, seats: int) -> PairsState:
    return PairsState(deals=options.deals)


def to_act(state: PairsState) -> tuple[Seat, ...]:
    if state.dealing:
        return ()
    if state.leader is None:
        return tuple(seat for seat in range(SEATS) if state.wishes[seat] is None)
    return ((state.leader + len(state.table)) % SEATS,) if len(state.table) < SEATS else ()


def question(state: PairsState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    if state.leader is None:
        return f"d{state.deal}.wish"
    return f"d{state.deal}.t{len(state.tricks) + 1}"


def legal_moves(state: PairsState, seat: Seat) -> Legal:
    asked = question(state, seat)
    if asked is None:
        return NOTHING_LEGAL
    if state.leader is None:
        return Legal(tuple(PairsWish(answers=asked, tricks=n) for n in range(HAND_SIZE + 1)))
    return legal_plays(DECK, state.hands[seat], RESTRICTIONS, state, seat, asked)


def accept(state: PairsState, seat: Seat, move: PairsWish | PlayCard) -> Event:
    wishing = state.leader is None
    match move:
        case PairsWish() if wishing:
            if not 0 <= move.tricks <= HAND_SIZE:
                raise RuleViolation("wish", "There are three tricks.", code="illegal-move")
            return WishMade(deal=state.deal, seat=seat, answers=move.answers, tricks=move.tricks)
        case PlayCard() if not wishing:
            check_card(DECK, state.hands[seat], move.card, RESTRICTIONS, state, seat)
            return CardPlayed(deal=state.deal, seat=seat, answers=move.answers, card=move.card)
        case PairsWish() | PlayCard():
            raise RuleViolation("wrong-move", "You are asked for another move.", code="wrong-move")
        case _:
            assert_never(move)


def consequence(state: PairsState, chance: Chance) -> Event | None:
    if state.dealing:
        return _dealt(state, chance) if state.deal < state.deals else None
    if state.leader is None:
        if None in state.wishes:
            return None
        return WishesRevealed(deal=state.deal, wishes=tuple(w or 0 for w in state.wishes))
    if len(state.table) == SEATS:
        taking = taking_card(sum(state.table), DECK.suit_of(state.table[0]))
        seat = taker(state.leader, state.table, taking)
        return TrickTaken(deal=state.deal, trick=len(state.tricks) + 1, seat=seat)
    if len(state.tricks) == HAND_SIZE:
        points = scoring.points(state.tricks, state.wishes)
        totals = tuple(map(sum, zip(state.totals, points, strict=True)))
        return DealScored(deal=state.deal, points=points, totals=totals)
    return None


def _dealt(state: PairsState, chance: Chance) -> Dealt:
    order, draw = chance.shuffle(f"d{state.deal + 1}.deal", DECK.codes)
    hands = tuple(DECK.in_order(order[seat::SEATS]) for seat in range(SEATS))
    return Dealt(deal=state.deal + 1, draw=draw, hands=hands)


def evolve(state: PairsState, event: Any) -> PairsState:
    """Raises IntegrityError on a fact that cannot follow."""
    if event.deal != state.deal + (type(event) is Dealt) or state.dealing != (type(event) is Dealt):
        raise IntegrityError("a fact of another deal")
    match event:
        case Dealt():
            hands = tuple(map(DECK.set_of, event.hands))
            DECK.check_whole(hands)
            return replace(state, deal=event.deal, hands=hands)
        case WishMade():
            return _wished(state, event)
        case WishesRevealed():
            if state.leader is not None or event.wishes != state.wishes:
                raise IntegrityError("other wishes are revealed than were made")
            return replace(state, leader=(state.deal - 1) % SEATS)
        case CardPlayed():
            return _played(state, event)
        case TrickTaken():
            if state.leader is None or len(state.table) != SEATS:
                raise IntegrityError("a trick is taken that is not on the table")
            trick = Trick(state.leader, state.table, event.seat)
            return replace(state, leader=event.seat, table=(), tricks=(*state.tricks, trick))
        case _:
            return _scored(state, event)


def _wished(state: PairsState, event: WishMade) -> PairsState:
    wishes = list(state.wishes)
    if state.leader is not None or wishes[event.seat] is not None:
        raise IntegrityError("a wish is made out of order")
    wishes[event.seat] = event.tricks
    return replace(state, wishes=tuple(wishes))


def _played(state: PairsState, event: CardPlayed) -> PairsState:
    if (event.seat,) != to_act(state):
        raise IntegrityError("a card is played out of turn")
    card, hands = DECK.stated(event.card), list(state.hands)
    hands[event.seat] = moved(hands[event.seat], card)
    return replace(state, hands=tuple(hands), table=(*state.table, card))


def _scored(state: PairsState, event: DealScored) -> PairsState:
    if len(state.tricks) != HAND_SIZE:
        raise IntegrityError("a deal is scored before its last trick")
    scored = (*state.scored, (state.tricks, tuple(w or 0 for w in state.wishes)))
    return PairsState(deals=state.deals, deal=state.deal, totals=event.totals, scored=scored)


def view(state: PairsState, viewer: Viewer) -> PairsView:
    seat, wishes = viewer.seat, tuple(wish for wish in state.wishes if wish is not None)
    return PairsView(
        deal=state.deal,
        hand=None if seat is None else DECK.listed(state.hands[seat]),
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        wish=None if seat is None else state.wishes[seat],
        wishes=wishes if state.leader is not None else None,
        leader=state.leader,
        table=tuple(map(DECK.code, state.table)),
        tricks_taken=tricks_taken(state.tricks, SEATS),
        totals=state.totals,
    )


def max_draws(options: PairsOptions, seats: int) -> int:
    return options.deals


def script_draws(
    options: PairsOptions, seats: int, first_deal: int, deals: Sequence[PairsDeal]
) -> dict[str, Codes]:
    if first_deal < 1 or not deals or first_deal + len(deals) - 1 > options.deals:
        raise impossible("A script has at least one deal, and none that the game cannot reach.")
    return {
        f"d{number}.deal": whole_deck(DECK, SEATS, deal.hands)
        for number, deal in enumerate(deals, start=first_deal)
    }
