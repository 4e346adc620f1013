"""An entry costs the same, however many deals were before it. Work is counted, not timed."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from events.audit.audit import audit
from events.log.entry import Entry
from events.log.loader import Loader, fold
from events.transcript import transcript
from tests.events.playing import House, play_on, seated

SHORT, LONG = 60, 400
"""Totals that games of Hearts are played to: some 500 and some 3,500 entries."""


class Played:
    def __init__(self, target: int) -> None:
        house = House()
        self.game = seated(house, target_score=target)
        play_on(house, self.game)
        self.house, self.store = house, house.store
        self.entries = house.store.read(self.game)
        self.lines = house.reader.log(self.game)


@pytest.fixture(scope="module")
def short() -> Played:
    return Played(SHORT)


@pytest.fixture(scope="module")
def long(short: Played) -> Played:
    played = Played(LONG)
    assert len(played.entries) > 5 * len(short.entries)
    return played


@contextmanager
def counting() -> Iterator[list[int]]:
    """How many functions are called inside, ours and others'."""
    calls, before = [0], sys.getprofile()

    def note(_: object, event: str, __: object) -> None:
        calls[0] += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def calls_of(work: Callable[[], object]) -> int:
    work()  # what is made once is made before
    with counting() as calls:
        work()
    return calls[0]


WORK: dict[str, Callable[[Played], object]] = {
    "audit": lambda played: audit(played.lines),
    "fold": lambda played: fold(played.game, played.entries),
    "transcript": lambda played: list(transcript(played.entries)),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_e12_an_entry_of_a_long_game_takes_no_more_work_than_one_of_a_short_game(
    short: Played, long: Played, work: Callable[[Played], object]
) -> None:
    each = [calls_of(lambda: work(p)) / len(p.entries) for p in (short, long)]  # noqa: B023
    assert each[1] < 1.1 * each[0]


def test_e12_the_past_of_a_long_game_starts_near_it(
    long: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    loader = Loader(long.store)
    last = loader.current(long.game).head.version
    read, asked = long.store.read, list[int]()

    def noting(game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        asked.append(first)
        return read(game, first, last)

    monkeypatch.setattr(long.store, "read", noting)
    for version in range(1, last):
        loader.at(long.game, version)
        assert asked[-1] > version - 64


def test_e12_states_share_what_they_have_in_common(long: Played) -> None:
    """A state has no copy of its own of what was answered and commanded before it."""
    loaded = fold(long.game, long.entries[:3000])
    states = []
    for entry in long.entries[3000:3064]:
        loaded = fold(long.game, [entry], loaded)
        states.append(loaded)
    for pieces_of in (lambda s: s.game.answers, lambda s: s.commands.maps):
        held = {id(piece): len(piece) for state in states for piece in pieces_of(state)}
        assert sum(held.values()) < 2 * sum(map(len, pieces_of(states[-1])))
