"""Each ruling by its number, HM-1 to HM-9."""

import msgspec
import pytest

from domain.rulesets.hearts_and_minds import scoring
from domain.rulesets.hearts_and_minds.model import (
    GOALS,
    Dealt,
    Goal,
    GoalChosen,
    GoalsRevealed,
    HeartsAndMindsOptions,
    LeaderDrawn,
)
from domain.visibility import SPECTATOR, Viewer, secret_parts
from tests.domain.hearts_and_minds.given import (
    DIET,
    HEARTLESS,
    LEAST,
    MINDLESS,
    MOST,
    RULESET,
    bound,
    choose,
    choose_all,
    deal_of,
    deal_over,
    legal,
    lines,
    new_table,
    play_out_deal,
    played_rounds,
    points,
    position,
    said,
    why_not,
)

# --- HM-1


@pytest.mark.parametrize("seats", [3, 4])
def test_hm_1_the_first_leader_is_drawn_and_the_lead_moves_left_each_round(seats: int) -> None:
    table = new_table(seats, seed=5)
    drawn = table.log[0]
    assert isinstance(drawn, LeaderDrawn)
    assert (drawn.draw.number, drawn.draw.purpose) == (1, "leader")
    assert drawn.draw.link is not None
    for round_number in range(4):
        choose_all(table, [GOALS[round_number]] * seats)
        assert table.waiting_for == ((drawn.leader + round_number) % seats,)
        play_out_deal(table)
    leaders = [event.leader for event in table.log if isinstance(event, Dealt)]
    assert leaders == [(drawn.leader + n) % seats for n in range(4)]


def test_hm_1_any_seat_may_be_the_first_leader() -> None:
    assert {new_table(3, seed).log[0].leader for seed in range(30)} == {0, 1, 2}


# --- HM-2


def test_hm_2_graded_is_the_default_and_the_goal_is_not_scored_below_minus_3() -> None:
    assert HeartsAndMindsOptions().suitless_scoring == "graded"
    deal = deal_of((HEARTLESS, MOST, MOST, MOST), {0: ["1H 2H 3H 4H", "5H 6H 7H 8H"]})
    assert said(deal)[-1] == ("the goal is not scored below -3: +2", "HM-2")
    assert points(deal) == -3


@pytest.mark.parametrize(("goal", "suit"), [(HEARTLESS, "H"), (MINDLESS, "M")])
def test_hm_2_fewest_is_3_for_the_fewest_of_all_and_else_minus_3(goal: Goal, suit: str) -> None:
    goals: tuple[Goal, ...] = (goal, goal, DIET, DIET)
    taken = {
        0: [f"1{suit} 2{suit} 1T 2T"],
        1: [f"3{suit} 3T 4T 5T"],
        2: [f"4{suit} 5{suit} 6T 7T"],
        3: [f"6{suit} 8T 9T 10T"],
    }
    deal = deal_of(goals, taken, "fewest")
    name = {"H": "Hearts", "M": "Minds"}[suit]
    assert said(deal) == [(f"fewest {name}: 2, seat 1 has 1: -3", "HM-2")]
    assert said(deal, 1) == [(f"fewest {name}: 1, nobody has fewer: +3", "HM-2")]
    assert scoring.points(deal)[:2] == (-3, 3)


def test_hm_2_another_way_of_scoring_is_no_option() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"suitless_scoring": "none"}, HeartsAndMindsOptions)


def test_hm_2_a_game_opened_with_fewest_is_scored_so_by_both_scorers() -> None:
    table = new_table(4, 3, HeartsAndMindsOptions(suitless_scoring="fewest"))
    for goal in (HEARTLESS, MINDLESS, MOST, LEAST):
        choose_all(table, [goal] * 4)
        play_out_deal(table)
    first = RULESET.score_lines(table.state)
    second = RULESET.recount(table.facts)
    assert tuple(msgspec.structs.replace(line, versions=()) for line in second) == first
    scores = {line.points for line in first if line.ruling == "HM-2"}
    assert scores == {3, -3}
    assert all(e.suitless_scoring == "fewest" for e in table.log if isinstance(e, GoalsRevealed))


# --- HM-3


