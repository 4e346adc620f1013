import msgspec
import pytest

from domain.scores import Better, Teams, outcome, standings


@pytest.mark.parametrize(
    ("totals", "better", "ranks"),
    [
        ([44, 44, 96, 102], "lower", (1, 1, 3, 4)),
        ([-3, 4, -1], "higher", (3, 1, 2)),
        ([5, 5, 5], "higher", (1, 1, 1)),
        ([1, 2, 2, 3], "lower", (1, 2, 2, 4)),
    ],
)
def test_a23_standings_state_their_direction_and_equal_totals_share_a_rank(
    totals: list[int], better: Better, ranks: tuple[int, ...]
) -> None:
    stated = standings(totals, better)
    assert (stated.better, stated.totals, stated.ranks) == (better, tuple(totals), ranks)


@pytest.mark.parametrize(
    ("totals", "better", "winners", "result"),
    [
        ([27, 51, 45, 100], "lower", (0,), "win"),
        ([27, 51, 45, 100], "higher", (3,), "win"),
        ([44, 96, 44, 102], "lower", (0, 2), "draw"),
    ],
)
def test_a11_several_seats_ranked_first_share_the_win(
    totals: list[int], better: Better, winners: tuple[int, ...], result: str
) -> None:
    ended = outcome(totals, better)
    assert (ended.winners, ended.result) == (winners, result)


@pytest.mark.parametrize(
    ("better", "winners", "ranks"), [("higher", (2,), (2, 4, 1, 3)), ("lower", (1,), (3, 1, 4, 2))]
)
def test_equal_totals_are_parted_where_a_game_has_a_tie_break(
    better: Better, winners: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    ended = outcome([5, 3, 5, 3], better, tie_break=[-1, 0, 2, 1])
    assert (ended.winners, ended.standings.ranks) == (winners, ranks)
    assert ended.standings.tie_break == (-1, 0, 2, 1)
    assert outcome([5, 5], better, tie_break=[1, 1]).result == "draw"


@pytest.mark.parametrize(
    ("totals", "winners", "teams", "result"),
    [
        ([5, 3, 5, 3], (0, 2), ((0, 2),), "win"),
        ([3, 3, 3, 3], (0, 1, 2, 3), ((0, 2), (1, 3)), "draw"),
    ],
)
def test_a_team_that_is_ranked_first_alone_wins_with_all_its_seats(
    totals: list[int], winners: tuple[int, ...], teams: Teams, result: str
) -> None:
    ended = outcome(totals, "higher", teams=((0, 2), (1, 3)))
    assert (ended.winners, ended.teams, ended.result) == (winners, teams, result)


def test_teams_are_not_named_where_there_are_none() -> None:
    assert "teams" not in msgspec.to_builtins(outcome([1, 2], "higher"))
