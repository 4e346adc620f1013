"""Long work lets others go on."""

import pytest

from events import stretches


def test_others_have_their_turn_after_every_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[float] = []
    monkeypatch.setattr("time.sleep", passed.append)
    passed_before = {item: len(passed) for item in stretches.in_stretches(range(200))}
    assert list(passed_before) == list(range(200))
    assert passed == [0, 0, 0]
    assert (passed_before[63], passed_before[64]) == (0, 1)
