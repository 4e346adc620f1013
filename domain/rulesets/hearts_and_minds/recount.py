"""The second scorer: every point again, from the goals and the cards as they were played.

It trusts neither who is said to have taken a trick nor any count or points that are stated, and
shares no arithmetic with the first. Written as players count after the
round: piles of cards as text.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import eq
from typing import Any, NamedTuple, assert_never

from domain.rulesets.hearts_and_minds import wording
from domain.rulesets.hearts_and_minds.model import CardPlayed, DealScored, GoalsRevealed
from domain.scores import ScoreLine

BEATS = {"H": "P", "M": "T", "T": "M", "P": "H"}
DIETS: dict[tuple[bool, ...], tuple[int, str, str]] = {
    (True, True, True): (3, wording.EQUAL[4], "hearts_and_minds.diet"),
    (True, True, False): (1, wording.EQUAL[3], "hearts_and_minds.diet"),
    (False, True, True): (1, wording.EQUAL[3], "hearts_and_minds.diet"),
    (True, False, True): (-1, wording.TWO_AND_TWO, "HM-3"),
    (True, False, False): (-1, wording.EQUAL[2], "hearts_and_minds.diet"),
    (False, True, False): (-1, wording.EQUAL[2], "hearts_and_minds.diet"),
    (False, False, True): (-1, wording.EQUAL[2], "hearts_and_minds.diet"),
    (False, False, False): (-3, wording.EQUAL[1], "hearts_and_minds.diet"),
}
"""By which neighbours are equal when the four counts stand in order."""

NOTHING_SHOWN = (0, GoalsRevealed(deal=0, goals=(), suitless_scoring="graded"))


class Played(NamedTuple):
    version: int
    seat: int
    card: str

    @property
    def suit(self) -> str:
        return self.card[-1]

    @property
    def rank(self) -> int:
        return int(self.card[:-1])


class Taken(NamedTuple):
    """A card in somebody's pile: in which trick, by which card, and the entries of that trick."""

    trick: int
    card: Played
    by: Played
    versions: tuple[int, ...]


Pile = list[Taken]


class Counted(NamedTuple):
    """A line in the making. `versions` are the entries it rests on."""

    points: int
    reason: str
    ruling: str
    versions: Iterable[int]
    trick: int | None = None
    card: str | None = None
    of_total: bool = False


def recount(
    facts: Iterable[tuple[int, Any]], before: Sequence[ScoreLine] = ()
) -> tuple[ScoreLine, ...]:
    """The score lines of every deal played out, with the versions of the entries behind each.

    `facts` are (version, event) pairs in order, all of a game or those after the deals whose lines
    `before` are; other kinds of event are passed over.
    """
    lines = list[ScoreLine]()
    deal, shown, played = before[-1].deal if before else 0, NOTHING_SHOWN, list[Played]()
    totals: Counter[int] = Counter()
    for line in before:
        totals[line.seat] += line.points
    for version, event in facts:
        match event:
            case GoalsRevealed():
                deal, shown, played = deal + 1, (version, event), []
            case CardPlayed():
                played.append(Played(version, event.seat, event.card))
            case DealScored():
                for seat, counted in enumerate(_round(*shown, played)):
                    held = _held(totals, seat, counted, version)
                    lines += [_line(deal, seat, one) for one in counted + held]
            case _:
                continue
    return tuple(lines)


def _round(version: int, shown: GoalsRevealed, played: list[Played]) -> list[list[Counted]]:
    """The lines of each seat. The entry that revealed the goals is behind every one of them."""
    piles = _piles(played, len(shown.goals))
    return [
        [one._replace(versions=(version, *one.versions)) for one in _seat(shown, piles, seat)]
        for seat in range(len(shown.goals))
    ]


def _seat(shown: GoalsRevealed, piles: list[Pile], seat: int) -> list[Counted]:
    goal = shown.goals[seat]
    match goal:
        case "most-hearts-and-minds":
            return _most(piles, seat)
        case "least-thoughts-and-prayers":
            return _least(piles, seat)
        case "balanced-diet":
            return _diet(piles[seat])
        case "heartless" | "mindless":
            suit = "H" if goal == "heartless" else "M"
            if shown.suitless_scoring == "graded":
                return _graded(piles[seat], suit)
            return _fewest(piles, seat, suit)
        case _:
            assert_never(goal)


def _piles(played: list[Played], seats: int) -> list[Pile]:
    piles: list[Pile] = [[] for _ in range(seats)]
    for start in range(0, len(played), seats):
        trick = played[start : start + seats]
        led = trick[0].suit
        best = trick[0]
        for play in trick[1:]:
            trumps = play.suit == BEATS[led] and best.suit == led
            if trumps or (play.suit == best.suit and play.rank > best.rank):
                best = play
        versions = tuple(play.version for play in trick)
        number = start // seats + 1
        piles[best.seat] += [Taken(number, play, best, versions) for play in trick]
    return piles


