"""Hearts from the redacted view alone: pass what is dangerous, duck, shed the queen, lead low.

Cards are bits of `FRENCH`. A choice is the card of least cost: points it may bring, weighed by how
likely it takes the trick, against what it would cost to keep it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domain.card_games.cards import FRENCH, Card, CardSet, members
from domain.chance import below, words
from workers.bots.uniform import filled, one_of

VERSION = "hearts-1"

Body = dict[str, Any]

SEATS = 4
HEARTS = FRENCH.suits["H"]
SPADES = FRENCH.suits["S"]
QUEEN = FRENCH.card("QS")
SUITS = tuple(FRENCH.suits.values())

BLUNDERS = {"easy": 30, "normal": 0, "hard": 0}
"""In how many of a hundred moves a level plays anything legal."""

SHOOTING_FROM = 17
"""Points that, all in one hand, look like a moon in the making."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the seat knows in the middle of a trick. `unseen` are the cards in other hands."""

    hand: CardSet
    unseen: CardSet
    played: tuple[Card, ...]
    first: bool
    shooter: bool

    @property
    def led(self) -> CardSet:
        return FRENCH.suit_of(self.played[0])

    @property
    def best(self) -> Card:
        return max(card for card in self.played if card & self.led)

    @property
    def points(self) -> int:
        return sum(worth(card) for card in self.played)

    @property
    def behind(self) -> int:
        """How many seats still play after this one."""
        return SEATS - 1 - len(self.played)


def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Body:
    """The body of a legal move, from what this seat may see, and chance from `seed` alone."""
    stream = words(seed, "bot", "hearts")
    level = view["seats"][view["seat"]]["level"]
    if below(100, stream) < BLUNDERS.get(level, 0):
        return one_of(legal, stream)
    if "choose" in legal[0]:
        return filled(legal[0], passed(cards_of(legal[0]["of"]), legal[0]["choose"]))
    if len(legal) == 1:
        return legal[0]
    table = table_of(view, watchful=level == "hard")
    return min(legal, key=lambda move: cost(table, FRENCH.card(move["card"])))


def table_of(view: Body, *, watchful: bool) -> Table:
    hand = cards_of(view["hand"])
    taken = [cards_of(cards) for cards in view["captured"]]
    played = tuple(FRENCH.card(play["card"]) for play in view["trick"]["cards"])
    return Table(
        hand=hand,
        unseen=FRENCH.all & ~(hand | sum(taken) | sum(played)),
        played=played,
        first=view["trick"]["number"] == 1,
        shooter=watchful and _is_shooting(view["captured_points"], view["seat"]),
    )


def _is_shooting(points: Sequence[int], seat: int) -> bool:
    """Somebody else has all the points so far, and enough to go on for the rest."""
    return sum(points) >= SHOOTING_FROM and max(points) == sum(points) != points[seat]


# --- the pass


def passed(hand: CardSet, count: int) -> tuple[str, ...]:
    """The most dangerous cards, one at a time: what one leaves behind changes the next."""
    kept = hand
    for _ in range(count):
        kept ^= max(members(kept), key=lambda card: pass_danger(kept, card))
    return FRENCH.listed(hand ^ kept)


def pass_danger(hand: CardSet, card: Card) -> float:
    """How glad a hand is to be rid of a card. Spades below the queen guard against her."""
    suit = FRENCH.suit_of(card)
    held = hand & suit
    below_it = (held & (card - 1)).bit_count()
    if suit == SPADES:
        guards = (held & (QUEEN - 1)).bit_count()
        if card >= QUEEN:
            return 30 - 8 * guards + (10 if card == QUEEN else 0)
        return -10
    length = held.bit_count()
    danger = rank(card) * (1.5 if suit == HEARTS else 1.2) - 3.0 * below_it
    if suit != HEARTS:
        danger += max(0, 4 - length) * 3.0
    return danger


# --- the play


