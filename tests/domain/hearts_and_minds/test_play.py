"""Which card may be played, and who takes the trick."""

import pytest

from domain.card_games.tricks import PlayCard
from domain.rulesets.hearts_and_minds.model import Goal, TrickTaken
from domain.visibility import SPECTATOR
from tests.domain.hearts_and_minds.given import (
    DIET,
    HEARTLESS,
    LEAST,
    MINDLESS,
    MOST,
    RULESET,
    bound,
    legal,
    only,
    play,
    position,
    refused,
    why_not,
)

FREE = (MOST, LEAST, DIET, MOST)


@pytest.mark.parametrize(("led", "trump"), [("H", "P"), ("P", "H"), ("M", "T"), ("T", "M")])
def test_the_led_suit_fixes_the_trump_of_its_trick(led: str, trump: str) -> None:
    state = position(table=f"5{led}", hands={1: f"9{led}"})
    assert RULESET.view(state, SPECTATOR).trick.trump == trump
    state = position(table=f"5{led} 10{led} 9{led}", hands={3: f"1{trump}", 0: "2H"})
    events, _ = play(state, 3, f"1{trump}")
    taken = only(events, TrickTaken)
    assert (taken.seat, taken.trump) == (3, trump)


def test_a14_the_lowest_trump_takes_the_highest_card_of_the_led_suit() -> None:
    state = position(table="10H 1P 9H", hands={3: "10M"}, goals=FREE)
    events, after = play(state, 3, "10M")
    taken = only(events, TrickTaken)
    assert (taken.seat, taken.trump, taken.cards) == (1, "P", ("10H", "1P", "9H", "10M"))
    assert RULESET.to_act(after) == (1,)


def test_a14_the_trump_is_recomputed_from_the_card_led_to_each_trick() -> None:
    hands = {0: "10H 1M", 1: "1P 3P", 2: "9H 2H", 3: "10M 4P"}
    state = position(hands=hands, goals=FREE)
    for seat, card in ((0, "10H"), (1, "1P"), (2, "9H"), (3, "10M"), (1, "3P")):
        _, state = play(state, seat, card)
    assert RULESET.view(state, SPECTATOR).trick.trump == "H"
    for seat, card in ((2, "2H"), (3, "4P")):
        _, state = play(state, seat, card)
    events, _ = play(state, 0, "1M")
    taken = only(events, TrickTaken)
    assert (taken.seat, taken.trump) == (2, "H")


@pytest.mark.parametrize(
    ("table", "card", "taker"),
    [
        ("5H 10M 10T", "6H", 3),  # no trump: the highest of the led suit
        ("5H 10M 10T", "4H", 0),
        ("5H 3P 7P", "6P", 2),  # the highest trump
        ("5H 3P 7P", "8P", 3),
        ("5M 1T 10M", "10P", 1),
        ("9T 10H 10P", "1M", 3),
    ],
)
def test_the_highest_trump_takes_a_trick_else_the_highest_of_the_led_suit(
    table: str, card: str, taker: int
) -> None:
    events, after = play(position(table=table, hands={3: card, 0: "1H"}), 3, card)
    assert only(events, TrickTaken).seat == taker
    assert after.leader == taker


def test_a_seat_must_follow_and_need_not_win() -> None:
    state = position(table="5H", hands={1: "1H 9H 10P 3M"}, goals=FREE)
    assert legal(state, 1) == "1H 9H"
    assert why_not(state, "10P", 1) == "follow-suit"


def test_a_void_seat_that_is_not_bound_plays_anything() -> None:
    state = position(table="5H 1P", hands={2: "9P 3M 4T"}, goals=FREE)
    assert legal(state, 2) == "3M 4T 9P"


def test_a_leader_leads_anything_bound_or_not() -> None:
    for goal in (MOST, HEARTLESS, MINDLESS):
        state = position(leader=3, hands={3: "1H 3M 4T 9P"}, goals=(MOST, MOST, MOST, goal))
        assert legal(state) == "1H 3M 4T 9P"


