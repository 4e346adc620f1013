"""docs/worked-deals.md against the logs it is taken from: every card, every taker, every sum."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from domain.registry import find
from service.openapi.rulesets import description
from tests.docs.counting import COUNTED, Deal
from tests.golden import files

PAGE = (Path(__file__).parents[2] / "docs" / "worked-deals.md").read_text()
SECTIONS = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
LOG = re.compile(r"^Log `([a-z-]+)`, deal (\d+)", re.MULTILINE)
SUM = re.compile(r"(?<![\w`.])((?:-?\d+|abs|min|max|[-+(), ])+?) = (-?\d+)(?!\w)")
HANDS: dict[str, Any] = {"abs": abs, "min": min, "max": max}


def rows(text: str, first: str) -> list[list[str]]:
    """The body of the table whose first column is called so."""
    table = re.search(rf"^\| {first} \|.*?\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table, f"no table of {first}s"
    lines = table.group(1).splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def deal_of(text: str) -> tuple[Deal, Deal | None, str]:
    """The deal that a section is about, counted from its log, and the one before."""
    found = LOG.search(text)
    assert found
    facts = [json.loads(line) for line in files.log(found[1])]
    ruleset: str = facts[0]["data"]["ruleset"].partition("@")[0]
    deals = COUNTED[ruleset](facts)
    number = int(found[2])
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
    assert (deal.points, deal.totals) == deal.stated
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
        took = deal.taken_by(seat)
        suits = [sum(c[-1] == s for trick in took for c in trick) for s in "HMTP"]
        counted = suits if ruleset == "hearts_and_minds" else []
        facts = [seat, deal.stakes[seat], len(took), *counted, deal.points[seat]]
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
    known = {r.id for name in COUNTED for r in description(find(f"{name}@1")).rulings}
    named = set(re.findall(r"\bH[AM]-\d+", PAGE))
    assert len(named) > 6
    assert named <= known
