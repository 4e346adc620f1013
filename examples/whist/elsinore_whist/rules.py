"""Whist, as its rules have it: what may be done, what the table then does, and what it is worth."""

from collections.abc import Sequence
from functools import partial

from domain import scores
from domain.card_games import trick_play
from domain.card_games.cards import FRENCH
from domain.card_games.tricks import Trick
from domain.chance import Chance
from domain.kernel import Seat
from domain.scores import Outcome, ScoreLine
from elsinore_whist import model
from elsinore_whist.model import HAND_SIZE, SEATS, TEAMS, WhistEvent, WhistState

RESTRICTIONS = (trick_play.FOLLOW_SUIT,)
legal_moves = partial(trick_play.legal_plays, restrictions=RESTRICTIONS)
accept = partial(trick_play.play, model.CardPlayed, restrictions=RESTRICTIONS)
won_by = partial(scores.outcome, teams=TEAMS)


def to_act(state: WhistState) -> tuple[Seat, ...]:
    return trick_play.on_turn(state) if any(state.hands) else ()


def question(state: WhistState, seat: Seat) -> str | None:
    return trick_play.question(state) if seat in to_act(state) else None


def consequence(state: WhistState, chance: Chance) -> WhistEvent | None:
    if state.dealer is None:
        dealer, draw = chance.pick("dealer", SEATS)
        return model.DealerDrawn(draw=draw, dealer=dealer)
    if state.leader is None:
        return None if outcome(state) else _dealt(state, state.dealer, chance)
    if len(state.trick_cards) == SEATS:
        return trick_play.take(model.TrickTaken, state, FRENCH.suit_of(state.turned))
    if len(state.tricks) == HAND_SIZE:
        points = tuple(len(odd_tricks(state.tricks, TEAMS[seat % 2])) for seat in range(SEATS))
        totals = trick_play.added(state.totals, points)
        return model.DealScored(deal=state.deal, points=points, totals=totals)
    return None


def _dealt(state: WhistState, last_dealer: Seat, chance: Chance) -> model.Dealt:
    """Rulings WH-1, WH-2. A script has hands by seat: its cards go round from seat 0."""
    dealer = (last_dealer + 1) % SEATS if state.deal else last_dealer
    deal = state.deal + 1
    order, draw = chance.shuffle(f"d{deal}.deal", FRENCH.codes)
    first = 0 if draw.scripted else dealer + 1
    hands = [order[(seat - first) % SEATS :: SEATS] for seat in range(SEATS)]
    dealt, turned = tuple(map(FRENCH.in_order, hands)), hands[dealer][-1]
    return model.Dealt(deal=deal, dealer=dealer, draw=draw, hands=dealt, turned=turned)


def odd_tricks(tricks: Sequence[Trick], pair: tuple[Seat, ...]) -> list[tuple[int, str]]:
    """Those that a pair has taken after its first six: the number, and the card that took it."""
    return [
        (number, FRENCH.code(trick.cards[(trick.taker - trick.leader) % SEATS]))
        for number, trick in enumerate(tricks, start=1)
        if trick.taker in pair
    ][6:]


def score_lines(state: WhistState, after: int = 0) -> tuple[ScoreLine, ...]:
    return tuple(
        model.odd_trick(deal=deal, seat=seat, trick=number, card=card)
        for deal, tricks in enumerate(state.scored[after:], start=after + 1)
        for pair in TEAMS
        for number, card in odd_tricks(tricks, pair)
        for seat in pair
    )


def outcome(state: WhistState) -> Outcome | None:
    return won_by(state.totals, "higher") if max(state.totals) >= state.target else None
