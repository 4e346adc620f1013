"""A table of Hamlet as one viewer sees it. A hand is the seat's own; the stock is nobody's."""

import msgspec

from domain.card_games import trick_views
from domain.card_games.cards import FRENCH, Codes
from domain.card_games.trick_views import PlayedTrickView, TrickView
from domain.card_games.tricks import tricks_taken
from domain.rulesets.hamlet.model import HamletState, Pattern, Phase, ScoredDeal, TrumpSource
from domain.rulesets.hamlet.rules import forbidden_bid
from domain.scores import Standings, standings
from domain.visibility import Viewer


class PlayedDealView(msgspec.Struct, frozen=True, kw_only=True):
    """A deal that is over; lists are by seat."""

    deal: int
    dealer: int
    size: int
    trump: str | None
    bids: tuple[int, ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]


class HamletView(msgspec.Struct, frozen=True, kw_only=True):
    """`hand` is null for a spectator. `bids` are by seat, null where none is made yet: 0 is a bid.

    `forbidden_bid` is the dealer's, while the dealer is to bid. `turned` is the card shown in this
    deal; `trump_source` says what it means and whether it is in the dealer's hand. `stock_count`
    counts the undealt cards but for that one.
    """

    deal: int
    deals: int
    pattern: Pattern
    no_trump_every: int
    phase: Phase
    size: int
    dealer: int | None
    trump: str | None
    turned: str | None
    trump_source: TrumpSource
    stock_count: int
    hand: Codes | None
    hand_counts: tuple[int, ...]
    bids: tuple[int | None, ...]
    forbidden_bid: int | None
    tricks_taken: tuple[int, ...]
    trick: TrickView
    last_trick: PlayedTrickView | None
    played_tricks: tuple[PlayedTrickView, ...]
    played_deals: tuple[PlayedDealView, ...]
    totals: tuple[int, ...]
    standings: Standings


def view(state: HamletState, viewer: Viewer) -> HamletView:
    """Bids are public as soon as they are made; the stock is unknown to all (ruling HA-6)."""
    seat = viewer.seat
    tricks = trick_views.all_tricks(PlayedTrickView, state)
    return HamletView(
        deal=state.deal,
        deals=state.deals,
        pattern=state.pattern,
        no_trump_every=state.no_trump_every,
        phase=state.phase,
        size=state.size,
        dealer=state.dealer,
        trump=FRENCH.suit_code(state.trump) if state.trump else None,
        turned=None if state.turned is None else FRENCH.code(state.turned),
        trump_source=state.source,
        stock_count=state.stock.bit_count(),
        hand=None if seat is None else FRENCH.listed(state.hands[seat]),
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        bids=state.bids,
        forbidden_bid=forbidden_bid(state),
        tricks_taken=tricks_taken(state.tricks, state.seats),
        trick=_current(state),
        last_trick=tricks[-1] if tricks else None,
        played_tricks=tricks,
        played_deals=tuple(_played_deal(scored) for scored in state.scored),
        totals=state.totals,
        standings=standings(state.totals, "higher"),
    )


def _current(state: HamletState) -> TrickView:
    """None is on the table while seats bid, though it is known who will lead."""
    if state.phase == "bid":
        return TrickView(number=0, leader=None, cards=())
    return trick_views.on_table(TrickView, state)


def _played_deal(scored: ScoredDeal) -> PlayedDealView:
    return PlayedDealView(
        deal=scored.deal,
        dealer=scored.dealer,
        size=len(scored.tricks),
        trump=FRENCH.suit_code(scored.trump) if scored.trump else None,
        bids=scored.bids,
        taken=tricks_taken(scored.tricks, len(scored.bids)),
        points=scored.points,
    )
