"""A figure is a ratio of slices measured in turn, told with its spread."""

import itertools

from benchmarks.__main__ import _ratio
from benchmarks.figure import Figure, compared, in_turn


def test_both_are_measured_in_turn_now_the_one_first_and_now_the_other() -> None:
    order: list[str] = []

    def noting(name: str, seconds: float) -> float:
        order.append(name)
        return seconds

    found = in_turn(lambda: noting("ours", 6.0), lambda: noting("reference", 2.0), 4)

    assert order == ["ours", "reference", "reference", "ours"] * 2
    assert (found.value, found.reference, found.ratio, found.spread) == (6.0, 2.0, 3.0, (3.0, 3.0))


def test_what_slows_both_of_a_slice_down_changes_no_ratio() -> None:
    slower = itertools.cycle([1.0, 1.0, 5.0, 5.0])
    found = in_turn(lambda: 3.0 * next(slower), lambda: 2.0 * next(slower), 8)
    assert (found.ratio, found.spread) == (1.5, (1.5, 1.5))


def test_half_of_the_slices_are_within_the_spread() -> None:
    found = compared([(ratio, 1.0) for ratio in (9.0, 1.0, 2.0, 4.0, 3.0)])
    assert found.ratio == 3.0
    assert found.spread == (2.0, 4.0)


def test_the_spread_is_shown_where_there_is_one() -> None:
    figure = Figure(figure=9, name="f", value=1.0, ratio=1.5, spread=(1.25, 1.75), unit="s")
    assert _ratio(figure) == "1.50 (1.25-1.75)"
    assert _ratio(Figure(figure=9, name="f", value=1.0, ratio=1.5, unit="s")) == "1.50"
    assert _ratio(Figure(figure=9, name="f", value=1.0, unit="s")) == ""
