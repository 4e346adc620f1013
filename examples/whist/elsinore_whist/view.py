"""A table of whist as one viewer sees it. A hand is the seat's own."""

import msgspec

from domain.card_games import trick_views
from domain.card_games.cards import FRENCH, Codes
from domain.card_games.trick_views import PlayedTrickView, TrickView
from domain.card_games.tricks import tricks_taken
from domain.visibility import Viewer
from elsinore_whist.model import WhistState


class WhistView(msgspec.Struct, frozen=True, kw_only=True):
    """`hand` is null for a spectator; lists of four are by seat. The suit of `turned` is trump."""

    deal: int
    dealer: int | None
    turned: str | None
    hand: Codes | None
    hand_counts: tuple[int, ...]
    trick: TrickView
    last_trick: PlayedTrickView | None
    tricks_taken: tuple[int, ...]
    totals: tuple[int, ...]


def view(state: WhistState, viewer: Viewer) -> WhistView:
    """Of tricks that are taken only the last is shown (ruling WH-4)."""
    return WhistView(
        deal=state.deal,
        dealer=state.dealer,
        turned=FRENCH.code(state.turned) if state.turned else None,
        hand=None if viewer.seat is None else FRENCH.listed(state.hands[viewer.seat]),
        hand_counts=tuple(hand.bit_count() for hand in state.hands),
        trick=trick_views.on_table(TrickView, state),
        last_trick=trick_views.last_trick(PlayedTrickView, state),
        tricks_taken=tricks_taken(state.tricks, state.seats),
        totals=state.totals,
    )
