"""Scripted deals, score lines, and what a table looks like to whom."""

import random
from typing import Any

import msgspec
import pytest

from domain.card_games.cards import FRENCH
from domain.kernel import RuleViolation
from domain.rulesets.hamlet.model import HamletOptions, ScriptedDeal
from domain.visibility import SPECTATOR, Viewer
from tests.chances import TableChance
from tests.domain.hamlet.given import (
    RULESET,
    UP_DOWN,
    at_table,
    bid_all,
    bidding,
    deals,
    play,
    play_all,
    position,
    scripted,
    whole_game,
    written,
)
from tests.tables import Table

SUITS = [" ".join(FRENCH.listed(FRENCH.suits[suit])) for suit in "CDHS"]
ONE_EACH = written(["KS", "AS", "3D"], "2S")
FOUR_SUITS = written(SUITS)
FULL = HamletOptions()
NO_TRUMP = HamletOptions(no_trump_every=1)


# --- scripts


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_a_script_gives_hands_turned_card_stock_and_first_dealer(dealer: int) -> None:
    table = scripted(["KS", "AS", "3D"], "2S", dealer=dealer)
    drawn, dealt = table.log
    assert (drawn.dealer, drawn.draw.scripted, dealt.draw.scripted) == (dealer, True, True)
    assert dealt.hands == (("KS",), ("AS",), ("3D",))
    assert (dealt.turned, dealt.stock) == (
        "2S",
        tuple(sorted(ONE_EACH.stock, key=FRENCH.codes.index)),
    )
    assert (dealt.leader, table.waiting_for) == ((dealer + 1) % 3, ((dealer + 1) % 3,))


def test_a_script_without_a_dealer_gives_each_seat_its_hand_whoever_is_drawn() -> None:
    for seed in range(8):
        script = RULESET.script_draws(UP_DOWN, 3, 1, [ONE_EACH])
        table = Table(RULESET, TableChance(seed, script), options=UP_DOWN, seats=3)
        drawn, dealt = table.log
        assert not drawn.draw.scripted
        assert (dealt.hands, dealt.turned) == ((("KS",), ("AS",), ("3D",)), "2S")


def test_a_script_names_its_deals_from_the_first_one_on() -> None:
    two = written(["KS AS", "3D 4D", "2H 3H"], "2S")
    three = written(["KS AS 2C", "3D 4D 3C", "2H 3H 4C"], "2S")
    draws = RULESET.script_draws(UP_DOWN, 3, 2, [two, three])
    assert list(draws) == ["d2.deal", "d3.deal"]
    assert all(sorted(order) == sorted(FRENCH.codes) for order in draws.values())


def test_a_stock_is_a_set_in_whatever_order_it_is_written() -> None:
    backwards = ScriptedDeal(hands=ONE_EACH.hands, stock=ONE_EACH.stock[::-1], turned="2S")
    assert backwards == ONE_EACH
    assert backwards.stock == FRENCH.in_order(ONE_EACH.stock)


@pytest.mark.parametrize("shown", ["2D", "9D", "AD"])
def test_ha_3_a_script_says_which_is_the_dealers_last_card(shown: str) -> None:
    deal = msgspec.structs.replace(FOUR_SUITS, turned=shown, dealer=1)
    script = RULESET.script_draws(FULL, 4, 1, [deal])
    dealt = Table(RULESET, TableChance("s", script), seats=4).log[1]
    assert (dealt.turned, dealt.trump, dealt.source) == (shown, "D", "dealers-last-card")
    assert dealt.hands == FOUR_SUITS.hands


def test_ha_3_where_a_script_does_not_say_it_is_the_last_one_written() -> None:
    script = RULESET.script_draws(FULL, 4, 1, [FOUR_SUITS])
    dealt = Table(RULESET, TableChance("s", script), seats=4).log[1]
    assert dealt.turned == "A" + "CDHS"[dealt.dealer]


