"""Hearts and Minds from the redacted view alone: a goal by the hand and by what is left, then every
card by what its trick would be worth to that goal.

A choice is the card of greatest gain: how likely it takes the trick, times what the trick brings.
The weights of the goals were fitted on games of this bot with itself, see
`tests/workers/hearts_and_minds_strength.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.chance import below, words

VERSION = "hearts_and_minds-1"

Body = dict[str, Any]
Card = tuple[int, str]
Counts = dict[str, int]

SUITS = "HMTP"
NAMES = {"H": "hearts", "M": "minds", "T": "thoughts", "P": "prayers"}
TRUMP_OF = {"H": "P", "P": "H", "M": "T", "T": "M"}
DIET = {4: 3.0, 3: 1.0, 2: -1.0, 1: -3.0}

BLUNDERS = {"easy": 30, "normal": 0, "hard": 0}
"""In how many of a hundred moves a level does anything legal."""

MEAN = 0
# fmt: off
WEIGHTS: dict[int, dict[str, tuple[float, ...]]] = {
    3: {
        "balanced-diet": (0.08, 0.01,
            0.07, -0.63, 0.12, -0.1, -0.3, 0.53, 0.16, -0.82, 0.34, 0.03, -0.4, 0.55),
        "heartless": (0.03, 0.06,
            0.9, -3.53, -0.23, -0.06, -0.14, -0.01, -0.12, 0.09, 0.15, 0.03, 0.16, 0.06),
        "least-thoughts-and-prayers": (2.65, 0.0,
            -0.23, 1.64, 0.18, -0.07, 1.36, -0.09, 0.17, 0.23, -0.03, 0.17, 0.34, 0.07),
        "mindless": (-0.01, 0.06,
            -0.2, 0.22, 0.28, 0.76, -3.18, 0.01, 0.17, -0.22, -0.09, -0.01, -0.24, -0.04),
        "most-hearts-and-minds": (-0.52, -0.08,
            -0.6, 2.05, 0.44, -0.52, 2.07, 0.24, -0.02, -0.56, 0.29, 0.12, -0.89, 0.24),
    },
    4: {
        "balanced-diet": (0.72, 0.07,
            0.14, -0.56, 0.28, 0.14, -0.54, 0.22, 0.26, -0.68, 0.23, 0.19, -0.53, 0.33),
        "heartless": (0.5, 0.1,
            1.18, -2.71, -0.58, -0.07, -0.02, 0.09, -0.03, -0.1, 0.12, -0.12, 0.2, 0.3),
        "least-thoughts-and-prayers": (0.53, -0.07,
            -0.4, 1.15, 0.34, -0.39, 1.09, 0.29, 0.04, 0.27, -0.1, 0.02, 0.34, -0.06),
        "mindless": (0.52, 0.1,
            -0.04, -0.06, 0.07, 1.06, -2.54, -0.42, 0.04, 0.02, -0.07, -0.04, -0.1, 0.18),
        "most-hearts-and-minds": (-0.57, -0.1,
            -0.67, 1.53, 0.55, -0.57, 1.43, 0.28, 0.16, -0.59, 0.13, 0.06, -0.41, 0.14),
    },
}
# fmt: on
"""By the number of seats and the goal: its mean score; then a constant and, for each suit in the
order of `SUITS`, what a card of it, a high and a low one add to the score."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a seat knows in the middle of a trick. `unseen` are the cards in other hands."""

    goal: str
    top: int
    hand: tuple[Card, ...]
    unseen: frozenset[Card]
    played: tuple[Card, ...]
    behind: tuple[bool, ...]
    taken: Counts
    rivals: tuple[Counts, ...]
    tricks: int
    left: int
    graded: bool

    @property
    def led(self) -> str:
        return self.played[0][1]


