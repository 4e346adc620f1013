"""Deals of Hamlet written down beforehand, as the draws that give them."""

from collections.abc import Sequence
from typing import Any

from domain.card_games.cards import FRENCH, Codes
from domain.card_games.scripts import impossible, round_robin
from domain.card_games.trick_play import at_seat
from domain.kernel import Seat
from domain.rulesets.hamlet.model import HamletOptions, ScriptedDeal, hand_size
from domain.rulesets.hamlet.rules import deals_of


def script_draws(
    options: HamletOptions, seats: int, first_deal: int, deals: Sequence[ScriptedDeal]
) -> dict[str, Any]:
    """The first dealer, where stated, and the order of the deck of each scripted deal: the hands
    card by card from seat 0 on, the card to turn up, the stock."""
    if first_deal < 1 or not deals or first_deal + len(deals) - 1 > deals_of(options, seats):
        raise impossible("A script has at least one deal, and none that the game does not have.")
    draws: dict[str, Any] = {}
    first_dealer = _first_dealer(seats, first_deal, deals)
    if first_dealer is not None:
        draws["dealer"] = first_dealer
    for number, deal in enumerate(deals, start=first_deal):
        size = hand_size(options.pattern, seats, number)
        dealer = None if first_dealer is None else (first_dealer + number - 1) % seats
        with_trump = not options.no_trump_every or number % options.no_trump_every != 0
        draws[f"d{number}.deal"] = _order(deal, seats, size, dealer, with_trump=with_trump)
    return draws


def _first_dealer(seats: int, first_deal: int, deals: Sequence[ScriptedDeal]) -> Seat | None:
    """Ruling HA-1: the first dealer is drawn, or written down; the deal passes to the left."""
    later = deals[1:] if first_deal == 1 else deals
    if any(deal.dealer is not None for deal in later):
        raise impossible("The dealer is written down for the first deal of the game only.")
    dealer = deals[0].dealer
    if dealer is not None and not 0 <= dealer < seats:
        raise impossible("The dealer is one of the seats.")
    return dealer


def _order(
    deal: ScriptedDeal, seats: int, size: int, dealer: Seat | None, *, with_trump: bool
) -> Codes:
    if [len(hand) for hand in deal.hands] != [size] * seats:
        raise impossible(f"This deal is {seats} hands of {size}.")
    hands, turned = deal.hands, deal.turned
    if size * seats < len(FRENCH.codes):
        if turned is None:
            raise impossible("Cards are left over in this deal, and one of them is turned up.")
        undealt = (turned, *deal.stock)
    else:
        undealt = deal.stock
        if turned is not None:
            hands = _with_last_card(hands, turned, dealer if with_trump else None)
    order = round_robin(hands) + undealt
    if len(order) != len(FRENCH.codes) or set(order) != set(FRENCH.codes):
        raise impossible("Hands, turned card and stock are every card of the deck once.")
    return order


def _with_last_card(hands: tuple[Codes, ...], shown: str, dealer: Seat | None) -> tuple[Codes, ...]:
    """Ruling HA-3: the dealer's last card is the one shown, wherever it stands in that hand."""
    if dealer is None:
        raise impossible("No card is shown in this deal, or it is not written down who deals.")
    if shown not in hands[dealer]:
        raise impossible("Nothing is left over in this deal: the dealer's last card is shown.")
    others = tuple(card for card in hands[dealer] if card != shown)
    return at_seat(hands, dealer, (*others, shown))
