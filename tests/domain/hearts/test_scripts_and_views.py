"""Scripted deals, and what a table looks like to whom."""

import msgspec
import pytest

from domain.card_games.cards import FRENCH
from domain.kernel import RuleViolation
from domain.rulesets.hearts.model import HeartsOptions, ScriptedDeal
from domain.visibility import SPECTATOR, Viewer
from tests.chances import TableChance
from tests.domain.hearts.given import FOUR_SUITS, RULESET, at_deal, play, position
from tests.tables import Table

SUITS = ScriptedDeal(hands=tuple(tuple(hand.split()) for hand in FOUR_SUITS))
PRIVATE = {"hand", "passed", "received"}


def test_a_script_gives_each_seat_the_hand_written_down() -> None:
    script = RULESET.script_draws(HeartsOptions(), 4, 1, [SUITS])
    table = Table(RULESET, TableChance("script", script))
    assert [FRENCH.listed(hand) for hand in table.state.hands] == list(SUITS.hands)
    assert table.log[0].draw.scripted


def test_a_script_names_its_deals_from_the_first_one_on() -> None:
    draws = RULESET.script_draws(HeartsOptions(), 4, 3, [SUITS, SUITS])
    assert list(draws) == ["d3.deal", "d4.deal"]
    assert all(sorted(order) == sorted(FRENCH.codes) for order in draws.values())


@pytest.mark.parametrize(
    ("first_deal", "deals"),
    [
        (0, [SUITS]),
        (1, []),
        (17, [SUITS]),
        (16, [SUITS, SUITS]),
        (1, [ScriptedDeal(hands=SUITS.hands[:3])]),
        (1, [ScriptedDeal(hands=(SUITS.hands[0], SUITS.hands[0], *SUITS.hands[2:]))]),
        (1, [ScriptedDeal(hands=(("1Z", *SUITS.hands[0][1:]), *SUITS.hands[1:]))]),
        (1, [ScriptedDeal(hands=(SUITS.hands[0][:12], *SUITS.hands[1:]))]),
    ],
)
def test_an_impossible_script_is_refused(first_deal: int, deals: list[ScriptedDeal]) -> None:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.script_draws(HeartsOptions(), 4, first_deal, deals)
    assert refusal.value.code == "impossible-script"


def test_cards_are_dealt_one_at_a_time_from_seat_0() -> None:
    chance = TableChance("deal")
    order, _ = chance.next().shuffle("d1.deal", FRENCH.codes)
    hands = Table(RULESET, chance).log[0].hands
    assert all(order[place] in hands[place % 4] for place in range(52))


@pytest.mark.parametrize("seat", range(4))
def test_b03_a_spectator_sees_the_same_keys_and_nothing_private(seat: int) -> None:
    state = at_deal(1).state
    public = msgspec.to_builtins(RULESET.view(state, SPECTATOR))
    own = msgspec.to_builtins(RULESET.view(state, Viewer(seat)))
    assert public.keys() == own.keys()
    assert {key for key in public if public[key] != own[key]} <= PRIVATE
    assert all(public[key] is None for key in PRIVATE)
    assert own["hand"] == FRENCH.listed(state.hands[seat])


def test_a_view_shows_the_trick_on_the_table_and_the_last_one() -> None:
    state = position(leader=2, table="TC KC 3C", hands={1: "AH 7D", 3: "2D"})
    view = RULESET.view(state, SPECTATOR)
    assert (view.trick.number, view.trick.leader) == (5, 2)
    assert [(card.seat, card.card) for card in view.trick.cards] == [
        (2, "TC"), (3, "KC"), (0, "3C")
    ]  # fmt: skip
    _, after = play(state, 1, "AH")
    view = RULESET.view(after, SPECTATOR)
    assert (view.last_trick.taker, view.last_trick.leader, view.last_trick.points) == (3, 2, 1)
    assert (view.trick.number, view.trick.leader, view.trick.cards) == (6, 3, ())
    assert view.tricks_taken[3] == 1


def test_a_view_before_the_first_deal_is_of_an_empty_table() -> None:
    view = RULESET.view(RULESET.initial(HeartsOptions(), 4), Viewer(0))
    assert (view.phase, view.deal, view.pass_direction) == ("dealing", 0, None)
    assert (view.hand, view.trick.leader, view.last_trick) == ((), None, None)
