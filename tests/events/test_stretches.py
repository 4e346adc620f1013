"""Long work lets others go on."""

import pytest

from events.stretches import PAUSE_SECONDS, in_stretches


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Every sleep until now."""
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    return slept


def test_others_have_their_turn_between_stretches(pauses: list[float]) -> None:
    before = {item: len(pauses) for item in in_stretches(range(100))}
    assert list(before) == list(range(100))
    assert [before[item] for item in (0, 31, 32, 63, 64, 95, 96, 99)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert set(pauses) == {PAUSE_SECONDS}, "of no time, others would not be read from"


@pytest.mark.parametrize("length", [0, 1, 32])
def test_short_work_waits_for_nobody(pauses: list[float], length: int) -> None:
    assert list(in_stretches(range(length))) == list(range(length))
    assert pauses == []


def test_work_that_is_given_up_leaves_the_way_free() -> None:
    given_up = in_stretches(range(1000))
    for _ in range(40):
        next(given_up)
    assert list(in_stretches(range(100))) == list(range(100))