def cost(table: Table, card: Card) -> float:
    if not table.played:
        return lead_cost(table, card)
    if card & table.led:
        return follow_cost(table, card)
    return -discard_gain(table, card)


def lead_cost(table: Table, card: Card) -> float:
    """Low, where others still hold higher; spades only to smoke the queen out of other hands."""
    suit = FRENCH.suit_of(card)
    takes = chance_to_take(table, card, SEATS - 1)
    danger = takes * expected_points(table, suit, SEATS - 1)
    if suit == SPADES and table.unseen & QUEEN:
        danger += 9.0 * takes if card > QUEEN else -1.5
    if suit == SPADES and table.hand & QUEEN:
        danger += 13.0 * takes + 4.0 if card == QUEEN else 2.0
    if not table.unseen & suit:
        danger += 2.0
    return danger - 0.05 * rank(card) + 0.1 * (table.hand & suit).bit_count()


def follow_cost(table: Table, card: Card) -> float:
    """Duck with the highest card that ducks; where the trick is harmless, shed a high one."""
    relief = 0.12 * keeping_cost(table, card)
    if card == QUEEN:
        return -13.0 if table.best > QUEEN else 13.0 * chance_to_take(table, card, table.behind)
    if card < table.best:
        return -relief
    takes = chance_to_take(table, card, table.behind)
    points = table.points + expected_points(table, table.led, table.behind)
    if table.shooter and not table.behind and 0 < table.points < 3:
        return -5.0
    if table.led == SPADES and card > QUEEN and table.unseen & QUEEN and table.behind:
        points += 5.0
    return takes * (points + 0.3) - relief


def discard_gain(table: Table, card: Card) -> float:
    """A void suit: the queen first, then what may be made to take her, then high hearts."""
    if card == QUEEN:
        return 100.0
    gain = keeping_cost(table, card)
    if card & HEARTS:
        gain += 1.0 - (3.0 if table.shooter else 0.0)
    return gain


# --- estimates


def chance_to_take(table: Table, card: Card, behind: int) -> float:
    """That nobody `behind` goes above `card`, who all stay below where they can."""
    if table.played and card < table.best:
        return 0.0
    out = table.unseen & FRENCH.suit_of(card)
    if not behind or not out:
        return 1.0
    lower = (out & (card - 1)).bit_count()
    share = lower / out.bit_count()
    return float(share ** (0.5 * behind)) if lower else (0.0 if out.bit_count() > 2 else 0.3)


def expected_points(table: Table, suit: CardSet, behind: int) -> float:
    """What those `behind` may yet throw on a trick of this suit."""
    if not behind or table.first:
        return 0.0
    if suit == HEARTS:
        return float(behind)
    out = (table.unseen & suit).bit_count()
    void = max(0.0, 1.0 - out / 9.0) ** 2
    queen = 13.0 if table.unseen & QUEEN else 0.0
    if suit == SPADES:
        return queen * 0.35 + void * behind * 0.8
    return behind * void * (0.8 + queen * 0.25)


def keeping_cost(table: Table, card: Card) -> float:
    """How likely a card takes a trick later that it should not, in points or so."""
    suit = FRENCH.suit_of(card)
    out = table.unseen & suit
    if not out:
        return 0.0
    held = table.hand & suit
    lower = (out & (card - 1)).bit_count()
    guards = (held & (card - 1)).bit_count()
    danger = 10.0 * lower / out.bit_count() - 1.5 * guards
    if suit == SPADES and card > QUEEN and table.unseen & QUEEN:
        danger += max(0.0, 14.0 - 4.0 * (held & (QUEEN - 1)).bit_count())
    return danger


def worth(card: Card) -> int:
    return 13 if card == QUEEN else int(bool(card & HEARTS))


def rank(card: Card) -> int:
    """0 for a two … 12 for an ace."""
    return (card.bit_length() - 1) % 13


def cards_of(codes: Sequence[str]) -> CardSet:
    return FRENCH.set_of(codes)