def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Body:
    """The body of a legal move, from what this seat may see, and chance from `seed` alone."""
    stream = words(seed, "bot", "hearts_and_minds")
    level = view["seats"][view["seat"]]["level"]
    if len(legal) == 1:
        return legal[0]
    if below(100, stream) < BLUNDERS.get(level, 0):
        return legal[below(len(legal), stream)]
    if view["phase"] == "goal":
        return max(legal, key=lambda move: goal_worth(view, move["goal"]))
    table = table_of(view)
    return max(legal, key=lambda move: gain(table, card_of(move["card"])))


# --- the goal


def goal_worth(view: Body, goal: str) -> float:
    """What the goal should score with this hand, and the best others in the rounds to come."""
    seats = len(view["totals"])
    weights = WEIGHTS[seats]
    later = sorted(
        (weights[other][MEAN] for other in view["goals_left"][view["seat"]] if other != goal),
        reverse=True,
    )
    return expected(view, goal) + sum(later[: view["deals"] - view["deal"]])


def expected(view: Body, goal: str) -> float:
    weights = WEIGHTS[len(view["totals"])][goal][1:]
    return sum(w * f for w, f in zip(weights, features(view["hand"]), strict=True))


def features(codes: Sequence[str]) -> tuple[float, ...]:
    """A hand in numbers: for each suit how many cards, how high and how low they are."""
    hand = [card_of(code) for code in codes]
    found = [1.0]
    for suit in SUITS:
        ranks = [rank for rank, of in hand if of == suit]
        found += [
            float(len(ranks)),
            sum((rank / 10) ** 3 for rank in ranks),
            sum((1 - rank / 10) ** 3 for rank in ranks),
        ]
    return tuple(found)


# --- the play


def table_of(view: Body) -> Table:
    seat, seats = view["seat"], len(view["totals"])
    hand = tuple(map(card_of, view["hand"]))
    played = tuple(card_of(play["card"]) for play in view["trick"]["cards"])
    gone = {card_of(code) for codes in view["captured"] for code in codes}
    top = 9 if seats == 3 else 10
    deck = {(rank, suit) for suit in SUITS for rank in range(1, top + 1)}
    counts = [{s: row[NAMES[s]] for s in SUITS} for row in view["suit_counts"]]
    after = [(seat + step) % seats for step in range(1, seats - len(played))]
    return Table(
        goal=view["goals"][seat],
        top=top,
        hand=hand,
        unseen=frozenset(deck - gone - set(hand) - set(played)),
        played=played,
        behind=tuple(view["bound"][other] for other in after),
        taken=counts[seat],
        rivals=tuple(row for other, row in enumerate(counts) if other != seat),
        tricks=view["tricks_taken"][seat],
        left=len(hand),
        graded=view["suitless_scoring"] == "graded",
    )


def gain(table: Table, card: Card) -> float:
    """What the play brings: the trick if it takes it, and a card well spent."""
    takes = chance_to_take(table, card)
    worth = WORTH[table.goal](table, coming(table, card))
    return takes * worth - 0.08 * keep_worth(table, card)


def _most(table: Table, cards: Counts) -> float:
    """Hearts and Minds until they are enough; a Thought or a Prayer costs where it makes a pair."""
    own = table.taken["H"] + table.taken["M"]
    total = 2 * table.top
    enough = own > total // 2
    pairs = pairs_of(added(table.taken, cards)) - pairs_of(table.taken)
    loose = 0.25 * (cards["T"] + cards["P"])
    return (0.0 if enough else 0.7 * (cards["H"] + cards["M"])) - 0.8 * pairs - loose


def _least(table: Table, cards: Counts) -> float:
    """A point a trick; Thoughts and Prayers cost while this seat can still have the least."""
    own = table.taken["T"] + table.taken["P"]
    least = min(rival["T"] + rival["P"] for rival in table.rivals)
    behind = own - least
    weight = 0.45 if behind <= 1 else 0.15 if behind <= 3 else 0.0
    return 1.0 - weight * (cards["T"] + cards["P"])


