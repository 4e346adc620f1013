"""From logs to scoresheets, records and the lobby: late, twice, after a crash, poisoned."""

import random
from collections.abc import Sequence
from dataclasses import replace as changed
from typing import Any

import fakeredis
import pytest
from msgspec.structs import replace

from domain.game.model import Actor, Leave, Script, SeatPlan
from domain.registry import RULESETS, find
from domain.scores import ScoreLine
from events.errors import Busy
from events.log.entry import Entry
from events.log.loader import Loader
from events.log.memory import MemoryStore
from events.log.store import Due, LogStore
from events.projections.lag import lag
from events.projections.memory import MemoryProjections
from events.projections.redis import RedisProjections
from events.projections.store import PROJECTIONS, ProjectedGame, ProjectionStore, Tally, row_of
from tests.events.playing import ANN, BEN, PEOPLE, House, play_on, seated
from tests.workers.playing import LATEST
from workers.projections.history import History, read_history
from workers.projections.projector import PROJECTORS, Projecting
from workers.projections.scoresheet import scoresheet, sums


@pytest.fixture(params=["memory", "fakeredis"])
def projections(request: pytest.FixtureRequest) -> ProjectionStore:
    if request.param == "memory":
        return MemoryProjections()
    return RedisProjections(fakeredis.FakeRedis(server=fakeredis.FakeServer()))


@pytest.fixture
def house() -> House:
    return House()


def projecting(house: House, projections: ProjectionStore, **options: Any) -> Projecting:
    return Projecting(house.store, projections, **options)


def check_equal_to_the_fold(
    store: LogStore,
    projections: ProjectionStore,
    games: Sequence[str],
    recorded: Sequence[str] | None = None,
) -> None:
    """Everything kept of these games is what their whole logs say; `recorded` are all there are."""
    parts: dict[str, list[Any]] = {}
    for game in games:
        history = read_history(store, game)
        sheet = scoresheet(history)
        kept = projections.sheet(game)
        assert (kept and replace(kept, version=0)) == (sheet and replace(sheet, version=0))
        row = row_of(game, history.game, history.version, history.opened)
        assert replace(projections.rows([game])[game], version=0) == replace(row, version=0)
    for game in games if recorded is None else recorded:
        history = read_history(store, game)
        for player in history.players:
            parts.setdefault(player, []).append(history)
    for player, histories in parts.items():
        won = [h for h in histories if h.game.outcome and h.game.seat_of(player) is not None]
        record = projections.record(player)
        assert sum(tally.played for tally in record.values()) == len(histories)
        assert sum(tally.finished for tally in record.values()) == len(won)


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_the_sheet_has_every_point_that_the_game_goes_by(
    house: House, projections: ProjectionStore, ruleset_id: str
) -> None:
    game = seated(house, ruleset=RULESETS[ruleset_id].name)
    play_on(house, game)
    projecting(house, projections).project(game, LATEST)

    sheet = projections.sheet(game)
    assert sheet is not None
    state = house.table(game)
    assert not sheet.scores_disagree
    assert sheet.version == state.version
    assert sheet.outcome is not None
    assert sheet.outcome == state.outcome
    lines = [line for deal in sheet.deals for line in deal.lines]
    recorded = find(state.ruleset).score_lines(state.state)
    assert [replace(line, versions=()) for line in lines] == list(recorded)
    assert sheet.totals == sums(recorded, len(state.seats)) == sheet.outcome.standings.totals
    assert all(line.versions and line.ruling for line in lines)


def test_each_deal_names_its_lines_its_points_and_the_totals_after_it(
    house: House, projections: ProjectionStore
) -> None:
    game = seated(house)
    play_on(house, game)
    projecting(house, projections).project(game, LATEST)

    sheet = projections.sheet(game)
    assert sheet is not None
    assert [deal.deal for deal in sheet.deals] == list(range(1, len(sheet.deals) + 1))
    before: tuple[int, ...] = (0, 0, 0, 0)
    for deal in sheet.deals:
        assert sum(deal.points) in {26, 78}
        assert deal.totals == tuple(a + b for a, b in zip(before, deal.points, strict=True))
        before = deal.totals
        scored = read_history(house.store, game).facts[deal.version - 1][1]
        assert scored.totals == deal.totals  # type: ignore[attr-defined]


def test_before_the_first_deal_is_scored_there_is_no_sheet(
    house: House, projections: ProjectionStore
) -> None:
    game = seated(house)
    play_on(house, game, moves=20)
    projecting(house, projections).project(game, LATEST)

    assert projections.sheet(game) is None
    assert house.store.due(2**53) == []


def tampered(**changes: Any) -> Any:
    """The projectors, on a history whose second deal-scored event states something else."""

    def sheet(history: History) -> ProjectedGame | None:
        facts = [
            (version, replace(event, **changes) if hasattr(event, "totals") else event)
            for version, event in history.facts
        ]
        return scoresheet(replace(history, facts=tuple(facts)))

    return {**PROJECTORS, "scoresheet": sheet}


