"""What every store of projections owes: one contract, three back ends."""

from collections.abc import Callable
from typing import Any

import pytest
from redis.crc import key_slot

from domain.game.views import SeatView
from events.log.store import Opening
from events.projections.memory import MemoryProjections
from events.projections.redis import GENERATIONS, RedisProjections
from events.projections.store import (
    FailedProjection,
    GameRecord,
    Health,
    LobbyRow,
    Overtaken,
    ProjectedGame,
    ProjectionStore,
    RecordPart,
    Scoresheet,
    Tally,
    name_of,
)
from events.redis.counters import Counts
from events.redis.keys import partition_of
from tests.events.conftest import client_of
from tests.events.stores import REDIS

GAME = "a-game"
ANN, BEN = "p_ann", "p_ben"


@pytest.fixture(params=["memory", *REDIS])
def store(request: pytest.FixtureRequest) -> ProjectionStore:
    if request.param == "memory":
        return MemoryProjections()
    return RedisProjections(client_of(request))


@pytest.fixture
def client(any_redis: Any) -> Any:
    return any_redis


def sheet(version: int, game: str = GAME, *, disagree: bool = False) -> Scoresheet:
    return Scoresheet(
        game=game,
        version=version,
        ruleset="hearts@1",
        chance="chain",
        deals=(),
        totals=(version, 0),
        outcome=None,
        scores_disagree=disagree,
        disagreements=(),
    )


def record(version: int, *, won: bool = False, game: str = GAME, who: str = ANN) -> GameRecord:
    part = RecordPart(ruleset="hearts@1", finished=won, won=won)
    return GameRecord(game=game, version=version, parts={who: part})


def row(
    version: int, status: Any = "open", *, game: str = GAME, opened: int = 5, sits: str | None = BEN
) -> LobbyRow:
    seat = SeatView(seat=0, kind="player", player=sits, level=None, former=None)
    return LobbyRow(
        game=game,
        version=version,
        opened=opened,
        ruleset="hearts@1",
        status=status,
        opener=ANN,
        chance="chain",
        seats=(seat,),
    )


def test_of_what_was_never_kept_there_is_nothing(store: ProjectionStore) -> None:
    assert store.sheet(GAME) is None
    assert store.record(ANN) == {}
    assert store.rows([GAME]) == {}
    assert store.listed("open", None, 9) == []
    assert store.dead() == []
    assert store.health() == Health()


def test_c04_an_older_or_equal_version_changes_nothing(store: ProjectionStore) -> None:
    assert store.put(sheet(7))
    assert not store.put(sheet(7))
    assert not store.put(sheet(6))
    assert store.sheet(GAME) == sheet(7)
    assert store.put(sheet(10))
    assert store.sheet(GAME) == sheet(10)

    assert store.put(row(9, "playing"))
    assert not store.put(row(8, "open"))
    assert store.rows([GAME, "none"]) == {GAME: row(9, "playing")}

    assert store.put(record(9, won=True))
    assert not store.put(record(8))
    assert store.record(ANN) == {"hearts@1": Tally(played=1, finished=1, won=1)}


def test_the_same_version_again_only_where_it_is_said(store: ProjectionStore) -> None:
    store.put(sheet(7))
    assert store.put(sheet(7, disagree=True), again=True)
    assert not store.put(sheet(6), again=True)
    assert store.sheet(GAME) == sheet(7, disagree=True)


def test_a_record_adds_up_games_by_rule_set(store: ProjectionStore) -> None:
    for number in range(3):
        store.put(record(5, won=number == 0, game=f"g{number}"))
    other = RecordPart(ruleset="hamlet@1", finished=True, won=False)
    store.put(GameRecord(game="h", version=3, parts={ANN: other, BEN: other}))

    assert store.record(ANN) == {
        "hamlet@1": Tally(played=1, finished=1, won=0),
        "hearts@1": Tally(played=3, finished=1, won=1),
    }
    assert store.record(BEN) == {"hamlet@1": Tally(played=1, finished=1, won=0)}


