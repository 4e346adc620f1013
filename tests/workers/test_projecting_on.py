"""A projector goes on from what it knows of a game, and comes to what a whole recount gives."""

from collections.abc import Sequence
from dataclasses import replace as changed
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.registry import RULESETS, find
from events.log.entry import Entry
from events.log.memory import MemoryStore
from events.log.store import EMPTY, Head
from events.projections.memory import MemoryProjections
from events.projections.store import ProjectedGame
from tests.events.playing import House, play_on, seated
from tests.workers.playing import LATEST
from workers.projections import projector
from workers.projections.history import History, read_history
from workers.projections.projector import PROJECTORS, Projecting
from workers.projections.scoresheet import scoresheet

LONG = {"hearts": {"target_score": 150}}


class GrowingStore(MemoryStore):
    """A log that grows to where it is told to, and notes from where it is read."""

    def __init__(self, game: str, entries: Sequence[Entry]) -> None:
        super().__init__()
        self.game, self.entries, self.asked = game, entries, list[int]()

    def grow(self, version: int) -> None:
        done = len(self.logs.get(self.game, ()))
        head = Head(done, self.entries[done - 1].digest) if done else EMPTY
        self.append(self.game, head, list(self.entries[done:version]), ("score",), 0)

    def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        self.asked.append(first)
        return super().read(game, first, last)


@cache
def finished(ruleset_id: str) -> tuple[str, tuple[Entry, ...]]:
    house = House()
    name = RULESETS[ruleset_id].name
    game = seated(house, ruleset=name, **LONG.get(name, {}))
    play_on(house, game)
    return game, tuple(house.store.read(game))


def rebuilt(store: MemoryStore, game: str) -> bytes:
    return msgspec.json.encode(scoresheet(read_history(store, game)))


def scored_at(entries: Sequence[Entry]) -> list[int]:
    return [e.version for e in entries if b'"type":"hearts.deal-scored"' in e.public]


@pytest.mark.parametrize("ruleset_id", RULESETS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_sheet_made_deal_by_deal_is_the_one_made_at_once(ruleset_id: str, data: Any) -> None:
    """Whatever each job finds, and whenever the worker that knew the game has gone."""
    game, entries = finished(ruleset_id)
    cuts = data.draw(st.sets(st.integers(1, len(entries)), max_size=12), label="cuts")
    store, projections = GrowingStore(game, entries), MemoryProjections()
    worker = Projecting(store, projections)
    for version in sorted({*cuts, len(entries)}):
        store.grow(version)
        if data.draw(st.integers(0, 5)) == 0:
            worker = Projecting(store, projections)
        worker.project(game, version)
        assert msgspec.json.encode(projections.sheet(game)) == rebuilt(store, game)


def test_only_what_is_new_is_read_and_counted() -> None:
    game, entries = finished("hearts@1")
    store, counted = GrowingStore(game, entries), list[int]()

    def noted(history: History) -> ProjectedGame | None:
        counted.append(len(history.facts))
        return scoresheet(history)

    worker = Projecting(store, MemoryProjections(), {**PROJECTORS, "scoresheet": noted})
    ends = [version + 1 for version in scored_at(entries)]
    for version in ends:
        store.grow(version)
        worker.project(game, version)

    assert store.asked == [1, *ends[:-1]]
    assert counted[0] == ends[0]
    assert max(counted[1:]) < 80


def test_what_a_scorer_gets_wrong_in_a_deal_is_told_once_of_that_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, entries = finished("hearts@1")
    own = find("hearts@1")

    def without_the_first_line_of_deal_2(facts: Any, before: Any = ()) -> Any:
        lines = own.recount(facts, before)
        second = [line for line in lines if line.deal == 2][:1]
        return tuple(line for line in lines if line not in second)

    recount = without_the_first_line_of_deal_2
    monkeypatch.setitem(RULESETS, "hearts@1", changed(own, recount=recount))
    store, projections = GrowingStore(game, entries), MemoryProjections()
    worker, scored = Projecting(store, projections), scored_at(entries)
    for version in scored:
        store.grow(version)
        worker.project(game, version)

    sheet = projections.sheet(game)
    assert sheet is not None
    assert msgspec.json.encode(sheet) == rebuilt(store, game)
    told = [(one.what, one.deal, one.version) for one in sheet.disagreements]
    assert told[:2] == [("lines", 2, scored[1]), ("points", 2, scored[1])]
    assert [what for what, deal, _ in told if deal == 3] == ["totals"]


def test_a_log_that_was_put_in_the_place_of_another_is_read_from_its_first_entry() -> None:
    houses = [House(root=root) for root in (b"r" * 32, b"s" * 32)]
    games = [seated(house, key="the same for both") for house in houses]
    for house, game in zip(houses, games, strict=True):
        play_on(house, game)
    game, (log, other) = games[0], [house.store.read(games[0]) for house in houses]
    store, projections = GrowingStore(game, log), MemoryProjections()
    worker, end = Projecting(store, projections), scored_at(log)[0] + 1
    store.grow(end)
    worker.project(game, end)

    store.logs[game] = other[: 2 * end]
    worker.project(game, 2 * end)

    assert store.asked == [1, end, 1]
    assert msgspec.json.encode(projections.sheet(game)) == rebuilt(store, game)


def test_a_worker_keeps_what_it_knows_of_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector, "KNOWN", 2)
    house, projections = House(), MemoryProjections()
    worker = Projecting(house.store, projections)
    games = [seated(house, target_score=1) for _ in range(4)]
    for game in games:
        worker.project(game, 1)
    assert list(worker._known) == games[2:]
    play_on(house, games[3])
    worker.project(games[3], LATEST)
    assert list(worker._known) == games[2:3]
