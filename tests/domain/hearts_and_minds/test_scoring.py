"""What each goal scores, with every number the rules text works out."""

import pytest

from domain.rulesets.hearts_and_minds import scoring
from domain.rulesets.hearts_and_minds.model import Goal
from tests.domain.hearts_and_minds.given import (
    DIET,
    HEARTLESS,
    LEAST,
    MINDLESS,
    MOST,
    deal_of,
    lines,
    points,
    said,
)

# --- most Hearts and Minds


def test_most_hearts_and_minds_is_3() -> None:
    deal = deal_of((MOST, DIET, DIET, DIET), {0: ["1H 2H 3M 4M"], 1: ["1T 2T 3T 4T"]})
    assert said(deal) == [
        ("most Hearts and Minds: 4, nobody has more: +3", "hearts_and_minds.most"),
        ("no pair of Thoughts and Prayers: 0", "hearts_and_minds.pairs"),
    ]
    assert points(deal) == 3


def test_most_hearts_and_minds_counts_for_both_of_two_that_are_equal() -> None:
    deal = deal_of((MOST, MOST, DIET, DIET), {0: ["1H 2H 3M 4M"], 1: ["5H 6H 7H 8H"]})
    assert scoring.points(deal)[:2] == (3, 3)


def test_missing_the_most_is_minus_1_and_the_line_says_who_has_more() -> None:
    taken = {
        0: ["1H 2H 3H 4H", "1M 2M 3M 4M", "5H 1T 2T 3T"],
        2: ["6H 7H 8H 9H", "10H 5M 6M 7M", "8M 9M 10M 4T"],
    }
    deal = deal_of((MOST, DIET, LEAST, DIET), taken)
    assert said(deal)[0] == (
        "most Hearts and Minds: 9, seat 2 has 11: -1",
        "hearts_and_minds.most",
    )
    assert points(deal) == -1


def test_the_most_is_compared_with_every_seat_whatever_its_goal() -> None:
    for goal in (LEAST, DIET, HEARTLESS, MINDLESS):
        taken = {0: ["1H 2H 1T 2T"], 1: ["3H 4H 5H 3T"]}
        assert points(deal_of((MOST, goal, goal, goal), taken)) == -1


def test_each_pair_of_a_thought_and_a_prayer_is_1_less_whatever_the_ranks() -> None:
    deal = deal_of((MOST, DIET, DIET, DIET), {0: ["1H 2H 7T 2P", "3H 9T 8T 10P"]})
    assert [line.points for line in lines(deal)] == [3, -1, -1]
    assert said(deal)[1:] == [
        (
            "pair 1 of Thoughts and Prayers: 7T in trick 1 and 2P in trick 1: -1",
            "hearts_and_minds.pairs",
        ),
        (
            "pair 2 of Thoughts and Prayers: 9T in trick 2 and 10P in trick 2: -1",
            "hearts_and_minds.pairs",
        ),
    ]
    assert points(deal) == 1


def test_pairs_count_where_the_most_is_missed_too() -> None:
    deal = deal_of((MOST, DIET, DIET, DIET), {0: ["1H 2H 7T 2P"], 1: ["3H 4H 5H 6H"]})
    assert points(deal) == -2


def test_a_pair_is_complete_in_the_later_of_its_two_tricks() -> None:
    deal = deal_of((MOST, DIET, DIET, DIET), {0: ["1H 2H 3M 2P", "3H 4H 8T 6H"]})
    pair = lines(deal)[1]
    assert (pair.trick, pair.card) == (2, "8T")
    assert pair.reason == "pair 1 of Thoughts and Prayers: 8T in trick 2 and 2P in trick 1: -1"


def test_the_goal_is_not_scored_below_minus_3() -> None:
    deal = deal_of(
        (MOST, DIET, DIET, DIET), {0: ["1T 2T 3P 4P", "3T 5P 6P 4T"], 1: ["1H 2H 3H 4H"]}
    )
    assert [line.points for line in lines(deal)] == [-1, -1, -1, -1, -1, 2]
    assert said(deal)[-1] == ("the goal is not scored below -3: +2", "hearts_and_minds.most")
    assert points(deal) == -3


def test_seven_pairs_with_the_most_are_minus_3_as_well() -> None:
    tricks = [f"{n}H {n}M {n}T {n}P" for n in range(1, 8)]
    assert points(deal_of((MOST, DIET, DIET, DIET), {0: tricks})) == -3


# --- least Thoughts and Prayers


def test_least_thoughts_and_prayers_is_a_point_for_each_trick() -> None:
    deal = deal_of(
        (LEAST, DIET, DIET, DIET), {0: ["1H 2H 3M 4M", "6M 5M 7M 8M"], 1: ["1T 2T 3H 4H"]}
    )
    assert points(deal) == 2
    assert said(deal) == [
        ("took trick 1 with 1H: +1", "hearts_and_minds.least"),
        ("took trick 2 with 6M: +1", "hearts_and_minds.least"),
        ("least Thoughts and Prayers: 0, nobody has fewer: 0", "hearts_and_minds.least"),
    ]


