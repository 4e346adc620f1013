"""What all card games ask of a deal that is written down beforehand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from domain.card_games.cards import FRENCH, Codes, Deck
from domain.kernel import RuleViolation, Seat


class ScriptedHands(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal written down beforehand: the cards dealt to each seat, in card order of `deck`."""

    deck: ClassVar[Deck] = FRENCH

    hands: tuple[Codes, ...]

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "hands", tuple(map(self.deck.in_order, self.hands)))


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


def whole_deals(
    deck: Deck | Mapping[int, Deck],
    most: Callable[[Any, int], int],
    first: str | None = None,
) -> Callable[[Any, int, int, Sequence[Any]], dict[str, Any]]:
    """`script_draws` of a game whose deals have `hands`, dealt out to the last card.

    `deck` may be one for each number of seats. `most(options, seats)` is how many deals a game can
    have. `first` is the purpose of the draw of a seat before the first deal, such as "dealer", and
    the field by which that deal names it.
    """

    def script_draws(
        options: Any, seats: int, first_deal: int, deals: Sequence[Any]
    ) -> dict[str, Any]:
        if first_deal < 1 or not deals or first_deal + len(deals) - 1 > most(options, seats):
            raise impossible("A script has at least one deal, and none that the game cannot reach.")
        numbered = dict(enumerate(deals, start=first_deal))
        own = deck if isinstance(deck, Deck) else deck[seats]
        return {
            f"d{number}.deal": whole_deck(own, seats, deal.hands)
            for number, deal in numbered.items()
        } | ({} if first is None else _drawn_first(first, seats, numbered))

    return script_draws


def _drawn_first(what: str, seats: int, deals: Mapping[int, Any]) -> dict[str, Seat]:
    """The seat that deal 1 names, if it does; it goes round from there."""
    named = {number: getattr(deal, what) for number, deal in deals.items()}
    if any(seat is not None for number, seat in named.items() if number > 1):
        raise impossible(f"Only the first deal of the game names a {what}.")
    if (seat := named.get(1)) is None:
        return {}
    if not 0 <= seat < seats:
        raise impossible(f"The {what} is one of the seats.")
    return {what: seat}