def test_ha_3_in_a_later_deal_it_is_the_last_card_of_that_deals_dealer() -> None:
    first = changed(FOUR_SUITS, turned="2D", dealer=1)
    script = RULESET.script_draws(FULL, 4, 1, [first, changed(FOUR_SUITS, turned="2H")])
    assert script["d2.deal"][-4:] == ("AC", "AD", "2H", "AS")
    with pytest.raises(RuleViolation, match="the dealer's last card is shown"):
        RULESET.script_draws(FULL, 4, 1, [first, changed(FOUR_SUITS, turned="3D")])


def test_ha_4_a_scripted_deal_without_trump_shows_nothing_of_four_full_hands() -> None:
    script = RULESET.script_draws(NO_TRUMP, 4, 1, [FOUR_SUITS])
    dealt = Table(RULESET, TableChance("s", script), options=NO_TRUMP, seats=4).log[1]
    assert (dealt.turned, dealt.trump) == (None, None)


def changed(deal: ScriptedDeal, **fields: Any) -> ScriptedDeal:
    return msgspec.structs.replace(deal, **fields)


@pytest.mark.parametrize(
    ("options", "seats", "first_deal", "deals"),
    [
        (UP_DOWN, 3, 0, [ONE_EACH]),
        (UP_DOWN, 3, 1, []),
        (UP_DOWN, 3, 2, [ONE_EACH]),
        (UP_DOWN, 3, 34, [ONE_EACH]),
        (UP_DOWN, 3, 33, [ONE_EACH, ONE_EACH]),
        (UP_DOWN, 4, 1, [ONE_EACH]),
        (FULL, 3, 1, [ONE_EACH]),
        (UP_DOWN, 3, 1, [changed(ONE_EACH, turned=None)]),
        (UP_DOWN, 3, 1, [changed(ONE_EACH, turned="AS")]),
        (UP_DOWN, 3, 1, [changed(ONE_EACH, turned="1Z")]),
        (UP_DOWN, 3, 1, [changed(ONE_EACH, stock=ONE_EACH.stock[1:])]),
        (UP_DOWN, 3, 1, [changed(ONE_EACH, stock=(*ONE_EACH.stock[1:], "2S"))]),
        (UP_DOWN, 3, 1, [changed(ONE_EACH, dealer=3)]),
        (UP_DOWN, 3, 1, [changed(ONE_EACH, dealer=-1)]),
        (UP_DOWN, 3, 33, [changed(ONE_EACH, dealer=0)]),
        (FULL, 4, 1, [FOUR_SUITS, changed(FOUR_SUITS, dealer=0)]),
        (FULL, 4, 1, [changed(FOUR_SUITS, turned="2D")]),
        (FULL, 4, 1, [changed(FOUR_SUITS, turned="2D", dealer=0)]),
        (FULL, 4, 1, [changed(FOUR_SUITS, stock=("2D",))]),
        (NO_TRUMP, 4, 1, [changed(FOUR_SUITS, turned="2D", dealer=1)]),
    ],
)
def test_an_impossible_script_is_refused(
    options: HamletOptions, seats: int, first_deal: int, deals: list[ScriptedDeal]
) -> None:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.script_draws(options, seats, first_deal, deals)
    assert refusal.value.code == "impossible-script"


# --- score lines


def test_each_trick_and_each_bid_has_its_line_also_where_it_gives_nothing() -> None:
    table = scripted(
        ["KS", "AS", "3D"], "2S", dealer=0, options=HamletOptions(pattern="up_down", deals=1)
    )
    bid_all(table, "1 0 1")
    play_all(table, "AS 3D KS")
    lines = [(line.seat, line.points, line.reason) for line in RULESET.score_lines(table.state)]
    assert lines == [
        (1, 0, "took trick 1 with AS"),
        (0, -1, "bid 1, took 0: -1, no bonus"),
        (1, 11, "bid 1, took 1: +11"),
        (2, 10, "bid 0, took 0: +10"),
    ]
    recounted = RULESET.recount(table.facts)
    assert [line.ruling for line in recounted] == ["hamlet.trick", *["hamlet.score"] * 3]
    assert [line.versions for line in recounted] == [(2, 6, 7, 8), (5,), (3, 6), (4,)]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("pattern", ["full", "up_down"])
