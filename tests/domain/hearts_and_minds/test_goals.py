"""A goal is used once in a game, and one of the five is never used."""

import itertools

from domain.rulesets.hearts_and_minds.model import (
    GOALS,
)
from domain.visibility import SPECTATOR
from tests.domain.hearts_and_minds.given import (
    DIET,
    HEARTLESS,
    LEAST,
    MINDLESS,
    MOST,
    RULESET,
    choose_all,
    goal_move,
    new_table,
    play_out_deal,
    refused,
)


def test_a_used_goal_is_refused_and_listed_with_the_reason() -> None:
    table = new_table(3)
    choose_all(table, (DIET, MOST, DIET))
    play_out_deal(table)
    allowed = RULESET.legal_moves(table.state, 0)
    assert [move.goal for move in allowed.moves] == [MOST, LEAST, HEARTLESS, MINDLESS]
    (listed,) = allowed.refused
    assert (listed.move, listed.rule) == (goal_move(table.state, DIET), "goal-used")
    assert listed.detail == "You used this goal in round 1; a goal is used once in a game."
    refusal = refused(table.state, 0, goal_move(table.state, DIET))
    assert (refusal.rule, refusal.code, refusal.detail) == (
        "goal-used", "illegal-move", listed.detail
    )  # fmt: skip
    assert MOST not in [move.goal for move in RULESET.legal_moves(table.state, 1).moves]


def test_one_of_five_goals_stays_unused() -> None:
    table = new_table(3)
    orders = list(itertools.islice(itertools.permutations(GOALS, 4), 7, 110, 45))
    for goals in zip(*orders, strict=True):
        choose_all(table, goals)
        play_out_deal(table)
    view = RULESET.view(table.state, SPECTATOR)
    assert [set(used) for used in view.goals_used] == [set(order) for order in orders]
    assert all(len(left) == 1 for left in view.goals_left)
    assert view.phase == "over"
