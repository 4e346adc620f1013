"""A deal as a transcript tells it."""

from domain.rulesets.hamlet.model import HamletOptions
from domain.rulesets.hamlet.narrate import narrate
from tests.domain.hamlet.given import RULESET, bid_all, play_all, scripted
from tests.tables import Table


def told(table: Table, options: HamletOptions, seats: int) -> list[str]:
    state, lines = RULESET.initial(options, seats), list[str]()
    for event in table.log:
        lines += narrate(state, event)
        state = RULESET.evolve(state, event)
    return lines


def test_a_deal_is_told_with_its_trump_its_bids_and_what_they_came_to() -> None:
    options = HamletOptions(pattern="up_down", deals=1)
    table = scripted(["KS", "AS", "3D"], "2S", dealer=0, options=options)
    bid_all(table, "1 0 1")
    play_all(table, "AS 3D KS")
    lines = told(table, options, 3)
    stock = lines.pop(6)
    assert stock.startswith("    stock   2C 3C")
    assert len(stock.split()) == 1 + 48
    assert lines == [
        "Seat 0 deals first (draw 1)",
        "",
        "Deal 1 (written down beforehand): one card each, seat 0 deals; 2S is turned up, trump S",
        "    seat 0  KS",
        "    seat 1  AS",
        "    seat 2  3D",
        "  seat 1 bids 1",
        "  seat 2 bids 0",
        "  seat 0 bids 1; 2 bid of 1",
        "  trick  1  1:AS 2:3D 0:KS  seat 1 takes it, 1 of 1",
        "  taken/bid 0/1 1/1 0/0  points -1 +11 +10  totals -1 11 10",
    ]


def test_where_trump_comes_from_is_told() -> None:
    suits = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "CDHS"]
    for every, hands, turned, options, end in (
        (0, suits, "9D", HamletOptions(), "the dealer's last card is 9D, trump D"),
        (1, suits, None, HamletOptions(no_trump_every=1), "no trump"),
        (1, ["2C", "3C", "4C"], "5C", HamletOptions(pattern="up_down", no_trump_every=1),
         "no trump, 5C is turned up"),
    ):  # fmt: skip
        table = scripted(hands, turned, dealer=1, options=options)
        head = told(table, options, len(hands))[2]
        assert head.endswith(f"seat 1 deals; {end}"), every