@pytest.mark.parametrize(
    "taken",
    [
        ["1H 2H 1M 2M", "1T 2T 3T 1P", "2P 3P"],  # 2, 2, 3, 3
        ["1H 1M 2M 3M", "1T 1P 2P 3P"],  # 1, 3, 1, 3
        ["1T 2T 1P 2P"],  # 0, 0, 2, 2
    ],
)
def test_hm_3_two_pairs_of_equal_counts_are_scored_as_two(taken: list[str]) -> None:
    deal = deal_of((DIET, MOST, MOST, MOST), {0: taken})
    assert points(deal) == -1
    assert lines(deal)[0].ruling == "HM-3"


def test_hm_3_the_line_says_so() -> None:
    deal = deal_of((DIET, MOST, MOST, MOST), {0: ["1H 2H 1M 2M", "1T 2T 3T 1P", "2P 3P"]})
    assert said(deal) == [
        (
            "Hearts 2, Minds 2, Thoughts 3, Prayers 3: two and two equal, which is two equal: -1",
            "HM-3",
        )
    ]


# --- HM-4


def test_hm_4_a_bound_seat_with_only_lower_trumps_must_still_play_one() -> None:
    state = bound("1P 2P 10M 9T", "5H 3P 7H")
    assert legal(state) == "1P 2P"
    assert why_not(state, "10M") == "must-trump"


# --- HM-5


def test_hm_5_equal_totals_are_parted_by_the_better_last_round() -> None:
    state = played_rounds(
        (3, 1, 0), (3, 3, 0), (0, 1, 0), (-1, 0, 0),
        totals=[(3, 1, 0), (6, 4, 0), (6, 5, 0), (5, 5, 0)],
    )  # fmt: skip
    outcome = RULESET.outcome(state)
    assert (outcome.winners, outcome.result) == ((1,), "win")
    assert (outcome.standings.totals, outcome.standings.ranks) == ((5, 5, 0), (2, 1, 3))
    assert (outcome.standings.better, outcome.standings.tie_break) == ("higher", (-1, 0, 0))


def test_hm_5_the_last_rounds_own_score_counts_before_the_total_is_held_at_0() -> None:
    state = played_rounds(
        (0, 0, 0), (0, 0, 0), (1, 0, 0), (-3, 0, -1),
        totals=[(0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 0)],
    )  # fmt: skip
    outcome = RULESET.outcome(state)
    assert outcome.winners == (1,)
    assert outcome.standings.ranks == (3, 1, 2)


def test_hm_5_equal_in_the_last_round_too_is_a_shared_win() -> None:
    state = played_rounds(
        (3, 1, 0), (0, 2, 0), (0, 0, 0), (2, 2, 3),
        totals=[(3, 1, 0), (3, 3, 0), (3, 3, 0), (5, 5, 3)],
    )  # fmt: skip
    outcome = RULESET.outcome(state)
    assert (outcome.winners, outcome.result) == ((0, 1), "draw")
    assert outcome.standings.ranks == (1, 1, 3)


def test_hm_5_before_the_end_equal_totals_share_a_rank() -> None:
    state = deal_over({0: ["1H 2H 3H 4H"]}, (4, 0, 0, 0))
    state = RULESET.evolve(state, RULESET.consequence(state, None))
    assert state.scored[-1].points == (-1, 3, 3, 1)
    standings = RULESET.view(state, SPECTATOR).standings
    assert (standings.totals, standings.ranks) == ((3, 3, 3, 1), (1, 1, 1, 4))
    assert standings.tie_break is None


# --- HM-6


@pytest.mark.parametrize("seat", range(4))
def test_hm_6_that_a_seat_has_picked_is_public_and_what_it_picked_is_not(seat: int) -> None:
    table = new_table()
    (chosen,) = choose(table, seat, DIET)
    assert isinstance(chosen, GoalChosen)
    (part,) = secret_parts(chosen, 2)
    assert (part.path, part.value, part.to, part.until) == ("/goal", DIET, (seat,), 2)
    for viewer in (SPECTATOR, *(Viewer(other) for other in range(4) if other != seat)):
        view = RULESET.view(table.state, viewer)
        assert view.picked == tuple(one == seat for one in range(4))
        assert (view.goal, view.goals) == (None, None)
        assert view.goals_used == ((), (), (), ())
    assert RULESET.view(table.state, Viewer(seat)).goal == DIET


