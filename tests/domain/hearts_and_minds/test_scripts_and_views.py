"""Scripted deals, and what a table looks like to whom."""

import msgspec
import pytest

from domain.kernel import RuleViolation
from domain.rulesets.hearts_and_minds.model import (
    DECKS,
    GOALS,
    HeartsAndMindsOptions,
    ScriptedDeal,
)
from domain.visibility import SPECTATOR, Viewer, secret_parts
from tests.domain.hearts_and_minds.given import (
    DIET,
    FOUR_SUITS,
    HEARTLESS,
    LEAST,
    MINDLESS,
    MOST,
    RULESET,
    choose,
    choose_all,
    new_table,
    play,
    play_out_deal,
    position,
)

SUITS = ScriptedDeal(hands=tuple(tuple(hand.split()) for hand in FOUR_SUITS))
PRIVATE = {"hand", "goal"}
OPTIONS = HeartsAndMindsOptions()


def test_a_script_gives_each_seat_its_hand_and_the_first_deal_its_leader() -> None:
    first = msgspec.structs.replace(SUITS, leader=3)
    table = new_table(script=RULESET.script_draws(OPTIONS, 4, 1, [first, SUITS]))
    drawn, dealt = table.log
    assert (drawn.leader, drawn.draw.scripted, dealt.draw.scripted) == (3, True, True)
    assert dealt.hands == SUITS.hands
    choose_all(table, (MOST, LEAST, DIET, DIET))
    play_out_deal(table)
    assert (table.log[-1].leader, table.log[-1].hands) == (0, SUITS.hands)


def test_a_script_without_a_leader_leaves_it_to_the_draw() -> None:
    assert list(RULESET.script_draws(OPTIONS, 4, 3, [SUITS, SUITS])) == ["d3.deal", "d4.deal"]


@pytest.mark.parametrize(
    ("first_deal", "deals"),
    [
        (0, [SUITS]),
        (1, []),
        (5, [SUITS]),
        (4, [SUITS, SUITS]),
        (2, [ScriptedDeal(hands=SUITS.hands, leader=0)]),
        (1, [SUITS, ScriptedDeal(hands=SUITS.hands, leader=0)]),
        (1, [ScriptedDeal(hands=SUITS.hands, leader=4)]),
        (1, [ScriptedDeal(hands=SUITS.hands, leader=-1)]),
        (1, [ScriptedDeal(hands=SUITS.hands[:3])]),
        (1, [ScriptedDeal(hands=(SUITS.hands[0], SUITS.hands[0], *SUITS.hands[2:]))]),
        (1, [ScriptedDeal(hands=(("QS", *SUITS.hands[0][1:]), *SUITS.hands[1:]))]),
        (1, [ScriptedDeal(hands=(SUITS.hands[0][:9], *SUITS.hands[1:]))]),
    ],
)
def test_an_impossible_script_is_refused(first_deal: int, deals: list[ScriptedDeal]) -> None:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.script_draws(OPTIONS, 4, first_deal, deals)
    assert refusal.value.code == "impossible-script"


def test_a_script_for_three_has_no_tens() -> None:
    hands = tuple(DECKS[3].codes[seat::3] for seat in range(3))
    assert RULESET.script_draws(OPTIONS, 3, 1, [ScriptedDeal(hands=hands)])
    with pytest.raises(RuleViolation):
        RULESET.script_draws(OPTIONS, 3, 1, [SUITS])


# --- views


@pytest.mark.parametrize("seat", range(4))
def test_b03_a_spectator_sees_the_same_keys_and_nothing_private(seat: int) -> None:
    table = new_table()
    choose(table, seat, DIET)
    public = msgspec.to_builtins(RULESET.view(table.state, SPECTATOR))
    own = msgspec.to_builtins(RULESET.view(table.state, Viewer(seat)))
    assert public.keys() == own.keys()
    assert {key for key in public if public[key] != own[key]} == PRIVATE
    assert all(public[key] is None for key in PRIVATE)


def test_hands_are_sealed_each_for_its_seat_until_the_deal_is_scored() -> None:
    parts = secret_parts(new_table().log[1], 2)
    assert [(part.path, part.to, part.until) for part in parts] == [
        (f"/hands/{seat}", (seat,), 2) for seat in range(4)
    ]


def test_a_view_shows_the_trick_its_trump_and_what_has_been_taken() -> None:
    state = position(table="10H 1P 9H", hands={3: "10M"}, goals=(MOST, LEAST, DIET, MOST))
    view = RULESET.view(state, SPECTATOR)
    assert (view.trick.led, view.trick.trump, view.trick.number) == ("H", "P", 4)
    _, after = play(state, 3, "10M")
    view = RULESET.view(after, SPECTATOR)
    assert (view.trick.led, view.trick.trump, view.trick.leader) == (None, None, 1)
    assert (view.last_trick.taker, view.last_trick.trump) == (1, "P")
    assert (view.last_trick.number, view.last_trick.leader) == (4, 0)
    assert [(card.seat, card.card) for card in view.last_trick.cards] == [
        (0, "10H"), (1, "1P"), (2, "9H"), (3, "10M")
    ]  # fmt: skip
    assert view.captured[1] == ("9H", "10H", "10M", "1P")
    assert msgspec.to_builtins(view.suit_counts[1]) == {
        "hearts": 2, "minds": 1, "thoughts": 0, "prayers": 1
    }  # fmt: skip
    assert view.tricks_taken == (3, 1, 0, 0)


def test_goals_used_lie_in_the_order_of_the_deals() -> None:
    table = new_table()
    for goal in (DIET, MOST, LEAST):
        choose_all(table, [goal] * 4)
        play_out_deal(table)
    view = RULESET.view(table.state, SPECTATOR)
    assert view.goals_used == ((DIET, MOST, LEAST),) * 4
    assert view.goals_left == ((HEARTLESS, MINDLESS),) * 4


def test_a_view_before_the_first_draw_is_of_an_empty_table() -> None:
    view = RULESET.view(RULESET.initial(OPTIONS, 3), Viewer(0))
    assert (view.phase, view.deal, view.leader, view.hand) == ("leader", 0, None, ())
    assert view.goals_left == (GOALS,) * 3
