"""Hamlet from the redacted view alone: count sure and likely tricks, bid them, and take as many.

Cards are bits of `FRENCH`. Each card in hand has a chance to take a trick sooner or later, so a
hand has a chance of every number of tricks; the best bid, and the best card, is the one whose
expected points are highest. The weights were fitted on games of this bot with itself by
`tests/workers/hamlet_weights.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from domain.card_games.cards import FRENCH, Card, CardSet, members
from domain.chance import below, words

VERSION = "hamlet-1"

Body = dict[str, Any]
Weights = tuple[float, ...]

E = 2.718281828459045
BLUNDERS = {"easy": 30, "normal": 0, "hard": 0}
"""In how many of a hundred moves a level plays anything legal."""

LATER_PLAIN: Weights = (0.833, -1.22, 0.567, -0.025, -0.071, -0.252, 0.087, 0.089, -3.131)
LATER_TRUMP: Weights = (1.47, -0.844, 0.536, -0.191, -0.52, -0.308, 0.758, -0.049, -2.062)
NOW_PLAIN: Weights = (2.71, -2.085, 0.785, -0.135, -0.607, -0.199, 0.397, -1.132)
NOW_TRUMP: Weights = (3.452, -1.085, 0.835, -0.25, -0.285, -0.973, 0.0, -1.079)
"""In the order of `later_features` and `now_features`."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a seat knows. `unseen` are the cards in other hands and in the stock, `held` the share
    of them that is in hands. `need` is what the seat still wants to take, `hunger` what the others
    do in each trick to come. `needs` and `voids` are of the seats that play after it."""

    hand: CardSet
    unseen: CardSet
    held: float
    trump: CardSet
    others: int
    need: int
    hunger: float
    played: tuple[Card, ...]
    needs: tuple[int, ...]
    voids: tuple[CardSet, ...]

    @property
    def led(self) -> CardSet:
        return FRENCH.suit_of(self.played[0])

    def beats(self, card: Card) -> bool:
        """Whether `card` is better than all that is on the table."""
        trumps = [one for one in self.played if one & self.trump]
        if trumps:
            return bool(card & self.trump) and card > max(trumps)
        if card & self.trump or not self.played:
            return True
        return bool(card & self.led) and card > max(one for one in self.played if one & self.led)


def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Body:
    """The body of a legal move, from what this seat may see, and chance from `seed` alone."""
    stream = words(seed, "bot", "hamlet")
    level = view["seats"][view["seat"]]["level"]
    if below(100, stream) < BLUNDERS.get(level, 0):
        return legal[below(len(legal), stream)]
    if len(legal) == 1:
        return legal[0]
    table = table_of(view)
    if "bid" in legal[0]:
        tricks = likely_tricks(table, table.hand)
        return max(legal, key=lambda move: expected_points(tricks, move["bid"], move["bid"]))
    bid = view["bids"][view["seat"]]
    return max(legal, key=lambda move: worth(table, FRENCH.card(move["card"]), bid))


def table_of(view: Body) -> Table:
    seat, bids, seats = view["seat"], view["bids"], len(view["bids"])
    hand, played = FRENCH.set_of(view["hand"]), _cards(view["trick"])
    unseen = FRENCH.all & ~(hand | _seen(view))
    left = hand.bit_count()
    needs = [(bid or 0) - took for bid, took in zip(bids, view["tricks_taken"], strict=True)]
    hungry = sum(max(0, need) for other, need in enumerate(needs) if other != seat)
    behind = [(seat + n) % seats for n in range(1, seats - len(played))]
    voids = _voids(view, seats)
    return Table(
        hand=hand,
        unseen=unseen,
        held=(sum(view["hand_counts"]) - left) / max(1, unseen.bit_count()),
        trump=FRENCH.suits[view["trump"]] if view["trump"] else 0,
        others=seats - 1,
        need=needs[seat],
        hunger=(seats - 1) / seats if None in bids else hungry / left,
        played=played,
        needs=tuple(needs[n] for n in behind),
        voids=tuple(voids[n] for n in behind),
    )


def _seen(view: Body) -> CardSet:
    """All cards that have been on the table, and the one turned up; the dealer's shown last card
    is in a hand until it is played, and counts as unseen until then."""
    seen = sum(_cards(view["trick"]))
    for trick in view["played_tricks"]:
        seen |= sum(_cards(trick))
    if view["turned"] is not None and view["trump_source"] != "dealers-last-card":
        seen |= FRENCH.card(view["turned"])
    return seen


def _voids(view: Body, seats: int) -> list[CardSet]:
    """The suits that each seat has shown not to have."""
    voids = [0] * seats
    for trick in [*view["played_tricks"], view["trick"]]:
        for play, card in zip(trick["cards"], _cards(trick), strict=True):
            led = FRENCH.suit_of(_cards(trick)[0])
            if not card & led:
                voids[play["seat"]] |= led
    return voids


def _cards(trick: Body) -> tuple[Card, ...]:
    return tuple(FRENCH.card(play["card"]) for play in trick["cards"])


# --- what a bid or a card is worth


def worth(table: Table, card: Card, bid: int) -> float:
    """The points to expect with `card`, which takes this trick or not, and the rest of the hand."""
    later = likely_tricks(table, table.hand ^ card)
    now = chance_now(table, card)
    taken, missed = (expected_points(later, bid, table.need - one) for one in (1, 0))
    return now * taken + (1 - now) * missed


def expected_points(tricks: Sequence[float], bid: int, need: int) -> float:
    """Where `tricks[k]` is the chance to take k more, and `need` more would keep the bid."""
    return sum(
        chance * (bid + 10 if taken == need else -abs(taken - need))
        for taken, chance in enumerate(tricks)
    )


def likely_tricks(table: Table, hand: CardSet) -> list[float]:
    """The chance of each number of tricks that this hand may take."""
    tricks = [1.0]
    for card in members(hand):
        chance = chance_later(table, hand, card)
        grown = [*(one * (1 - chance) for one in tricks), 0.0]
        for taken, one in enumerate(tricks):
            grown[taken + 1] += one * chance
        tricks = grown
    return tricks


# --- estimates


def chance_later(table: Table, hand: CardSet, card: Card) -> float:
    """That `card` takes a trick at some time, the highest trump for sure."""
    if card & table.trump:
        if not table.unseen & table.trump & ~(card - 1):
            return 1.0
        return logistic(LATER_TRUMP, later_features(table, hand, card))
    return logistic(LATER_PLAIN, later_features(table, hand, card))


def later_features(table: Table, hand: CardSet, card: Card) -> Weights:
    suit = FRENCH.suit_of(card)
    out, mine = table.unseen & suit, hand & suit
    per_seat = table.held / table.others
    return (
        1.0,
        per_seat * (out & -card).bit_count(),
        per_seat * (out & (card - 1)).bit_count(),
        float((mine & (card - 1)).bit_count()),
        float((mine & -card & ~card).bit_count()),
        per_seat * (table.unseen & table.trump).bit_count(),
        float((hand & table.trump).bit_count()),
        float(hand.bit_count()),
        table.hunger,
    )


def chance_now(table: Table, card: Card) -> float:
    """That `card` takes the trick on the table."""
    if not table.beats(card):
        return 0.0
    if not table.needs:
        return 1.0
    if card & table.trump:
        if not table.unseen & table.trump & ~(card - 1):
            return 1.0
        return logistic(NOW_TRUMP, now_features(table, card))
    return logistic(NOW_PLAIN, now_features(table, card))


def now_features(table: Table, card: Card) -> Weights:
    suit = FRENCH.suit_of(card)
    out = table.unseen & suit
    per_seat = table.held / table.others
    higher = per_seat * (out & -card).bit_count()
    lower = per_seat * (out & (card - 1)).bit_count()
    trumps = per_seat * (table.unseen & table.trump).bit_count()
    void = sum(bool(suit & one) and not table.trump & one for one in table.voids)
    return (
        1.0,
        higher,
        lower,
        trumps,
        float(len(table.needs)),
        float(sum(need > 0 for need in table.needs)),
        float(void),
        table.hunger,
    )


def logistic(weights: Weights, features: Weights) -> float:
    exponent = sum(weight * one for weight, one in zip(weights, features, strict=True))
    return 1.0 / (1.0 + E ** -max(-30.0, min(30.0, exponent)))
