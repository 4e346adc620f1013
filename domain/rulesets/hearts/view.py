"""A table of Hearts as one viewer sees it. Hands and what was passed are the seat's own."""

import msgspec

from domain.card_games import trick_views
from domain.card_games.cards import FRENCH, CardSet, Codes
from domain.card_games.trick_views import PlayedTrickView, TrickView
from domain.card_games.tricks import taken_cards, tricks_taken
from domain.rulesets.hearts.model import SEATS, Direction, HeartsState, Phase
from domain.scores import Standings, standings
from domain.visibility import Viewer


class TakenTrickView(PlayedTrickView, frozen=True, kw_only=True):
    points: int


class HeartsView(msgspec.Struct, frozen=True, kw_only=True):
    """`hand`, `passed` and `received` are null for a spectator; lists of four are by seat."""

    deal: int
    phase: Phase
    pass_direction: Direction | None
    hand: Codes | None
    hand_counts: tuple[int, ...]
    picked: tuple[bool, ...]
    passed: Codes | None
    received: Codes | None
    trick: TrickView
    last_trick: TakenTrickView | None
    captured: tuple[Codes, ...]
    captured_points: tuple[int, ...]
    tricks_taken: tuple[int, ...]
    hearts_broken: bool
    totals: tuple[int, ...]
    target_score: int
    deal_points: tuple[tuple[int, ...], ...]
    standings: Standings


def view(state: HeartsState, viewer: Viewer) -> HeartsView:
    """Points taken so far are public (ruling HE-7), what was passed only to two seats (HE-5)."""
    seat = viewer.seat
    return HeartsView(
        deal=state.deal,
        phase=state.phase,
        pass_direction=state.direction if state.deal else None,
        hand=None if seat is None else FRENCH.listed(state.hands[seat]),
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        picked=tuple(pick != 0 for pick in state.picks),
        passed=_own(state.picks, seat),
        received=_own(state.received, seat),
        trick=trick_views.on_table(TrickView, state),
        last_trick=trick_views.last_trick(TakenTrickView, state, "points"),
        captured=tuple(FRENCH.listed(cards) for cards in taken_cards(state.tricks, SEATS)),
        captured_points=tuple(
            sum(trick.points for trick in state.tricks if trick.taker == taker)
            for taker in range(SEATS)
        ),
        tricks_taken=tricks_taken(state.tricks, SEATS),
        hearts_broken=state.broken,
        totals=state.totals,
        target_score=state.target_score,
        deal_points=tuple(scored.points for scored in state.scored),
        standings=standings(state.totals, "lower"),
    )


def _own(sets: tuple[CardSet, ...], seat: int | None) -> Codes | None:
    if seat is None or not sets[seat]:
        return None
    return FRENCH.listed(sets[seat])
