"""Deals counted from public facts alone, as one counts by hand: no code of the service is used."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.differential.referees import hearts_and_minds as minds

FRENCH_RANKS = "23456789TJQKA"
Facts = Iterable[dict[str, Any]]
"""Entries of a log or feed: each has `type` and `data`."""


@dataclass
class Played:
    """A trick: who played what, in order, and who took it."""

    cards: list[tuple[int, str]]
    taker: int
    trumped: bool


@dataclass
class Deal:
    """`stakes` are the bids, or the goals, by seat; `stated` what the log says of the points."""

    number: int
    stakes: list[Any] = field(default_factory=list)
    trump: str | None = None
    tricks: list[Played] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    stated: tuple[list[int], list[int]] = ([], [])

    def took(self, seat: int) -> int:
        return sum(trick.taker == seat for trick in self.tricks)

    def taken_by(self, seat: int) -> list[list[str]]:
        return [[c for _, c in trick.cards] for trick in self.tricks if trick.taker == seat]


def hamlet(facts: Facts) -> list[Deal]:
    deals, table, totals = list[Deal](), list[tuple[int, str]](), list[int]()
    for fact in facts:
        data = fact["data"]
        match fact["type"]:
            case "game.opened":
                totals = [0] * len(data["seats"])
            case "hamlet.dealt":
                bids = [0] * len(totals)
                deals.append(Deal(data["deal"], bids, data["trump"]))
            case "hamlet.bid-made":
                deals[-1].stakes[data["seat"]] = data["bid"]
            case "hamlet.card-played":
                table.append((data["seat"], data["card"]))
                if len(table) == len(totals):
                    deals[-1].tricks.append(_taken(table, deals[-1].trump))
                    table = []
            case "hamlet.deal-scored":
                deal = deals[-1]
                for seat, bid in enumerate(deal.stakes):
                    took = deal.took(seat)
                    deal.points.append(bid + 10 if took == bid else -abs(bid - took))
                totals = [old + new for old, new in zip(totals, deal.points, strict=True)]
                deal.totals, deal.stated = totals, (data["points"], data["totals"])
            case _:
                pass
    return deals


def _taken(table: list[tuple[int, str]], trump: str | None) -> Played:
    trumps = [play for play in table if play[1][1] == trump]
    led = [play for play in table if play[1][1] == table[0][1][1]]
    taker, _ = max(trumps or led, key=lambda play: FRENCH_RANKS.index(play[1][0]))
    return Played(table, taker, bool(trumps) and table[0][1][1] != trump)


def hearts_and_minds(facts: Facts) -> list[Deal]:
    deals, table, totals = list[Deal](), list[tuple[int, str]](), list[int]()
    scoring: Any = "graded"
    for fact in facts:
        data = fact["data"]
        match fact["type"]:
            case "game.opened":
                totals, scoring = [0] * len(data["seats"]), data["options"]["suitless_scoring"]
            case "hearts_and_minds.goals-revealed":
                deals.append(Deal(data["deal"], data["goals"]))
            case "hearts_and_minds.card-played":
                table.append((data["seat"], data["card"]))
                if len(table) == len(totals):
                    cards = [card for _, card in table]
                    trumped = any(card[-1] == minds.trump_of(cards[0]) for card in cards)
                    deals[-1].tricks.append(Played(table, table[minds.taker(cards)][0], trumped))
                    table = []
            case "hearts_and_minds.deal-scored":
                deal = deals[-1]
                taken = [deal.taken_by(seat) for seat in range(len(totals))]
                deal.points = minds.score(deal.stakes, taken, scoring)
                totals = minds.totals(totals, deal.points)
                deal.totals, deal.stated = totals, (data["points"], data["totals"])
            case _:
                pass
    return deals


COUNTED = {"hamlet": hamlet, "hearts_and_minds": hearts_and_minds}
