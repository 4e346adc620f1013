"""From the outbox through the queue to the log, and what is left when any of it is lost."""

import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

import fakeredis
import pytest
import structlog
from rq.job import Job
from rq.serializers import JSONSerializer

from events.errors import Busy
from events.log.dead_letters import DeadLetters
from events.log.outbox import GROUP, Outbox
from events.log.redis import RedisStore
from events.projections.lag import lag
from events.projections.redis import RedisProjections
from events.redis.keys import ALL_PARTITIONS, partition_of
from service.telemetry.metrics import Metrics
from tests.docs.shown import typed
from tests.workers.playing import (
    answer,
    envelopes,
    handler_on,
    head,
    is_over,
    open_table,
)
from workers import dispatcher as dispatching
from workers.bot_turns import Turns
from workers.dispatcher import Dispatcher
from workers.projections.projector import Projecting
from workers.queue.jobs import BOT_TURN, PROJECT, UnknownJob, WorkJob, jobs_of
from workers.queue.rq_worker import worker_on
from workers.queue.work_queue import WorkQueue
from workers.sweep import GRACE, Sweep

BOTS_AND_A_PERSON = ("person", "normal", "hard", "easy")

pytestmark = pytest.mark.usefixtures("signals")


class CountedTurns(Turns):
    done = 0

    def bot_turn(self, game: str, version: int) -> None:
        super().bot_turn(game, version)
        self.done += 1


class House:
    """Every part of the service that works on games, on one Redis, in one process."""

    def __init__(self, client: Any, *, seconds: float = 2.0) -> None:
        self.client = client
        self.store = RedisStore(client)
        self.handler = handler_on(self.store)
        self.outbox = Outbox(client, "a")
        self.queue = WorkQueue(client)
        self.dead = DeadLetters(client)
        self.dispatcher = Dispatcher(self.outbox, self.store, self.queue, self.dead)
        self.projecting = Projecting(self.store, RedisProjections(client))
        self.counts: Counter[str] = Counter()
        self.turns = CountedTurns(handler_on(self.store), self.outbox.ask, seconds=seconds)
        self.time = 0.0
        self.sweep = Sweep(self.store, self.queue, clock=lambda: self.time)
        self.dispatcher.step(wait=1)

    def work(self) -> int:
        """All jobs in the queue; how many of them were turns."""
        before = self.turns.done
        entry_points = {BOT_TURN: self.turns.bot_turn, PROJECT: self.projecting.project}
        worker = worker_on(self.client, entry_points, lambda name: self.counts.update([name]))
        worker.work(burst=True, logging_level="CRITICAL")
        return self.turns.done - before

    def run(self) -> int:
        """Dispatches and works until nothing is left to do; the number of turns played."""
        jobs = 0
        while self.dispatcher.step(wait=1):
            jobs += self.work()
        return jobs


@pytest.fixture
def house(client: Any) -> House:
    return House(client)


def test_bots_play_through_outbox_queue_and_worker(house: House) -> None:
    game = open_table(house.handler)

    house.run()

    assert is_over(house.handler, game)


def test_a_turn_whose_time_is_up_comes_back_by_the_outbox(client: Any) -> None:
    house = House(client, seconds=0.0)
    game = open_table(house.handler)

    jobs = house.run()

    assert is_over(house.handler, game)
    assert jobs > 1


def test_one_job_for_all_bots_between_two_moves_of_a_person(house: House) -> None:
    game = open_table(house.handler, BOTS_AND_A_PERSON)
    assert house.run() == 1

    answer(house.handler, game, 0)

    assert house.run() == 1


def test_b16_the_same_turn_ten_times_on_four_workers_plays_each_question_once(
    client: Any,
) -> None:
    store = RedisStore(client)
    game = open_table(handler_on(store))
    version = len(store.read(game))

    def work() -> None:
        for _ in range(10):
            Turns(handler_on(store), lambda game, version: None).bot_turn(game, version)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    bots = [e for e in envelopes(store, game) if e.actor.kind == "bot"]
    assert len({(e.actor.seat, e.command) for e in bots}) == len(bots) == 4 * 13 + 4
    assert is_over(handler_on(store), game)


def test_b16_a_letter_that_comes_twice_is_one_job(house: House) -> None:
    game = open_table(house.handler)
    version = head(house.handler, game)

    assert house.queue.bot_turn(game, version)
    assert not house.queue.bot_turn(game, version)