def test_two_tricks_with_one_prayer_and_a_rival_with_none_are_minus_1() -> None:
    deal = deal_of((LEAST, DIET, DIET, DIET), {0: ["1H 2H 3M 4P", "6M 5M 7M 8M"]})
    assert points(deal) == -1
    assert said(deal)[-1] == (
        "least Thoughts and Prayers: 1, seat 1 has 0: -3",
        "hearts_and_minds.least",
    )


def test_the_least_counts_for_both_of_two_that_are_equal() -> None:
    taken = {n: [f"{n + 1}H {n + 1}M {n + 5}H {n + 1}P"] for n in range(4)}
    deal = deal_of((LEAST, LEAST, DIET, DIET), taken)
    assert scoring.points(deal)[:2] == (1, 1)


def test_ten_tricks_all_failed_are_still_ten_points_less_3() -> None:
    tricks = [f"{n}H {n}M {n}T {n}P" for n in range(1, 11)]
    assert points(deal_of((LEAST, DIET, DIET, DIET), {0: tricks})) == 7


# --- a balanced diet


@pytest.mark.parametrize(
    ("counts", "score", "reason"),
    [
        ((2, 2, 2, 2), 3, "Hearts 2, Minds 2, Thoughts 2, Prayers 2: all four equal: +3"),
        ((4, 0, 0, 0), 1, "Hearts 4, Minds 0, Thoughts 0, Prayers 0: three equal: +1"),
        ((5, 1, 1, 1), 1, "Hearts 5, Minds 1, Thoughts 1, Prayers 1: three equal: +1"),
        ((0, 0, 3, 1), -1, "Hearts 0, Minds 0, Thoughts 3, Prayers 1: two equal: -1"),
        ((1, 2, 0, 1), -1, "Hearts 1, Minds 2, Thoughts 0, Prayers 1: two equal: -1"),
        ((3, 5, 4, 0), -3, "Hearts 3, Minds 5, Thoughts 4, Prayers 0: none equal: -3"),
    ],
)
def test_a_balanced_diet_counts_the_suits_that_are_equal(
    counts: tuple[int, ...], score: int, reason: str
) -> None:
    deal = deal_of((DIET, MOST, MOST, MOST), {0: piles(counts)})
    assert points(deal) == score
    assert said(deal) == [(reason, "hearts_and_minds.diet")]


def piles(counts: tuple[int, ...]) -> list[str]:
    codes = [
        f"{rank}{suit}" for suit, n in zip("HMTP", counts, strict=True) for rank in range(1, n + 1)
    ]
    return [" ".join(codes[n : n + 4]) for n in range(0, len(codes), 4)]


# --- heartless and mindless


@pytest.mark.parametrize(("goal", "suit"), [(HEARTLESS, "H"), (MINDLESS, "M")])
@pytest.mark.parametrize(
    ("number", "score"), [(0, 3), (1, 2), (2, 1), (3, 0), (4, -1), (6, -3), (7, -3), (10, -3)]
)
def test_graded_suitless_goals_are_3_less_the_cards_of_the_suit(
    goal: Goal, suit: str, number: int, score: int
) -> None:
    codes = [f"{n}{suit}" for n in range(1, number + 1)] + [f"{n}P" for n in range(1, 3)]
    deal = deal_of((goal, MOST, MOST, MOST), {0: [" ".join(codes)]})
    assert points(deal) == score


def test_each_card_of_the_suit_has_its_line() -> None:
    deal = deal_of((HEARTLESS, MOST, MOST, MOST), {0: ["9T 1H 2T 5H"]})
    assert said(deal) == [
        ("3 less the Hearts taken: +3", "HM-2"),
        ("took 1H in trick 1 with 9T: -1", "HM-2"),
        ("took 5H in trick 1 with 9T: -1", "HM-2"),
    ]
    assert [(line.trick, line.card) for line in lines(deal)] == [(None, None), (1, "1H"), (1, "5H")]


def test_the_other_suit_costs_a_suitless_goal_nothing() -> None:
    assert points(deal_of((HEARTLESS, MOST, MOST, MOST), {0: ["1M 2M 3M 4M"]})) == 3
    assert points(deal_of((MINDLESS, MOST, MOST, MOST), {0: ["1H 2H 3H 4H"]})) == 3


@pytest.mark.parametrize("goals", [(MOST, LEAST, DIET), (HEARTLESS, MINDLESS, MOST)])
def test_three_seats_are_scored_alike(goals: tuple[Goal, ...]) -> None:
    deal = deal_of(goals, {0: ["1T 2T 3M"], 1: ["4M 5M 6H"]})
    expected = {MOST: (-1, 1, 3), HEARTLESS: (3, 1, -1)}[goals[0]]
    assert scoring.points(deal) == expected