def _most(piles: list[Pile], seat: int) -> list[Counted]:
    sizes = [len(_of(pile, "HM")) for pile in piles]
    better = [other for other, size in enumerate(sizes) if size > sizes[seat]]
    best = max(sizes)
    rival = (sizes.index(best), best) if better else None
    points = -1 if better else 3
    lines = [
        Counted(
            points,
            wording.most(sizes[seat], rival, points),
            "hearts_and_minds.most" if piles[seat] else "HM-9",
            _versions(taken for pile in piles for taken in _of(pile, "HM")),
        )
    ]
    thoughts, prayers = _of(piles[seat], "T"), _of(piles[seat], "P")
    for number, (thought, prayer) in enumerate(zip(thoughts, prayers, strict=False), start=1):
        lines += [_pair(number, thought, prayer)]
    if len(lines) == 1:
        lines.append(Counted(0, wording.NO_PAIR, "hearts_and_minds.pairs", _versions(piles[seat])))
    return lines + _at_least_minus_3(lines, "hearts_and_minds.most")


def _pair(number: int, thought: Taken, prayer: Taken) -> Counted:
    later = prayer if prayer.trick > thought.trick else thought
    named = [(taken.card.card, taken.trick) for taken in (thought, prayer)]
    return Counted(
        -1,
        wording.pair(number, named[0], named[1]),
        "hearts_and_minds.pairs",
        _versions([thought, prayer]),
        later.trick,
        later.card.card,
    )


def _least(piles: list[Pile], seat: int) -> list[Counted]:
    if not piles[seat]:
        return [Counted(-3, wording.LEAST_WITHOUT_TRICKS, "HM-9", ())]
    tricks = {taken.trick: taken for taken in piles[seat]}
    lines = [
        Counted(
            1,
            wording.trick_taken(number, taken.by.card),
            "hearts_and_minds.least",
            taken.versions,
            number,
            taken.by.card,
        )
        for number, taken in tricks.items()
    ]
    points, reason, behind = _fewer(piles, seat, "TP", (0, -3))
    sentence = wording.least(*reason, points)
    return [*lines, Counted(points, sentence, "hearts_and_minds.least", behind)]


def _diet(pile: Pile) -> list[Counted]:
    if not pile:
        return [Counted(3, wording.DIET_WITHOUT_TRICKS, "HM-9", ())]
    counts = {suit: len(_of(pile, suit)) for suit in "HMTP"}
    sizes = sorted(counts.values())
    points, equal, ruling = DIETS[tuple(map(eq, sizes, sizes[1:]))]
    return [Counted(points, wording.diet(counts, equal, points), ruling, _versions(pile))]


def _graded(pile: Pile, suit: str) -> list[Counted]:
    lines = [Counted(3, wording.graded(suit), "HM-2" if pile else "HM-9", ())]
    for taken in _of(pile, suit):
        card = taken.card.card
        reason = wording.shunned_card(card, taken.trick, taken.by.card)
        lines.append(Counted(-1, reason, "HM-2", _versions([taken]), taken.trick, card))
    return lines + _at_least_minus_3(lines, "HM-2")


def _fewest(piles: list[Pile], seat: int, suit: str) -> list[Counted]:
    points, reason, behind = _fewer(piles, seat, suit, (3, -3))
    return [Counted(points, wording.fewest(suit, *reason, points), "HM-2", behind)]


def _fewer(
    piles: list[Pile], seat: int, suits: str, worth: tuple[int, int]
) -> tuple[int, tuple[int, tuple[int, int] | None], Iterable[int]]:
    """Points, own count and rival, and the entries; `worth` is for having the fewest, and not."""
    sizes = [len(_of(pile, suits)) for pile in piles]
    behind = _versions(taken for pile in piles for taken in _of(pile, suits))
    if any(size < sizes[seat] for size in sizes):
        least = min(sizes)
        return worth[1], (sizes[seat], (sizes.index(least), least)), behind
    return worth[0], (sizes[seat], None), behind


def _at_least_minus_3(lines: list[Counted], ruling: str) -> list[Counted]:
    missing = -3 - sum(line.points for line in lines)
    if missing <= 0:
        return []
    behind = {version for line in lines for version in line.versions}
    return [Counted(missing, wording.limited(missing), ruling, behind)]


def _held(totals: Counter[int], seat: int, counted: list[Counted], version: int) -> list[Counted]:
    """The running total, brought up to date; a line where it would fall below 0."""
    totals[seat] += sum(line.points for line in counted)
    below = totals[seat]
    if below >= 0:
        return []
    totals[seat] = 0
    return [Counted(-below, wording.held(below, -below), "HM-7", (version,), of_total=True)]


def _of(pile: Pile, suits: str) -> Pile:
    return [taken for taken in pile if taken.card.suit in suits]


def _versions(pile: Iterable[Taken]) -> set[int]:
    return {play.version for taken in pile for play in (taken.card, taken.by)}


def _line(deal: int, seat: int, counted: Counted) -> ScoreLine:
    return ScoreLine(
        deal=deal,
        seat=seat,
        points=counted.points,
        reason=counted.reason,
        ruling=counted.ruling,
        trick=counted.trick,
        card=counted.card,
        of_total=counted.of_total,
        versions=tuple(sorted(set(counted.versions))),
    )
