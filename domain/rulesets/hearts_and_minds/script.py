"""Deals of Hearts and Minds written down beforehand, as the draws that give them."""

from collections.abc import Sequence
from typing import Any

from domain.kernel import RuleViolation
from domain.rulesets.hearts_and_minds.model import (
    DEALS,
    DECKS,
    HeartsAndMindsOptions,
    ScriptedDeal,
)


def script_draws(
    options: HeartsAndMindsOptions, seats: int, first_deal: int, deals: Sequence[ScriptedDeal]
) -> dict[str, Any]:
    """For each scripted deal the order of the deck that deals its hands card by card, and the
    first leader where deal 1 names one; in later deals the lead follows from it (RULES HM-1)."""
    if first_deal < 1 or not deals or first_deal + len(deals) - 1 > DEALS:
        raise _impossible(f"A script has at least one deal, and none after deal {DEALS}.")
    draws: dict[str, Any] = {}
    for number, deal in enumerate(deals, start=first_deal):
        if deal.leader is not None:
            draws["leader"] = _first_leader(number, deal.leader, seats)
        draws[f"d{number}.deal"] = _order(deal.hands, seats)
    return draws


def _first_leader(deal: int, leader: int, seats: int) -> int:
    if deal != 1:
        raise _impossible("Only the first deal names a leader: the lead then goes round.")
    if not 0 <= leader < seats:
        raise _impossible("The leader is one of the seats.")
    return leader


def _order(hands: tuple[tuple[str, ...], ...], seats: int) -> tuple[str, ...]:
    codes = DECKS[seats].codes
    if [len(hand) for hand in hands] != [len(codes) // seats] * seats:
        raise _impossible(f"A deal is {seats} hands of {len(codes) // seats} cards.")
    order = tuple(card for round_of_cards in zip(*hands, strict=True) for card in round_of_cards)
    if set(order) != set(codes):
        raise _impossible("A deal has every card of the deck once.")
    return order


def _impossible(detail: str) -> RuleViolation:
    return RuleViolation("script", detail, code="impossible-script")
