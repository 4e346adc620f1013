"""A reader can follow a request: it visits few files, and goes from one to another seldom."""

import pytest

from benchmarks import trips
from benchmarks.trips import Trip


@pytest.fixture(scope="module")
def found() -> dict[str, Trip]:
    return trips.trips()


def test_a_move_visits_few_files_and_each_in_its_turn(found: dict[str, Trip]) -> None:
    move = found["move"]
    assert len(move.files) <= 24, move.files
    assert move.hops <= 50


def test_a_look_at_the_past_starts_near_it(found: dict[str, Trip]) -> None:
    assert found[f"view at={trips.AT}"].hops <= 90


def test_the_same_request_travels_the_same_way(found: dict[str, Trip]) -> None:
    assert trips.trips() == found
