"""The entries that the second scorer names behind each kind of line.

The goals are revealed in entry 1, the cards are played in the entries from 2 on, without a gap.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.rulesets.hearts_and_minds.model import (
    CardPlayed,
    DealScored,
    Goal,
    GoalsRevealed,
    SuitlessScoring,
)
from tests.domain.hearts_and_minds.given import DIET, HEARTLESS, LEAST, MINDLESS, MOST, RULESET

Line = tuple[int, str, tuple[int, ...]]
"""Points, ruling, versions."""

TAKEN_BY_0 = (0, "9H 1H 1T 2T")
TAKEN_BY_1 = (1, "9M 2M 3M 2P")
TWO_TRICKS = (TAKEN_BY_0, TAKEN_BY_1)


def told(
    seat: int,
    goal: Goal,
    tricks: Sequence[tuple[int, str]],
    suitless: SuitlessScoring = "graded",
) -> list[Line]:
    """The lines of a seat with this goal, after tricks that are a leader and its cards each."""
    goals: list[Goal] = [DIET] * 4
    goals[seat] = goal
    facts: list[Any] = [GoalsRevealed(deal=1, goals=tuple(goals), suitless_scoring=suitless)]
    for number, (leader, cards) in enumerate(tricks, start=1):
        for place, card in enumerate(cards.split()):
            on_turn = (leader + place) % 4
            facts.append(CardPlayed(deal=1, trick=number, seat=on_turn, answers="", card=card))
    nothing: Any = ()
    facts.append(
        DealScored(
            deal=1, goals=nothing, taken=nothing, tricks=nothing, points=nothing, totals=nothing
        )
    )
    lines = RULESET.recount(list(enumerate(facts, start=1)))
    return [(line.points, line.ruling, line.versions) for line in lines if line.seat == seat]


def test_the_most_rests_on_the_hearts_and_minds_of_all_and_what_took_them() -> None:
    most, pairs, _ = told(0, MOST, TWO_TRICKS)
    assert most == (-1, "hearts_and_minds.most", (1, 2, 3, 6, 7, 8))
    assert pairs == (0, "hearts_and_minds.pairs", (1, 2, 3, 4, 5))


def test_a_pair_rests_on_its_two_cards_and_the_limit_on_all_before_it() -> None:
    tricks = [(0, "9T 8T 7T 1P"), (0, "6T 2P 3P 1H"), (1, "9M 8M 7M 6M")]
    assert told(0, MOST, tricks)[:5] == [
        (-1, "hearts_and_minds.most", (1, 6, 9, 10, 11, 12, 13)),
        (-1, "hearts_and_minds.pairs", (1, 2, 5)),
        (-1, "hearts_and_minds.pairs", (1, 2, 3, 6, 7)),
        (-1, "hearts_and_minds.pairs", (1, 2, 4, 6, 8)),
        (1, "hearts_and_minds.most", tuple(range(1, 14))),
    ]


def test_the_least_rests_on_each_trick_and_on_the_thoughts_and_prayers_of_all() -> None:
    assert told(0, LEAST, TWO_TRICKS)[:2] == [
        (1, "hearts_and_minds.least", (1, 2, 3, 4, 5)),
        (-3, "hearts_and_minds.least", (1, 2, 4, 5, 6, 9)),
    ]


@pytest.mark.parametrize(("goal", "points"), [(LEAST, -3), (DIET, 3), (HEARTLESS, 3)])
def test_hm_9_a_seat_without_tricks_rests_on_its_goal_alone(goal: Goal, points: int) -> None:
    assert told(2, goal, TWO_TRICKS)[0] == (points, "HM-9", (1,))


def test_a_diet_rests_on_the_whole_pile() -> None:
    assert told(1, DIET, TWO_TRICKS)[0] == (-1, "hearts_and_minds.diet", (1, 6, 7, 8, 9))


@pytest.mark.parametrize(
    ("seat", "goal", "behind"),
    [(0, HEARTLESS, [(1, 2), (1, 2, 3)]), (1, MINDLESS, [(1, 6), (1, 6, 7), (1, 6, 8)])],
)
def test_hm_2_each_card_of_a_shunned_suit_rests_on_itself_and_what_took_it(
    seat: int, goal: Goal, behind: list[tuple[int, ...]]
) -> None:
    first, *cards = told(seat, goal, TWO_TRICKS)
    assert first == (3, "HM-2", (1,))
    assert cards == [(-1, "HM-2", versions) for versions in behind]


@pytest.mark.parametrize(
    ("seat", "goal", "points", "behind"),
    [
        (1, MINDLESS, -3, (1, 6, 7, 8)),
        (2, MINDLESS, 3, (1, 6, 7, 8)),
        (0, HEARTLESS, -3, (1, 2, 3)),
    ],
)
def test_hm_2_the_fewest_rests_on_that_suit_in_all_piles(
    seat: int, goal: Goal, points: int, behind: tuple[int, ...]
) -> None:
    assert told(seat, goal, TWO_TRICKS, "fewest")[0] == (points, "HM-2", behind)


def test_hm_7_what_holds_a_total_rests_on_the_entry_that_scored_the_deal() -> None:
    assert told(2, LEAST, TWO_TRICKS)[-1] == (3, "HM-7", (10,))