def test_b17_a_flushed_queue_in_mid_game_is_mended_by_the_sweep(client: Any) -> None:
    queue = fakeredis.FakeRedis()
    house = House(client, seconds=0.0)
    house.queue = WorkQueue(queue)
    house.dispatcher = Dispatcher(house.outbox, house.store, house.queue, house.dead)
    house.sweep = Sweep(house.store, house.queue, clock=lambda: house.time)
    game = open_table(house.handler)
    house.dispatcher.step(wait=1)

    queue.execute_command("FLUSHALL", *typed("FLUSHALL"))
    assert house.sweep.run() == 0
    house.time += 3.0
    assert house.sweep.run() == 2

    turns = Turns(handler_on(house.store), house.outbox.ask, seconds=60.0)
    worker = worker_on(queue, {BOT_TURN: turns.bot_turn, PROJECT: house.projecting.project})
    worker.work(burst=True, logging_level="ERROR")
    assert is_over(house.handler, game)
    assert house.store.due(2**53) == []


def test_the_sweep_leaves_a_game_alone_that_goes_on(house: House) -> None:
    game = open_table(house.handler, BOTS_AND_A_PERSON)
    house.projecting.project(game, 1)
    house.sweep.run()
    house.time += 3.0
    house.sweep.run()
    turns = Turns(house.handler, house.outbox.ask, seconds=0.0)

    for _ in range(2):
        turns.bot_turn(game, head(house.handler, game))
        house.time += 3.0
        assert house.sweep.run() == 0


def test_the_sweep_waits_longer_each_time_for_a_game_that_does_not_move(house: House) -> None:
    house.projecting.project(open_table(house.handler), 1)
    acted = []
    for second in range(60):
        house.time = float(second)
        if house.sweep.run():
            acted.append(second)

    assert acted == [2, 4, 8, 16, 32]


def seconds_of_action(house: House, seconds: range) -> list[int]:
    acted = []
    for second in seconds:
        house.time = float(second)
        if house.sweep.run():
            acted.append(second)
    return acted


def test_b17_what_the_queue_has_lost_is_not_waited_for(house: House) -> None:
    house.projecting.project(open_table(house.handler), 1)
    assert seconds_of_action(house, range(40)) == [2, 4, 8, 16, 32]

    house.client.delete(*house.client.keys("rq:*"))

    assert seconds_of_action(house, range(40, 60)) == [40, 42, 46, 54]


def test_b17_what_was_done_without_effect_is_waited_for_when_it_is_forgotten(
    house: House,
) -> None:
    house.projecting.project(open_table(house.handler), 1)
    assert seconds_of_action(house, range(20)) == [2, 4, 8, 16]
    idle = worker_on(house.client, {BOT_TURN: lambda game, version: None})
    idle.work(burst=True, logging_level="CRITICAL")
    assert seconds_of_action(house, range(20, 22)) == []

    house.client.delete(*house.client.keys("rq:*"))

    assert seconds_of_action(house, range(22, 60)) == [32]


def test_what_has_failed_is_not_waited_for_as_long_as_what_had_no_effect(house: House) -> None:
    house.projecting.project(open_table(house.handler), 1)
    assert seconds_of_action(house, range(40)) == [2, 4, 8, 16, 32]

    def refused(game: str, version: int) -> None:
        raise Busy("the disk is full")

    worker_on(house.client, {BOT_TURN: refused}).work(burst=True, logging_level="CRITICAL")

    assert seconds_of_action(house, range(40, 60)) == [40]


def test_a_game_that_cannot_be_put_in_keeps_no_other_from_being_looked_at(house: House) -> None:
    game = open_table(house.handler)
    house.projecting.project(game, 1)
    due = house.store.due

    def with_a_stranger(until: int) -> list[Any]:
        return [("a game: that nobody opened", "score", 1), *due(until)]

    house.store.due = with_a_stranger  # type: ignore[method-assign, assignment]
    with structlog.testing.capture_logs() as said:
        assert seconds_of_action(house, range(5)) == [2, 4]
    failed = [line for line in said if line["event"] == "sweep-failed"]
    assert [line["reason"] for line in failed] == ["ValueError"]


def test_the_sweep_looks_for_all_its_jobs_in_one_round_trip(house: House) -> None:
    for number in range(5):
        game = open_table(handler_on(house.store, root=bytes([number]) * 32), key=f"{number}")
        house.projecting.project(game, 1)
    assert seconds_of_action(house, range(6)) == [2, 4]
    looks: list[int] = []
    states = house.queue.states

    def counted(jobs: Sequence[str]) -> list[str | None]:
        looks.append(len(jobs))
        return states(jobs)

    house.queue.states = counted  # type: ignore[method-assign]

    house.sweep.run()

    assert looks == [5]