@pytest.mark.parametrize("what", ["points", "totals"])
def test_where_the_log_states_other_sums_the_sheet_says_so_with_both(
    house: House, projections: ProjectionStore, what: str
) -> None:
    game = seated(house, target_score=1)
    play_on(house, game)
    wrong = tampered(**{what: (1, 2, 3, 4)})

    projecting(house, projections, projectors=wrong).project(game, LATEST)

    sheet = projections.sheet(game)
    assert sheet is not None
    assert sheet.scores_disagree
    [apart] = sheet.disagreements
    assert (apart.what, apart.deal, tuple(apart.recorded)) == (what, 1, (1, 2, 3, 4))
    assert tuple(apart.recounted) == sheet.totals
    assert projections.health().scores_disagree == 1


def test_where_the_scorers_differ_both_of_their_lines_are_kept(
    house: House, projections: ProjectionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = seated(house, target_score=1)
    play_on(house, game)
    ruleset = find("hearts@1")
    one = ScoreLine(deal=1, seat=2, points=1, reason="took 2H", ruling="hearts.score")
    monkeypatch.setitem(RULESETS, "hearts@1", changed(ruleset, recount=lambda *_: (one,)))

    projecting(house, projections).project(game, LATEST)

    sheet = projections.sheet(game)
    assert sheet is not None
    assert {apart.what for apart in sheet.disagreements} == {"lines", "points", "totals", "outcome"}
    assert sheet.totals == (0, 0, 1, 0)


def test_who_played_has_a_record_and_who_won_is_told(
    house: House, projections: ProjectionStore
) -> None:
    games = [seated(house, target_score=1) for _ in range(3)]
    for number, game in enumerate(games[:2]):
        play_on(house, game, seed=number)
    for game in games:
        projecting(house, projections).project(game, LATEST)

    for seat, player in enumerate(PEOPLE):
        outcomes = [house.table(game).outcome for game in games]
        won = sum(outcome is not None and seat in outcome.winners for outcome in outcomes)
        assert projections.record(player) == {"hearts@1": Tally(played=3, finished=2, won=won)}


def test_who_leaves_in_mid_game_has_played_and_not_finished(
    house: House, projections: ProjectionStore
) -> None:
    game = seated(house)
    house.send(game, Leave(player=BEN, seat=1), Actor(kind="player", id=BEN, seat=1))
    projecting(house, projections).project(game, LATEST)

    assert projections.record(BEN) == {"hearts@1": Tally(played=1)}
    assert BEN in projections.rows([game])[game].players


def test_before_the_start_and_in_scripted_games_nobody_has_a_record(
    house: House, projections: ProjectionStore
) -> None:
    waiting = house.open().game
    house.sit(waiting, ANN, 0)
    ranks = "23456789TJQKA"
    hands = [[rank + suit for rank in ranks] for suit in "CDHS"]
    scripted = seated(house, script=Script(deals=({"hands": hands},)))
    for game in (waiting, scripted):
        projecting(house, projections).project(game, LATEST)

    assert projections.record(ANN) == {}
    assert projections.rows([scripted])[scripted].chance == "scripted"


def test_c04_letters_delivered_one_to_three_times_with_crashes_leave_what_the_fold_says(
    projections: ProjectionStore,
) -> None:
    class Crash(BaseException):
        """The process is gone."""

    class Crashing(MemoryStore):
        """Ends the process, now and then, between the write of the data and its acknowledgement."""

        def clear_due(self, game: str, work: Due, version: int) -> None:
            if work == "score" and rng.random() < 0.4:
                raise Crash
            super().clear_due(game, work, version)

    rng = random.Random(4)
    store = Crashing()
    house = House(store)
    games = [seated(house, target_score=40) for _ in range(3)]
    for game in games:
        play_on(house, game, seed=games.index(game))
    letters = [
        task for task in store.tasks if "score" in task.due for _ in range(rng.randint(1, 3))
    ]
    rng.shuffle(letters)
    for letter in letters:
        while True:
            try:
                projecting(house, projections).project(letter.game, letter.last)
                break
            except Crash:
                continue

    check_equal_to_the_fold(store, projections, games)
    assert store.due(2**53) == []


def test_c04_a_job_that_read_the_log_long_ago_does_not_overwrite_a_newer_sheet(
    house: House, projections: ProjectionStore
) -> None:
    game = seated(house, target_score=40)
    play_on(house, game, moves=60)
    old = read_history(house.store, game)
    play_on(house, game)
    projecting(house, projections).project(game, LATEST)
    newest = projections.sheet(game), projections.rows([game])

    for projector in PROJECTORS.values():
        if (kept := projector(old)) is not None:
            assert not projections.put(kept)

    assert (projections.sheet(game), projections.rows([game])) == newest


def test_c16_every_projection_of_a_finished_game_again_changes_nothing(
    house: House, projections: ProjectionStore
) -> None:
    game = seated(house, target_score=1)
    play_on(house, game)
    job = projecting(house, projections)
    job.project(game, LATEST)
    before = house.store.read(game), projections.sheet(game), projections.record(ANN)

    for version in range(1, len(before[0]) + 1):
        job.project(game, version)

    assert (house.store.read(game), projections.sheet(game), projections.record(ANN)) == before


def test_what_was_appended_meanwhile_is_still_due(
    house: House, projections: ProjectionStore
) -> None:
    game = house.open().game

    class Meanwhile(MemoryProjections):
        def put(self, kept: ProjectedGame, **options: Any) -> bool:
            if len(house.store.read(game)) == 1:
                house.sit(game, ANN, 0)
            return super().put(kept, **options)

    Projecting(house.store, Meanwhile()).project(game, LATEST)

    assert [(name, work) for name, work, _ in house.store.due(2**53)] == [(game, "score")]


def poison(game: str, name: Any) -> Any:
    def projector(history: History) -> ProjectedGame | None:
        if history.id == game:
            raise ZeroDivisionError("the QS is in seat 2")
        return PROJECTORS[name](history)

    return {**PROJECTORS, name: projector}


@pytest.mark.parametrize("name", PROJECTIONS)
def test_c23_a_poisoned_game_stops_only_its_own_projection(
    house: House, projections: ProjectionStore, name: Any
) -> None:
    games = [seated(house, target_score=1) for _ in range(3)]
    for game in games:
        play_on(house, game)
    poisoned = games[1]
    job = projecting(house, projections, projectors=poison(poisoned, name))

    for game in games:
        job.project(game, LATEST)

    others = [games[0], games[2]]
    recorded = others if name == "records" else games
    check_equal_to_the_fold(house.store, projections, others, recorded)
    [dead] = projections.dead()
    version = len(house.store.read(poisoned))
    assert (dead.game, dead.projection, dead.version) == (poisoned, name, version)
    assert dead.reason == "ZeroDivisionError"
    assert (projections.sheet(poisoned) is None) == (name == "scoresheet")
    assert (projections.rows([poisoned]) == {}) == (name == "lobby")
    behind = lag(house.store, projections, 2**53)
    assert (behind.waiting["score"], behind.health.dead_projections) == (0, 1)

    projecting(house, projections).project(poisoned, version)

    check_equal_to_the_fold(house.store, projections, games)
    assert projections.dead() == []
    assert house.store.due(2**53) == []


def test_c23_an_entry_that_cannot_be_applied_is_named(projections: ProjectionStore) -> None:
    store = MemoryStore()
    house = House(store)
    games = [seated(house, target_score=1) for _ in range(2)]
    log = store.logs[games[0]]
    log[4] = Entry(5, log[4].public.replace(b"1", b"2", 1), log[4].digest, log[4].secrets)

    for game in games:
        projecting(house, projections).project(game, LATEST)

    dead = projections.dead()
    assert {(one.game, one.version) for one in dead} == {(games[0], 5)}
    assert {one.projection for one in dead} == set(PROJECTIONS)
    assert list(projections.rows(games)) == [games[1]]
    assert [game for game, work, _ in store.due(2**53)] == [games[0]]


def test_of_a_log_that_is_gone_the_reason_says_so(projections: ProjectionStore) -> None:
    house = House(MemoryStore())
    game = house.open().game
    assert isinstance(house.store, MemoryStore)
    del house.store.logs[game]

    projecting(house, projections).project(game, LATEST)

    reasons = {one.reason for one in projections.dead()}
    assert reasons == {"log-missing: the game was opened, its stream is gone"}


def test_a_store_that_is_away_is_no_reason_to_be_dead(house: House) -> None:
    class Away(MemoryProjections):
        def put(self, kept: ProjectedGame, **options: Any) -> bool:
            raise Busy("away")

    away = Away()
    with pytest.raises(Busy):
        projecting(house, away).project(house.open().game, 1)
    assert away.dead() == []


def test_a_game_that_never_was_is_struck_off(projections: ProjectionStore) -> None:
    store = MemoryStore()
    store._due["gone", "score"] = (1, 3)
    Projecting(store, projections).project("gone", 3)
    assert store.due(2**53) == []


def test_c22_play_goes_on_while_the_projections_stand_still(house: House) -> None:
    game = seated(house, target_score=1)
    play_on(house, game)

    assert house.table(game).status == "finished"
    assert {work for _, work, _ in house.store.due(2**53)} == {"score"}


def test_bots_have_no_record(house: House, projections: ProjectionStore) -> None:
    bots = tuple(SeatPlan(kind="bot", level="easy") for _ in range(4))
    game = house.open(seats=bots).game
    projecting(house, projections).project(game, LATEST)
    assert projections.record(ANN) == {}
    assert Loader(house.store).current(game).game.status == "playing"
