"""Deals of Hearts written down beforehand, as the deck orders that give them."""

from collections.abc import Sequence

from domain.cards import FRENCH
from domain.kernel import RuleViolation
from domain.rulesets.hearts.model import HAND_SIZE, SEATS, HeartsOptions, ScriptedDeal
from domain.rulesets.hearts.scoring import max_draws


def script_draws(
    options: HeartsOptions, seats: int, first_deal: int, deals: Sequence[ScriptedDeal]
) -> dict[str, tuple[str, ...]]:
    """For each scripted deal, the order of the deck that deals its hands card by card."""
    last_deal = first_deal + len(deals) - 1
    if first_deal < 1 or not deals or last_deal > max_draws(options, seats):
        raise _impossible("A script has at least one deal, and none that the game cannot reach.")
    return {
        f"d{number}.deal": _order(deal.hands) for number, deal in enumerate(deals, start=first_deal)
    }


def _order(hands: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    if [len(hand) for hand in hands] != [HAND_SIZE] * SEATS:
        raise _impossible(f"A deal is {SEATS} hands of {HAND_SIZE} cards.")
    order = tuple(card for round_of_cards in zip(*hands, strict=True) for card in round_of_cards)
    if set(order) != set(FRENCH.codes):
        raise _impossible("A deal has every card of the deck once.")
    return order


def _impossible(detail: str) -> RuleViolation:
    return RuleViolation("script", detail, code="impossible-script")