def test_work_that_this_release_does_not_know_is_left_alone_and_counted(house: House) -> None:
    game = open_table(house.handler)
    house.run()
    partition = partition_of(game)
    house.client.zadd(partition.due, {f"audit:{game}": 5, b"\xff": 6, "nonsense": 7})
    house.client.xadd(partition.outbox, {"game": game, "first": 1, "last": 1, "due": "audit,x"})

    assert house.dispatcher.step(wait=1) == 0
    assert seconds_of_action(house, range(20)) == []

    assert house.queue.length == 0
    found = lag(house.store, RedisProjections(house.client), 1005)
    assert found.waiting == {"bot": 0, "score": 0, "other": 3}
    assert found.oldest["other"] == 1000
    metrics = Metrics()
    metrics.waiting(found)
    assert b'elsinore_due{work="other"} 3.0' in metrics.exposition()


def test_b17_a_turn_lost_just_after_a_move_is_made_up_for_in_time(house: House) -> None:
    game = open_table(house.handler, BOTS_AND_A_PERSON)
    house.projecting.project(game, 1)
    acted = []
    for tenth in range(80):
        house.time = tenth / 10
        if tenth == 20:  # the last move before its worker dies
            Turns(house.handler, house.outbox.ask, seconds=0.0).bot_turn(
                game, head(house.handler, game)
            )
        if house.sweep.run():
            acted.append(house.time)

    assert acted[0] == pytest.approx(2.0 + GRACE)


def test_a_queue_that_is_away_does_not_make_the_sweep_wait_longer(house: House) -> None:
    house.projecting.project(open_table(house.handler), 1)
    house.sweep.run()
    enqueue, house.queue.bot_turn = house.queue.bot_turn, away  # type: ignore[method-assign]
    for second in range(3, 33):
        house.time = float(second)
        with pytest.raises(Busy):
            house.sweep.run()

    house.queue.bot_turn = enqueue  # type: ignore[method-assign]
    assert house.sweep.run() == 1


def away(game: str, version: int, mark: str = "") -> bool:
    raise Busy("away")


def test_the_sweep_forgets_a_game_that_waits_for_a_person(house: House) -> None:
    open_table(house.handler, BOTS_AND_A_PERSON)
    house.sweep.run()
    house.run()
    house.time += 60.0

    assert house.sweep.run() == 0
    assert not house.sweep._watched


def test_what_a_dead_dispatcher_had_read_is_dispatched_by_another(house: House) -> None:
    game = open_table(house.handler)
    assert [letter.task.game for letter in Outbox(house.client, "dead").read(1) if letter.task] == [
        game
    ]

    assert house.dispatcher.step(wait=1) == 0
    assert house.dispatcher.rescue(idle=0) == 2
    assert house.dispatcher.rescue(idle=0) == 0


def test_a_group_that_is_lost_begins_again_and_nothing_is_played_twice(house: House) -> None:
    game = open_table(house.handler)
    house.run()
    before = house.store.read(game)
    for partition in ALL_PARTITIONS:
        house.client.xgroup_destroy(partition.outbox, GROUP)

    house.dispatcher.step(wait=1)
    house.run()

    assert house.store.read(game) == before


def test_c19_a_job_that_is_not_ours_runs_nothing_and_the_sweep_repairs_the_game(
    house: House, tmp_path: Any
) -> None:
    game = open_table(house.handler)
    version = head(house.handler, game)
    mark = tmp_path / "hostile"
    hostile = [
        ("os.mkdir", (str(mark),)),
        ("os.system", (f"touch {mark}",)),
        ("workers.jobs.WorkJob", (str(mark),)),
        ("workers.jobs.renamed", (game, version)),
        (BOT_TURN, (game,)),
        (BOT_TURN, ("old", game, version)),
        (BOT_TURN, (game, str(version))),
    ]
    for number, (name, args) in enumerate(hostile):
        job_id = f"hostile-{number}"
        house.queue.rq.enqueue_call(name, args=args, job_id=job_id, result_ttl=60, failure_ttl=60)
    before = house.store.read(game)

    assert house.work() == 0

    assert not mark.exists()
    assert house.store.read(game) == before
    for number in range(len(hostile)):
        job = Job.fetch(f"hostile-{number}", connection=house.client, serializer=JSONSerializer)
        assert job.is_failed
    assert house.counts == {"jobs-unknown": len(hostile)}
    house.sweep.run()
    house.time += 3.0
    assert house.sweep.run() == 2
    house.work()
    assert is_over(house.handler, game)
    assert house.store.due(2**53) == []


