"""Decks as bit sets. A card is one bit, a hand or a suit a set of bits, as chess programs do it.

Cards are ordered by suit, then by rank, lowest first; so within a suit the higher card is the
higher bit. Codes (`QS`) are rank then suit, and stand in events, moves and views.
"""

from collections.abc import Iterable, Iterator

from domain.kernel import IntegrityError, RuleViolation

Card = int
CardSet = int
Codes = tuple[str, ...]


class Deck:
    """The cards of one game: `ranks` from the lowest up, `suits` in card order."""

    def __init__(self, ranks: str | tuple[str, ...], suits: str) -> None:
        self.codes: Codes = tuple(rank + suit for suit in suits for rank in ranks)
        self.all: CardSet = (1 << len(self.codes)) - 1
        self.suits: dict[str, CardSet] = {
            suit: ((1 << len(ranks)) - 1) << (place * len(ranks))
            for place, suit in enumerate(suits)
        }
        self._cards = {code: 1 << place for place, code in enumerate(self.codes)}
        self._suit_of = {card: suit for suit in self.suits.values() for card in members(suit)}

    def card(self, code: str) -> Card:
        """The card a client names; raises RuleViolation `invalid-card` where there is none."""
        try:
            return self._cards[code]
        except KeyError:
            raise RuleViolation(
                "invalid-card", "There is no such card in this deck.", code="invalid-card"
            ) from None

    def stated(self, code: str) -> Card:
        """The card an event states; raises IntegrityError where there is none."""
        try:
            return self._cards[code]
        except KeyError:
            raise IntegrityError("a card is stated that this deck does not have") from None

    def played(self, hand: CardSet, code: str) -> tuple[Card, CardSet]:
        """The card an event states, and the hand that it leaves, without it; as `moved`."""
        card = self._cards.get(code, 0)
        if not card & hand:
            moved(hand, self.stated(code))  # which says what is wrong
        return card, hand ^ card

    def code(self, card: Card) -> str:
        return self.codes[card.bit_length() - 1]

    def listed(self, cards: CardSet) -> Codes:
        """The codes of a set, in card order."""
        return tuple(self.code(card) for card in members(cards))

    def in_order(self, codes: Iterable[str]) -> Codes:
        """The same codes in card order; any that are of no card come last."""
        return tuple(sorted(codes, key=lambda code: self._cards.get(code, self.all)))

    def by_suit(self, codes: Iterable[str]) -> tuple[Codes, ...]:
        """The same codes suit by suit, without the suits that none is of."""
        given = tuple(codes)
        suits = (tuple(code for code in given if code[-1] == suit) for suit in self.suits)
        return tuple(filter(None, suits))

    def set_of(self, codes: Iterable[str]) -> CardSet:
        """The set of cards an event states; raises IntegrityError on a repeated or unknown one."""
        cards = 0
        for code in codes:
            card = self._cards.get(code, 0)
            if not card or cards & card:
                raise IntegrityError("a card is stated twice or is not of this deck")
            cards |= card
        return cards

    def check_whole(self, places: Iterable[CardSet]) -> None:
        """Raises IntegrityError unless every card of the deck is in one of these sets, once."""
        union = 0
        for cards in places:
            if cards & union:
                raise IntegrityError("a card of a deal is in two places")
            union |= cards
        if union != self.all:
            raise IntegrityError("a deal is not every card of the deck")

    def suit_of(self, card: Card) -> CardSet:
        """All cards of the suit `card` belongs to."""
        return self._suit_of[card]

    def suit_code(self, suit: CardSet) -> str:
        return self.code(suit)[-1]


def members(cards: CardSet) -> Iterator[Card]:
    """Each card of a set, lowest bit first."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card


def moved(hand: CardSet, cards: CardSet) -> CardSet:
    """`hand` without `cards`, each of which must be in it: a card leaves a hand once."""
    if cards & ~hand:
        raise IntegrityError("a card leaves a hand that does not hold it")
    return hand ^ cards


FRENCH = Deck("23456789TJQKA", "CDHS")
