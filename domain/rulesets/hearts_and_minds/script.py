"""Deals of Hearts and Minds written down beforehand, as the draws that give them."""

from collections.abc import Sequence
from typing import Any

from domain.card_games.scripts import impossible, whole_deck
from domain.rulesets.hearts_and_minds.model import DEALS, DECKS, HeartsAndMindsOptions, ScriptedDeal


def script_draws(
    options: HeartsAndMindsOptions, seats: int, first_deal: int, deals: Sequence[ScriptedDeal]
) -> dict[str, Any]:
    """For each scripted deal the order of the deck that deals its hands card by card, and the
    first leader where deal 1 names one; in later deals the lead follows from it (ruling HM-1)."""
    if first_deal < 1 or not deals or first_deal + len(deals) - 1 > DEALS:
        raise impossible(f"A script has at least one deal, and none after deal {DEALS}.")
    draws: dict[str, Any] = {}
    for number, deal in enumerate(deals, start=first_deal):
        if deal.leader is not None:
            draws["leader"] = _first_leader(number, deal.leader, seats)
        draws[f"d{number}.deal"] = whole_deck(DECKS[seats], seats, deal.hands)
    return draws


def _first_leader(deal: int, leader: int, seats: int) -> int:
    if deal != 1:
        raise impossible("Only the first deal names a leader: the lead then goes round.")
    if not 0 <= leader < seats:
        raise impossible("The leader is one of the seats.")
    return leader