def test_hm_6_goals_that_all_have_picked_are_secret_until_they_are_revealed() -> None:
    table = new_table()
    choose_all(table, (MOST, LEAST, DIET, MINDLESS))
    state = RULESET.initial(HeartsAndMindsOptions(), 4)
    for event in table.log:
        if isinstance(event, GoalsRevealed):
            break
        state = RULESET.evolve(state, event)
    assert state.picks == (MOST, LEAST, DIET, MINDLESS)
    for viewer in (SPECTATOR, *map(Viewer, range(4))):
        view = RULESET.view(state, viewer)
        assert (view.goals, view.goals_used, view.bound) == (None, ((),) * 4, (False,) * 4)


def test_hm_6_all_goals_are_revealed_together_once_all_have_picked() -> None:
    table = new_table()
    for seat, goal in ((3, MOST), (0, LEAST), (2, DIET)):
        assert not any(isinstance(e, GoalsRevealed) for e in choose(table, seat, goal))
    _, revealed = choose(table, 1, MINDLESS)
    assert isinstance(revealed, GoalsRevealed)
    assert revealed.goals == (LEAST, MINDLESS, DIET, MOST)
    view = RULESET.view(table.state, SPECTATOR)
    assert view.goals == (LEAST, MINDLESS, DIET, MOST)
    assert view.goals_used == ((LEAST,), (MINDLESS,), (DIET,), (MOST,))
    assert view.bound == (False, True, False, False)


def test_hm_6_a_pick_is_final() -> None:
    table = new_table()
    choose(table, 2, DIET)
    assert 2 not in table.waiting_for
    assert RULESET.question(table.state, 2) is None
    assert RULESET.legal_moves(table.state, 2).moves == ()


# --- HM-7


def test_hm_7_minus_3_plus_3_plus_3_minus_1_ends_at_5() -> None:
    totals = (0, 0, 0, 0)
    course = []
    for taken in (["1H 2H 3H 4H", "5H 6H 1M 2M"], [], [], ["1H 2H 3H 4H"]):
        scored = RULESET.consequence(deal_over({0: taken}, totals), None)
        totals = scored.totals
        course.append((scored.points[0], totals[0]))
    assert course == [(-3, 0), (3, 3), (3, 6), (-1, 5)]


def test_hm_7_the_line_that_holds_a_total_cites_it() -> None:
    table = new_table(3, seed=2)
    for goal in (HEARTLESS, MINDLESS, MOST, DIET):
        choose_all(table, [goal] * 3)
        play_out_deal(table)
    lines = RULESET.score_lines(table.state)
    held_lines = [line for line in lines if line.ruling == "HM-7"]
    assert held_lines
    for line in held_lines:
        assert line.reason == f"the total of {-line.points} is held at 0: {line.points:+d}"
    for seat in range(3):
        assert sum(line.points for line in lines if line.seat == seat) == table.state.totals[seat]


# --- HM-8, HM-9


def test_hm_8_a_seat_that_needs_a_trick_need_not_play_for_one() -> None:
    state = position(table="5H 6H 7H", hands={3: "1H 9H"}, goals=(MOST, MOST, MOST, LEAST), trick=9)
    assert legal(state) == "1H 9H"


def test_hm_9_without_tricks_the_diet_is_3_and_the_least_is_minus_3() -> None:
    deal = deal_of((DIET, LEAST, MOST, MOST), {2: ["1H 2H 3H 4H"]})
    assert scoring.points(deal)[:2] == (3, -3)
    assert said(deal, 0) == [("no trick taken, so all four suits equal: +3", "HM-9")]
    assert said(deal, 1) == [("least Thoughts and Prayers without a trick: -3", "HM-9")]


def test_hm_9_without_tricks_the_most_is_minus_1() -> None:
    deal = deal_of((MOST, DIET, DIET, DIET), {2: ["1H 2H 3H 4H"]})
    assert points(deal) == -1
    assert said(deal)[0] == ("most Hearts and Minds: 0, seat 2 has 4: -1", "HM-9")


def test_hm_9_without_tricks_the_most_is_3_where_nobody_took_hearts_or_minds() -> None:
    deal = deal_of((MOST, DIET, DIET, DIET), {2: ["1T 2T 3T 4T"]})
    assert points(deal) == 3
    assert said(deal)[0] == ("most Hearts and Minds: 0, nobody has more: +3", "HM-9")


@pytest.mark.parametrize("goal", [HEARTLESS, MINDLESS])
def test_hm_9_without_tricks_a_graded_suitless_goal_is_3(goal: Goal) -> None:
    deal = deal_of((goal, DIET, DIET, DIET), {2: ["1H 2M 3H 4M"]})
    assert points(deal) == 3
    assert lines(deal)[0].ruling == "HM-9"
