import pytest

from domain.scores import Better, outcome, standings


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
