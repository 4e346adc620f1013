"""Projections folded anew beside the live ones, while games go on."""

import threading
from typing import Any

import fakeredis
import msgspec
import pytest

from events.log.memory import MemoryStore
from events.projections.memory import MemoryProjections
from events.projections.redis import RedisProjections
from events.projections.store import PROJECTIONS, LobbyRow, Overtaken, ProjectionStore, Scoresheet
from tests.events.playing import ANN, House, play_on, seated
from tests.workers.playing import LATEST
from tests.workers.test_projector import check_equal_to_the_fold, poison
from workers.projections.projector import Projecting
from workers.projections.rebuild import Rebuilding, games_of


@pytest.fixture(params=["memory", "fakeredis"])
def projections(request: pytest.FixtureRequest) -> ProjectionStore:
    if request.param == "memory":
        return MemoryProjections()
    return RedisProjections(fakeredis.FakeRedis(server=fakeredis.FakeServer()))


@pytest.fixture
def house() -> House:
    return House()


def spoiled(projections: ProjectionStore, game: str) -> None:
    """A sheet and a line that a worse release has left, of the same version as the right ones."""
    sheet, row = projections.sheet(game), projections.rows([game])[game]
    assert isinstance(sheet, Scoresheet)
    wrong = Scoresheet(**{n: getattr(sheet, n) for n in sheet.__struct_fields__} | {"totals": ()})
    projections.put(wrong, again=True)
    fields = {name: getattr(row, name) for name in row.__struct_fields__}
    projections.put(LobbyRow(**fields | {"status": "open"}), again=True)


def some_games(house: House, projections: ProjectionStore, count: int = 3) -> list[str]:
    games = [seated(house, target_score=1) for _ in range(count)]
    for number, game in enumerate(games):
        play_on(house, game, seed=number)
        Projecting(house.store, projections).project(game, LATEST)
    return games


def test_rebuilt_twice_all_is_what_the_fold_says(
    house: House, projections: ProjectionStore
) -> None:
    games = some_games(house, projections)
    for game in games:
        spoiled(projections, game)
    noted: list[str] = []

    for _ in range(2):
        assert Rebuilding(house.store, projections).all(PROJECTIONS, noted.append) == 0
        check_equal_to_the_fold(house.store, projections, games)

    assert sorted(noted) == sorted(games * 2)


def test_what_is_not_rebuilt_is_left_as_it_is(house: House, projections: ProjectionStore) -> None:
    games = some_games(house, projections)
    for game in games:
        spoiled(projections, game)

    Rebuilding(house.store, projections).all(["lobby"])

    for game in games:
        assert projections.rows([game])[game].status == "finished"
        assert projections.sheet(game).totals == ()  # type: ignore[union-attr]


def test_c23_one_game_is_rebuilt_alone(house: House, projections: ProjectionStore) -> None:
    games = some_games(house, projections)
    for game in games:
        spoiled(projections, game)

    assert Rebuilding(house.store, projections).one(games[1], PROJECTIONS)

    wrong = [game for game in games if projections.sheet(game).totals == ()]  # type: ignore[union-attr]
    assert wrong == [games[0], games[2]]
    check_equal_to_the_fold(house.store, projections, [games[1]], games)


def test_interrupted_half_way_it_has_changed_nothing_and_the_next_one_does(
    house: House, projections: ProjectionStore
) -> None:
    games = some_games(house, projections)
    spoiled(projections, games[0])
    before = [projections.sheet(game) for game in games]

    class Killed(BaseException):
        pass

    def killed(game: str) -> None:
        if game == games[1]:
            raise Killed

    with pytest.raises(Killed):
        Rebuilding(house.store, projections).all(PROJECTIONS, killed)

    assert [projections.sheet(game) for game in games] == before
    Rebuilding(house.store, projections).all(PROJECTIONS)
    check_equal_to_the_fold(house.store, projections, games)


def test_a_poisoned_game_does_not_hinder_the_others(
    house: House, projections: ProjectionStore
) -> None:
    games = some_games(house, projections)
    bad = Projecting(house.store, projections, poison(games[1], "scoresheet"))

    assert Rebuilding(house.store, projections, bad).all(PROJECTIONS) == 1

    check_equal_to_the_fold(house.store, projections, [games[0], games[2]], games)
    assert [one.game for one in projections.dead()] == [games[1]]


@pytest.mark.parametrize("name", PROJECTIONS)
def test_what_is_kept_of_a_game_whose_log_can_no_longer_be_read_stays(
    house: House, projections: ProjectionStore, name: Any
) -> None:
    games = some_games(house, projections)
    last = house.store.read(games[1])[-1]
    unknown = last.public.replace(b'"schema":1', b'"schema":99')
    assert isinstance(house.store, MemoryStore)
    house.store.logs[games[1]].append(
        msgspec.structs.replace(last, version=last.version + 1, public=unknown)
    )
    kept = (projections.sheet(games[1]), projections.rows(games), projections.record(ANN))

    for _ in range(2):
        assert Rebuilding(house.store, projections).all([name]) == 1

    assert kept == (projections.sheet(games[1]), projections.rows(games), projections.record(ANN))
    row = kept[1][games[1]]
    assert row.opening in projections.listed(ANN, None, 9)
    assert [(one.game, one.projection) for one in projections.dead()] == [(games[1], name)]


def test_two_rebuilds_at_once_the_later_one_stands(
    house: House, projections: ProjectionStore
) -> None:
    games = some_games(house, projections)
    spoiled(projections, games[0])

    def another(game: str) -> None:
        if game == games[1]:
            Rebuilding(house.store, projections).all(PROJECTIONS)

    with pytest.raises(Overtaken):
        Rebuilding(house.store, projections).all(PROJECTIONS, another)
    check_equal_to_the_fold(house.store, projections, games)


def test_with_ten_games_going_on_all_is_what_the_fold_says_in_the_end(
    house: House, projections: ProjectionStore
) -> None:
    """Each game is moved on and projected in a thread of its own while all is built again."""
    games = [seated(house, target_score=30) for _ in range(10)]
    failed: list[BaseException] = []

    def go_on(number: int) -> None:
        try:
            job = Projecting(house.store, projections)
            for step in range(12):
                play_on(house, games[number], seed=step, moves=20)
                job.project(games[number], LATEST)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    players = [threading.Thread(target=go_on, args=(number,)) for number in range(10)]
    for player in players:
        player.start()
    rebuilds = 0
    while any(player.is_alive() for player in players):
        Rebuilding(house.store, projections).all(PROJECTIONS)
        rebuilds += 1
    for player in players:
        player.join()

    assert not failed
    assert rebuilds >= 1
    check_equal_to_the_fold(house.store, projections, games)
    assert projections.record(ANN)["hearts@1"].played == 10


def test_every_game_is_found_page_by_page(house: House, monkeypatch: Any) -> None:
    games = [house.open().game for _ in range(7)]
    find = house.store.games
    monkeypatch.setattr(house.store, "games", lambda before, count: find(before, 2))
    assert list(games_of(house.store)) == games[::-1]
