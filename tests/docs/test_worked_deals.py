"""docs/worked-deals.md against the logs it is taken from: every card, every taker, every sum."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from domain.registry import find
from service.openapi.rulesets import description
from tests.golden import files

PAGE = (Path(__file__).parents[2] / "docs" / "worked-deals.md").read_text()
SECTIONS = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
LOG = re.compile(r"^Log `([a-z-]+)`, deal (\d+)", re.MULTILINE)
SUM = re.compile(r"(?<![\w`.])((?:-?\d+|abs|min|max|[-+(), ])+?) = (-?\d+)(?!\w)")
HANDS: dict[str, Any] = {"abs": abs, "min": min, "max": max}
GAMES = ("hamlet", "hearts_and_minds")


@dataclass
class Trick:
    """Who played what, in order, and who took it."""

    cards: list[tuple[int, str]]
    taker: int
    trumped: bool


@dataclass
class Deal:
    """`stakes` are the bids, or the goals, by seat."""

    trump: str | None
    stakes: list[Any]
    tricks: list[Trick] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)

    def taken_by(self, seat: int) -> list[str]:
        """The cards of the tricks that a seat took."""
        return [card for trick in self.tricks if trick.taker == seat for _, card in trick.cards]


def deals_of(log: str) -> list[Deal]:
    """As the golden log has them: both scorers have found them right."""
    deals, seats = list[Deal](), list[int]()
    for fact in map(json.loads, files.log(log)):
        data = fact["data"]
        match fact["type"].partition(".")[2]:
            case "dealt":
                deals.append(Deal(data.get("trump"), [None] * len(data["hands"])))
            case "bid-made":
                deals[-1].stakes[data["seat"]] = data["bid"]
            case "goals-revealed":
                deals[-1].stakes = data["goals"]
            case "card-played":
                seats.append(data["seat"])
            case "trick-taken":
                cards, trump = data["cards"], data.get("trump", deals[-1].trump)
                trumped = trump != cards[0][-1] and any(card[-1] == trump for card in cards)
                cards = list(zip(seats, cards, strict=True))
                deals[-1].tricks.append(Trick(cards, data["seat"], trumped))
                seats = []
            case "deal-scored":
                deals[-1].points, deals[-1].totals = data["points"], data["totals"]
            case _:
                pass
    return deals


def rows(text: str, first: str) -> list[list[str]]:
    """The body of the table whose first column is called so."""
    table = re.search(rf"^\| {first} \|.*?\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table, f"no table of {first}s"
    lines = table.group(1).splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def deal_of(text: str) -> tuple[Deal, Deal | None, str]:
    """The deal that a section is about, the one before, and the game."""
    found = LOG.search(text)
    assert found
    ruleset: str = json.loads(files.log(found[1])[0])["data"]["ruleset"].partition("@")[0]
    deals, number = deals_of(found[1]), int(found[2])
    return deals[number - 1], deals[number - 2] if number > 1 else None, ruleset


def worth(sum_: str) -> int:
    """What a sum of the page comes to; it is written in numbers, signs, abs, min and max."""
    assert re.fullmatch(r"(?:\d+|abs|min|max|[-+(), ])+", sum_), sum_
    return int(eval(sum_, {"__builtins__": {}}, HANDS))


def test_the_page_has_both_games_all_seats_and_all_ways_of_scoring() -> None:
    titles = " ".join(title for title, _ in SECTIONS)
    for word in ("Hamlet: three", "Hamlet: four", "up and down", "without trump"):
        assert word in titles
    for word in ("Minds: four seats, graded", "Minds: three", "fewest"):
        assert word in titles


@pytest.mark.parametrize(("title", "text"), SECTIONS, ids=[title for title, _ in SECTIONS])
def test_tricks_points_and_totals_are_those_of_the_log(title: str, text: str) -> None:
    deal, before, ruleset = deal_of(text)
    told = [
        [
            str(number),
            " ".join(f"{seat}:{card}" for seat, card in trick.cards),
            f"{trick.taker}{', with a trump' if trick.trumped else ''}",
        ]
        for number, trick in enumerate(deal.tricks, 1)
    ]
    assert rows(text, "trick") == told
    for seat, row in enumerate(rows(text, "seat")):
        took = sum(trick.taker == seat for trick in deal.tricks)
        suits = [sum(card[-1] == suit for card in deal.taken_by(seat)) for suit in "HMTP"]
        counted = suits if ruleset == "hearts_and_minds" else []
        facts = [seat, deal.stakes[seat], took, *counted, deal.points[seat]]
        assert row[:-2] == [str(fact) for fact in facts]
        for cell, result in zip(row[-2:], (deal.points[seat], deal.totals[seat]), strict=True):
            sum_, _, stated = cell.rpartition(" = ")
            assert worth(sum_) == int(stated) == result
        old = before.totals[seat] if before else 0
        assert re.search(rf"(?<!\d){old} [-+] {abs(deal.points[seat])}\b", row[-1])


def test_every_sum_on_the_page_is_right() -> None:
    sums = SUM.findall(PAGE)
    assert len(sums) > 60
    for sum_, stated in sums:
        assert worth(sum_.strip()) == int(stated), f"{sum_} = {stated}"


def test_every_ruling_on_the_page_is_one() -> None:
    known = {r.id for name in GAMES for r in description(find(f"{name}@1")).rulings}
    named = set(re.findall(r"\bH[AM]-\d+", PAGE))
    assert len(named) > 6
    assert named <= known