def _diet(table: Table, cards: Counts) -> float:
    """No trick at all is balance; once there is one, what brings the counts together."""
    before = diet_of(table.taken)
    after = diet_of(added(table.taken, cards))
    if not table.tricks:
        return -2.0
    late = 1.0 / (1.0 + 0.4 * (table.left - 1))
    return late * (after - before) - 0.3 * (1.0 - late) * spread(table, cards)


def spread(table: Table, cards: Counts) -> float:
    """How much further the counts are apart after these cards."""
    after = added(table.taken, cards)
    return float(
        (max(after.values()) - min(after.values()))
        - (max(table.taken.values()) - min(table.taken.values()))
    )


def _suitless(suit: str) -> Callable[[Table, Counts], float]:
    def worth(table: Table, cards: Counts) -> float:
        """The suit costs, down to the limit; a trick without it keeps the lead, or gives it."""
        number = cards[suit]
        if table.graded:
            number = min(number, max(0, 6 - table.taken[suit]))
        return -1.0 * number - 0.1

    return worth


WORTH: dict[str, Callable[[Table, Counts], float]] = {
    "most-hearts-and-minds": _most,
    "least-thoughts-and-prayers": _least,
    "balanced-diet": _diet,
    "heartless": _suitless("H"),
    "mindless": _suitless("M"),
}


def keep_worth(table: Table, card: Card) -> float:
    """High cards are kept by a seat that wants tricks, and shed by one that does not."""
    rank = card[0] / table.top
    match table.goal:
        case "least-thoughts-and-prayers":
            return 4.0 * rank
        case "most-hearts-and-minds":
            return 3.0 * rank if card[1] in "HM" or TRUMP_OF[card[1]] in "HM" else -1.0
        case "balanced-diet":
            return -4.0 * rank
        case goal:
            suit = "H" if goal == "heartless" else "M"
            return -3.0 * rank - (2.0 if card[1] == suit else 0.0)


# --- estimates


def coming(table: Table, card: Card) -> Counts:
    """The cards of the trick by suit: those that lie, this one, and those to come as they fall."""
    counts = dict.fromkeys(SUITS, 0)
    for _, suit in (*table.played, card):
        counts[suit] += 1
    led = table.led if table.played else card[1]
    counts[led] += len(table.behind)
    return counts


def chance_to_take(table: Table, card: Card) -> float:
    """That the card beats those that lie there and none behind beats it."""
    led = table.led if table.played else card[1]
    trump = TRUMP_OF[led]
    if table.played and not beats(card, max(table.played, key=lambda c: order(c, led)), led):
        return 0.0
    chance = 1.0
    total = len(table.unseen)
    follow = sum(suit == led for _, suit in table.unseen)
    higher = sum(suit == led and rank > card[0] for rank, suit in table.unseen)
    trumps = sum(suit == trump and beats((rank, suit), card, led) for rank, suit in table.unseen)
    for bound in table.behind:
        void = share_without(follow, total, table.left)
        head = 0.0 if card[1] == trump else 1.0 - share_without(higher, total, table.left)
        ruff = 1.0 - share_without(trumps, total, table.left)
        chance *= 1.0 - (1.0 if bound else 0.6) * head * (1.0 - void)
        chance *= 1.0 - (1.0 if bound else 0.6) * ruff * void
    return chance


def share_without(number: int, total: int, held: int) -> float:
    """How likely a hand of `held` out of `total` cards has none of `number`."""
    return (1.0 - number / total) ** held if total else 1.0


def beats(card: Card, other: Card, led: str) -> bool:
    return order(card, led) > order(other, led)


def order(card: Card, led: str) -> tuple[int, int]:
    return (2 if card[1] == TRUMP_OF[led] else 1 if card[1] == led else 0, card[0])


def added(counts: Counts, more: Counts) -> Counts:
    return {suit: counts[suit] + more[suit] for suit in SUITS}


def pairs_of(counts: Counts) -> int:
    return min(counts["T"], counts["P"])


def diet_of(counts: Counts) -> float:
    numbers = list(counts.values())
    return DIET[max(numbers.count(number) for number in numbers)]


def card_of(code: str) -> Card:
    return int(code[:-1]), code[-1]