# --- must-win/must-trump, rule by rule


@pytest.mark.parametrize("goal", [HEARTLESS, MINDLESS])
@pytest.mark.parametrize(
    ("hand", "table", "cards"),
    [
        ("2H 6H 9H 1P", "5H", "6H 9H"),
        ("2H 6H 9H 1P", "5H 7H", "9H"),
        ("2H 6H 9H 1P", "5H 10M 7H", "9H"),  # a card of another suit heads nothing
        ("2H 4H", "5H", "2H 4H"),  # nothing higher: any card of the led suit
        ("2H 6H 9H", "5H 1P", "2H 6H 9H"),  # trumped already: any card of the led suit
        ("2H 6H 10P", "5H 1P", "2H 6H"),  # following comes before trumping
    ],
)
def test_a_bound_seat_that_holds_the_led_suit(
    goal: Goal, hand: str, table: str, cards: str
) -> None:
    place = len(table.split())
    goals = [MOST, MOST, MOST, MOST]
    goals[place] = goal
    assert legal(position(table=table, hands={place: hand}, goals=goals), place) == cards


@pytest.mark.parametrize("goal", [HEARTLESS, MINDLESS])
@pytest.mark.parametrize(
    ("hand", "table", "cards"),
    [
        ("1P 9P 10M", "5H 6H 7H", "1P 9P"),  # a trump, any
        ("1P 9P 10M", "5H 3P 7H", "9P"),  # one higher than the trump there
        ("1P 4P 9P 10M", "5H 3P 4M", "4P 9P"),
        ("5P 7P 9P", "5H 6P 8P", "9P"),  # than all of them
        ("1P 2P 10M", "5H 3P 7H", "1P 2P"),  # only lower ones: a trump all the same
        ("1M 5T 9T", "6H 7H 8H", "1M 5T 9T"),  # neither: anything
    ],
)
def test_a_bound_seat_that_is_void_in_the_led_suit(
    goal: Goal, hand: str, table: str, cards: str
) -> None:
    assert legal(bound(hand, table, goal)) == cards


def test_each_refused_card_of_a_bound_seat_names_the_rule_against_it() -> None:
    assert why_not(bound("2H 6H 1P", "5H 4M 3M"), "2H") == "must-head"
    assert why_not(bound("2H 6H 1P", "5H 4M 3M"), "1P") == "follow-suit"
    assert why_not(bound("1P 9P 10M", "5H 6H 7H"), "10M") == "must-trump"
    assert why_not(bound("1P 9P 10M", "5H 3P 7H"), "1P") == "must-overtrump"
    assert why_not(bound("1P 9P 10M", "5H 3P 7H"), "10M") == "must-trump"


@pytest.mark.parametrize("goal", [MOST, LEAST, DIET])
def test_the_other_goals_do_not_bind(goal: Goal) -> None:
    assert legal(bound("2H 6H 1P", "5H 4M 3M", goal)) == "2H 6H"
    assert legal(bound("1P 10M", "5H 6H 7H", goal)) == "10M 1P"


def test_only_the_seat_that_chose_it_is_bound() -> None:
    state = position(table="5H", hands={1: "2H 6H"}, goals=(HEARTLESS, MOST, MINDLESS, HEARTLESS))
    assert legal(state, 1) == "2H 6H"


def test_a_card_not_held_and_a_card_that_does_not_exist_are_two_refusals() -> None:
    state = position(table="5H", hands={1: "3H"})
    for code, refusal in (
        ("4H", "card-not-in-hand"),
        ("11H", "invalid-card"),
        ("QS", "invalid-card"),
    ):
        assert refused(state, 1, PlayCard(answers="d1.t4", card=code)).code == refusal


def test_three_seats_have_no_tens() -> None:
    state = position(table="5H", hands={1: "3H"}, goals=(MOST, LEAST, DIET))
    for ten in ("10H", "10M", "10T", "10P"):
        assert refused(state, 1, PlayCard(answers="d1.t4", card=ten)).code == "invalid-card"
