"""Deals of Hearts written down beforehand, as the deck orders that give them."""

from collections.abc import Sequence

from domain.card_games.cards import FRENCH, Codes
from domain.card_games.scripts import impossible, whole_deck
from domain.rulesets.hearts.model import HeartsOptions, ScriptedDeal
from domain.rulesets.hearts.scoring import max_draws


def script_draws(
    options: HeartsOptions, seats: int, first_deal: int, deals: Sequence[ScriptedDeal]
) -> dict[str, Codes]:
    """For each scripted deal, the order of the deck that deals its hands card by card."""
    last_deal = first_deal + len(deals) - 1
    if first_deal < 1 or not deals or last_deal > max_draws(options, seats):
        raise impossible("A script has at least one deal, and none that the game cannot reach.")
    return {
        f"d{number}.deal": whole_deck(FRENCH, seats, deal.hands)
        for number, deal in enumerate(deals, start=first_deal)
    }