def test_c19_what_a_job_would_call_when_it_is_done_is_not_called(
    house: House, tmp_path: Any
) -> None:
    game = open_table(house.handler)
    mark = tmp_path / "hostile"
    house.queue.bot_turn(game, 1)
    key = f"rq:job:bot-{game}-1"
    house.client.hset(key, mapping={"success_callback_name": f"pathlib.Path.mkdir.{mark}"})

    assert house.work() == 1
    assert not mark.exists()


def test_c16_every_job_of_a_finished_game_again_appends_nothing(house: House) -> None:
    game = open_table(house.handler)
    house.run()
    before = house.store.read(game)
    for version in range(1, len(before) + 1):
        house.queue.bot_turn(game, version, "again")

    assert house.work() == len(before)
    assert house.store.read(game) == before


def test_jobs_carry_game_and_version_only(house: House) -> None:
    game = open_table(house.handler)
    house.dispatcher.step(wait=1)

    jobs = house.queue.rq.jobs

    assert {job.func_name for job in jobs} == {BOT_TURN, PROJECT}
    for job in jobs:
        assert job.args == [game, head(house.handler, game)]
        assert job.kwargs == {}
        assert job.description == job.func_name


def test_a_job_class_knows_its_own_entry_points_only(house: House) -> None:
    seen: list[tuple[str, int]] = []
    ours = jobs_of({BOT_TURN: lambda game, version: seen.append((game, version))})
    job = ours.create(BOT_TURN, args=("g", 1), connection=house.client, serializer=JSONSerializer)
    job.perform()
    assert seen == [("g", 1)]

    theirs = WorkJob.create(
        BOT_TURN, args=("g", 1), connection=house.client, serializer=JSONSerializer
    )
    with pytest.raises(UnknownJob):
        theirs.perform()


def test_a_letter_that_is_none_is_put_with_the_dead_ones(house: House) -> None:
    house.client.xadd(ALL_PARTITIONS[3].outbox, {"nonsense": "yes"})

    assert house.dispatcher.step(wait=1) == 0
    assert house.dispatcher.rescue(idle=0) == 0
    [letter] = house.dead.all()
    assert (letter.partition, letter.fields) == (3, {"nonsense": "yes"})


def test_letters_are_trimmed_when_they_are_done_and_old_and_not_before(house: House) -> None:
    game = open_table(house.handler)
    outbox = partition_of(game).outbox
    house.dispatcher.trim(2**53)
    assert house.client.xlen(outbox) == 1

    unfinished = Outbox(house.client, "dead").read(1)
    house.outbox.ask(game, 1)
    house.dispatcher.step(wait=1)
    house.dispatcher.trim(2**53)
    assert house.client.xlen(outbox) == 2

    house.outbox.done(unfinished)
    house.dispatcher.trim(0)
    assert house.client.xlen(outbox) == 2
    house.dispatcher.trim(2**53)
    assert house.client.xlen(outbox) == 1


def test_the_dispatcher_waits_for_a_server_that_is_away() -> None:
    stop = threading.Event()

    class Away(Dispatcher):
        steps = 0

        def step(self, wait: int = 0) -> int:
            self.steps += 1
            if self.steps == 3:
                stop.set()
            if self.steps == 1:
                raise Busy("away")
            return 0

    client = fakeredis.FakeRedis()
    store, queue = RedisStore(client), WorkQueue(client)
    dispatcher = Away(Outbox(client, "a"), store, queue, DeadLetters(client))

    dispatching.run(dispatcher, Sweep(store, queue), stop.is_set, lambda: 0)

    assert dispatcher.steps == 3


def test_chores_are_done_in_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAIM_SECONDS", "SWEEP_SECONDS", "TRIM_SECONDS"):
        monkeypatch.setattr(dispatching, name, 0.0)
    stop = threading.Event()
    client = fakeredis.FakeRedis()
    store, queue = RedisStore(client), WorkQueue(client)
    done: list[str] = []

    class Noting(Dispatcher):
        def step(self, wait: int = 0) -> int:
            return super().step(1)

        def rescue(self, idle: int = 0) -> int:
            done.append("rescue")
            return 0

        def trim(self, before: int) -> None:
            done.append(f"trim {before}")
            stop.set()

    noting = Noting(Outbox(client, "a"), store, queue, DeadLetters(client))
    dispatching.run(noting, Sweep(store, queue), stop.is_set, lambda: 0)

    assert done == ["rescue", "trim -3600000"]