def test_games_are_listed_by_status_and_by_player_newest_first(store: ProjectionStore) -> None:
    for number in range(6):
        status = "open" if number % 2 else "playing"
        store.put(row(1, status, game=f"g{number}", opened=number // 2))

    assert [o.game for o in store.listed("open", None, 9)] == ["g5", "g3", "g1"]
    assert [o.game for o in store.listed("open", Opening(2, "g5"), 1)] == ["g3"]
    assert store.listed(ANN, Opening(1, "g3"), 9) == [
        Opening(1, "g2"),
        Opening(0, "g1"),
        Opening(0, "g0"),
    ]
    assert len(store.listed(BEN, None, 4)) == 4
    assert store.listed("finished", None, 9) == []


def test_a_game_that_changes_its_status_is_listed_under_the_new_one(store: ProjectionStore) -> None:
    for version, status in enumerate(("open", "playing", "finished"), 1):
        store.put(row(version, status))
        for other in ("open", "playing", "finished"):
            assert bool(store.listed(other, None, 9)) == (other == status)


def test_a_player_called_as_a_status_is_not_one(store: ProjectionStore) -> None:
    store.put(row(1, "open"))
    assert store.listed("finished", None, 9) == []
    assert store.listed("of:p_ann", None, 9) == []


def test_a_generation_is_not_read_before_it_is_live(store: ProjectionStore) -> None:
    store.put(sheet(7))
    generation = store.begin("scoresheet")
    store.put(sheet(5), into=generation)
    assert store.sheet(GAME) == sheet(7)

    store.switch("scoresheet", generation)

    assert store.sheet(GAME) == sheet(5)


def test_what_happens_while_a_generation_is_built_is_in_both(store: ProjectionStore) -> None:
    store.put(row(3))
    generation = store.begin("lobby")
    store.put(row(4, "playing"))
    store.put(row(3), into=generation)
    assert store.rows([GAME]) == {GAME: row(4, "playing")}

    store.switch("lobby", generation)

    assert store.rows([GAME]) == {GAME: row(4, "playing")}
    assert [o.game for o in store.listed("playing", None, 9)] == [GAME]


def test_what_a_new_generation_lacks_is_gone(store: ProjectionStore) -> None:
    store.put(record(4, won=True))
    store.put(sheet(9))

    store.switch("records", store.begin("records"))

    assert store.record(ANN) == {}
    assert store.sheet(GAME) == sheet(9)


def test_what_is_carried_over_is_there_and_replaces_nothing_newer(store: ProjectionStore) -> None:
    made: tuple[Callable[..., ProjectedGame], ...] = (sheet, record, row)
    for make in made:
        store.put(make(7))
        store.put(make(7, game="other"))
        name = name_of(make(7))
        generation = store.begin(name)
        store.carry(name, generation, [GAME, "unheard-of"])
        store.switch(name, generation)
    assert store.sheet(GAME) == sheet(7)
    assert store.sheet("other") is None
    assert store.rows([GAME, "other"]) == {GAME: row(7)}
    assert [o.game for o in store.listed(ANN, None, 9)] == [GAME]
    assert store.record(ANN)["hearts@1"].played == 1

    generation = store.begin("scoresheet")
    store.put(sheet(8), into=generation)
    store.carry("scoresheet", generation, [GAME])
    store.switch("scoresheet", generation)
    assert store.sheet(GAME) == sheet(8)


def test_the_later_of_two_rebuilds_wins(store: ProjectionStore) -> None:
    store.put(sheet(7))
    first, second = store.begin("scoresheet"), store.begin("scoresheet")
    assert first != second
    with pytest.raises(Overtaken):
        store.switch("scoresheet", first)
    assert store.sheet(GAME) == sheet(7)
    store.switch("scoresheet", second)
    with pytest.raises(Overtaken):
        store.switch("scoresheet", second)


def test_dead_projections_are_listed_and_revived(store: ProjectionStore) -> None:
    dead = [
        FailedProjection(projection="scoresheet", game=game, version=4, reason="KeyError")
        for game in "ba"
    ]
    for one in dead * 2:
        store.mark_failed(one)
    assert store.dead() == [dead[1], dead[0]]
    assert store.health().dead_projections == 2
    store.clear_failed("lobby", "a")
    store.clear_failed("scoresheet", "a")
    assert store.dead() == [dead[0]]


def test_sheets_that_disagree_are_counted(store: ProjectionStore) -> None:
    store.put(sheet(3, disagree=True))
    store.put(sheet(3, game="fine"))
    assert store.health().scores_disagree == 1
    store.put(sheet(4))
    assert store.health().scores_disagree == 0


def test_what_was_counted_is_told(client: Any) -> None:
    for _ in range(3):
        Counts(client).add("jobs-unknown")
    assert RedisProjections(client).health().counts == {"jobs-unknown": 3}


def test_what_a_killed_rebuild_left_is_cleared_by_the_next(client: Any) -> None:
    store = RedisProjections(client)
    for kept in (sheet(7), record(7), row(7)):
        store.put(kept)
    for kept in (sheet(7), record(7), row(7)):
        store.put(kept, into=store.begin(name_of(kept)))
        store.begin(name_of(kept))
    live = {key.decode() for key in client.scan_iter()} - {GENERATIONS}
    assert not [key for key in live if ":2" in key]
    assert store.sheet(GAME) == sheet(7)


def test_a_generation_that_was_live_lingers_for_those_who_are_reading(client: Any) -> None:
    store = RedisProjections(client)
    store.put(record(7))
    store.switch("records", store.begin("records"))
    assert 0 < client.ttl(f"el:record:1:{ANN}") <= 60


def test_c20_what_is_kept_of_a_game_is_in_the_slot_of_its_log(client: Any) -> None:
    store = RedisProjections(client)
    for kept in (sheet(7), row(7)):
        store.put(kept)
    slots = {key_slot(key) for key in client.scan_iter() if key.startswith(b"el:{")}
    assert slots == {key_slot(partition_of(GAME).log(GAME).encode())}


def test_who_writes_while_a_rebuild_begins_writes_to_it_too(client: Any) -> None:
    class Slow(RedisProjections):
        """Another process begins to build after this one has asked what there is to write to."""

        begun = False

        def _put(self, kept: Any, number: int, *, again: bool) -> bool:
            if not self.begun:
                self.begun = True
                RedisProjections(client).begin("scoresheet")
            return super()._put(kept, number, again=again)

    Slow(client).put(sheet(7))

    assert client.exists(partition_of(GAME).scoresheet(2, GAME))