@pytest.mark.parametrize("every", [0, 1, 3])
def test_both_scorers_agree_whatever_the_options(
    seats: int, pattern: Any, every: int, rng: random.Random
) -> None:
    options = HamletOptions(pattern=pattern, no_trump_every=every, deals=8)
    table = whole_game(seats, options, rng)
    lines = RULESET.score_lines(table.state)
    recounted = RULESET.recount(table.facts)
    assert tuple(msgspec.structs.replace(line, versions=()) for line in recounted) == lines
    totals = [sum(line.points for line in lines if line.seat == seat) for seat in range(seats)]
    assert tuple(totals) == table.state.totals
    assert len(lines) == sum(dealt.size + seats for dealt in deals(table))


# --- views


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_b03_a_spectator_sees_the_same_keys_and_no_hand(seat: int) -> None:
    state = at_table().state
    public = msgspec.to_builtins(RULESET.view(state, SPECTATOR))
    own = msgspec.to_builtins(RULESET.view(state, Viewer(seat)))
    assert {key for key in own if public[key] != own[key]} == {"hand"}
    assert public["hand"] is None
    assert own["hand"] == FRENCH.listed(state.hands[seat])


def test_a_bid_is_public_as_soon_as_it_is_made_and_0_is_one() -> None:
    view = RULESET.view(bidding(size=17, bids="0"), SPECTATOR)
    assert (view.bids, view.phase) == ((None, 0, None), "bid")
    assert (view.trick.number, view.trick.leader) == (0, None)
    assert RULESET.to_act(bidding(size=17, bids="0")) == (2,)
    assert RULESET.view(bidding(size=17, bids="0 0 0"), SPECTATOR).phase == "play"


def test_a_view_shows_the_trick_on_the_table_and_those_taken() -> None:
    state = position(leader=1, table="7D 9D", hands={0: "2S 3C", 1: "4C", 2: "5C"}, taken=(2,))
    view = RULESET.view(state, SPECTATOR)
    assert (view.trick.number, view.trick.leader) == (2, 1)
    assert [(card.seat, card.card) for card in view.trick.cards] == [(1, "7D"), (2, "9D")]
    _, after = play(state, 0, "2S")
    view = RULESET.view(after, SPECTATOR)
    assert (view.last_trick.number, view.last_trick.leader, view.last_trick.taker) == (2, 1, 0)
    assert view.tricks_taken == (1, 0, 1)
    assert view.played_tricks[-1] == view.last_trick
    assert (view.trick.number, view.trick.leader, view.trick.cards) == (3, 0, ())


def test_a_view_remembers_the_deals_that_are_over() -> None:
    table = scripted(["KS", "AS", "3D"], "2S", dealer=0)
    bid_all(table, "1 0 1")
    play_all(table, "AS 3D KS")
    view = RULESET.view(table.state, SPECTATOR)
    assert (view.deal, view.deals, view.dealer, view.size) == (2, 33, 1, 2)
    assert msgspec.to_builtins(view.played_deals) == (
        {
            "deal": 1,
            "dealer": 0,
            "size": 1,
            "trump": "S",
            "bids": (1, 1, 0),
            "taken": (0, 1, 0),
            "points": (-1, 11, 10),
        },
    )
    assert view.totals == (-1, 11, 10)


def test_a_view_remembers_that_a_deal_was_without_trump() -> None:
    options = HamletOptions(pattern="up_down", no_trump_every=1)
    table = scripted(["KS", "AS", "3D"], "2S", dealer=0, options=options)
    bid_all(table, "1 0 1")
    play_all(table, "AS 3D KS")
    [deal] = RULESET.view(table.state, SPECTATOR).played_deals
    assert deal.trump is None


def test_a_view_before_the_first_deal_is_of_an_empty_table() -> None:
    view = RULESET.view(RULESET.initial(FULL, 4), Viewer(0))
    assert (view.phase, view.deal, view.deals, view.dealer) == ("drawing", 0, 12, None)
    assert (view.hand, view.trick.leader, view.last_trick) == ((), None, None)
    assert view.bids == (None, None, None, None)
