"""The examples of the rules text, one test each (examples 1 to 7)."""

import pytest

from domain.card_games.cards import FRENCH
from domain.rulesets.hearts import rules, scoring
from domain.rulesets.hearts.model import TrickTaken
from tests.domain.hearts.given import (
    FOUR_SUITS,
    RULESET,
    all_tricks_taken,
    cards,
    choice,
    dealt,
    legal,
    only,
    passing,
    play,
    position,
    refused_card,
)

TABLE = "TC KC 5H"


def test_example_1_the_king_of_clubs_takes_the_ace_of_hearts_and_leads_next() -> None:
    state = position(table="TC KC 3C", hands={0: "2D", 1: "3D", 2: "4D", 3: "AH 7D"})
    events, after = play(state, 3, "AH")
    taken = only(events, TrickTaken)
    assert (taken.seat, taken.points, taken.cards) == (1, 1, ("TC", "KC", "3C", "AH"))
    assert rules.to_act(after) == (1,)


@pytest.mark.parametrize(("card", "taker"), [("3C", 1), ("AC", 3)])
def test_example_2_a_seat_with_clubs_follows_and_the_ace_takes_the_point(
    card: str, taker: int
) -> None:
    state = position(table=TABLE, hands={3: "3C AC QS 7D 9H"})
    assert legal(state, 3) == "3C AC"
    events, _ = play(state, 3, card)
    taken = only(events, TrickTaken)
    assert (taken.seat, taken.points) == (taker, 1)


@pytest.mark.parametrize(
    ("card", "points"), [("QS", 14), ("9H", 2), ("JH", 2), ("4D", 1), ("7D", 1)]
)
def test_example_3_a_seat_void_in_clubs_may_play_any_of_its_five_cards(
    card: str, points: int
) -> None:
    state = position(table=TABLE, hands={3: "4D 7D QS 9H JH"})
    assert legal(state, 3) == "4D 7D 9H JH QS"
    events, _ = play(state, 3, card)
    taken = only(events, TrickTaken)
    assert (taken.seat, taken.points) == (1, points)


def test_example_4_on_trick_1_only_the_cards_without_points_are_legal() -> None:
    state = position(trick=1, table="2C", hands={1: "3H QS 7D 8D TS"})
    assert legal(state, 1) == "7D 8D TS"


def test_example_5_the_game_ends_with_100_and_seat_0_has_the_lowest_total() -> None:
    state = all_tricks_taken(
        {0: "2H 3H 4H", 1: "5H 6H 7H QS", 2: "8H 9H TH JH QH", 3: "KH AH"}, (24, 35, 40, 98)
    )
    scored = RULESET.consequence(state, None)
    assert scored.points == (3, 16, 5, 2)
    assert scored.totals == (27, 51, 45, 100)
    outcome = RULESET.outcome(RULESET.evolve(state, scored))
    assert (outcome.winners, outcome.result) == ((0,), "win")


def test_example_6_the_ace_of_clubs_the_king_of_diamonds_and_the_queen_may_be_passed() -> None:
    hand = "AC KD QS 2C 3C 4C 5C 6C 7C 8C 9C TC JC"
    rest = [code for code in FRENCH.codes if code not in hand.split()]
    table = dealt([hand, *(" ".join(rest[n::3]) for n in range(3))], deal=1)
    assert choice(table.state, 0).choose == 3
    assert {"AC", "KD", "QS"} <= set(choice(table.state, 0).of)
    passing(table, 0, "QS KD AC")
    assert FRENCH.listed(table.state.picks[0]) == ("AC", "KD", "QS")


def test_example_7_a_heart_thrown_on_a_diamond_breaks_hearts() -> None:
    state = position(leader=2, table="9D", hands={3: "4H 5C", 0: "TD 2H", 1: "JD 3H 9C", 2: "3C"})
    (played,), state = play(state, 3, "4H")
    assert played.breaks_hearts
    _, state = play(state, 0, "TD")
    _, state = play(state, 1, "JD")
    assert legal(state, 1) == "9C 3H"
    assert state.broken


def test_example_7_three_hearts_and_the_queen_of_spades_are_16() -> None:
    assert scoring.points_of(cards("2H 3H 4H QS")) == 16


def test_example_7_all_hearts_but_one_and_the_queen_of_spades_are_25_and_no_moon() -> None:
    all_but_ace = cards(FOUR_SUITS[1]) & ~cards("AH") | cards("QS")
    taken, moon, points = scoring.score((all_but_ace, cards("AH"), 0, 0))
    assert (taken, moon, points) == ((25, 1, 0, 0), None, (25, 1, 0, 0))


def test_example_7_a_spade_is_refused_to_a_seat_that_holds_a_club() -> None:
    state = position(table="TC", hands={1: "3C 9S"})
    assert refused_card(state, 1, "9S").rule == "follow-suit"
