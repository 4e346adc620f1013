"""What all card games ask of a deal that is written down beforehand."""

from collections.abc import Sequence

from domain.card_games.cards import Codes, Deck
from domain.kernel import RuleViolation


def impossible(detail: str) -> RuleViolation:
    return RuleViolation("script", detail, code="impossible-script")


def round_robin(hands: Sequence[Codes]) -> Codes:
    """The cards of equal hands in the order in which they are dealt, one at a time from seat 0."""
    return tuple(card for round_of_cards in zip(*hands, strict=True) for card in round_of_cards)


def whole_deck(deck: Deck, seats: int, hands: Sequence[Codes]) -> Codes:
    """The order of the deck that deals these hands and leaves nothing over."""
    size = len(deck.codes) // seats
    if [len(hand) for hand in hands] != [size] * seats:
        raise impossible(f"A deal is {seats} hands of {size} cards.")
    order = round_robin(hands)
    if set(order) != set(deck.codes):
        raise impossible("A deal has every card of the deck once.")
    return order
