"""C19: whatever others put in the queue, nothing of it runs, and our own jobs are done."""

import json
import pickle
import zlib
from collections import Counter
from typing import Any

import pytest
from rq import Queue

from workers.queue.jobs import BOT_TURN, PROJECT, TIMEOUT, WorkJob
from workers.queue.rq_worker import worker_on
from workers.queue.untrusted_jobs import INTERMEDIATE, KEY
from workers.queue.work_queue import WorkQueue

pytestmark = pytest.mark.usefixtures("signals")

Hash = dict[str | bytes, Any]


def call(*body: Any) -> bytes:
    return zlib.compress(json.dumps(body).encode())


FIELDS: list[Hash] = [
    {"status": "evil"},
    {"retries_left": "many"},
    {"retries_left": "9" * 5000},
    {"created_at": "yesterday"},
    {"timeout": "evil"},
    {"result_ttl": "evil"},
    {"failure_ttl": "1.5"},
    {"dependency_ids": "{"},
    {"dependency_ids": b"\xff"},
    {"exc_info": b"\xff\xfe"},
    {"exc_info": zlib.compress(b"a" * (2 << 20))},
    {"worker_name": b"\xff"},
    {"retry_intervals": "["},
    {"success_callback_timeout": "evil"},
    {"rate_limit_concurrency": "evil"},
    {b"\xff": "a field"},
]
BODIES: list[bytes] = [
    pickle.dumps((BOT_TURN, None, ("g", 1), {})),
    b"",
    b"not JSON",
    zlib.compress(b"\xff\xff"),
    zlib.compress(b"[" * 4000),
    zlib.compress(b"[" * 10_000_000),
    call(BOT_TURN, None, ["g", 1]),
    call(17, None, ["g", 1], {}),
    call(BOT_TURN, None, 17, {}),
]
IDS = [b"\xff\xfe", b"a b", b"real:1", b"", b"x" * 500]


class Bench:
    """A queue, and one worker that works until nothing is left in it."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.queue = WorkQueue(client)
        self.ran: list[str] = []
        self.counts: Counter[str] = Counter()

    def push(self, job_id: bytes, stored: Hash) -> None:
        own: Hash = {"data": call(PROJECT, None, ["theirs", 1], {}), "status": "queued"}
        self.client.hset(b"rq:job:" + job_id, mapping=own | stored)
        self.client.rpush(KEY, job_id)

    def work(self) -> None:
        entry_points = {PROJECT: lambda game, version: self.ran.append(game)}
        worker = worker_on(self.client, entry_points, lambda name: self.counts.update([name]))
        worker.work(burst=True, logging_level="CRITICAL")


@pytest.fixture
def bench(client: Any) -> Bench:
    return Bench(client)


def check_thrown_away(bench: Bench, ids: list[bytes]) -> None:
    """Nothing of them ran or is left, each was counted, and our own job behind them was done."""
    bench.queue.project("ours", 1)
    bench.work()
    bench.queue.project("ours", 2)
    bench.work()

    assert bench.ran == ["ours", "ours"]
    assert bench.counts == {"jobs-unknown": len(ids)}
    assert bench.client.lrange(KEY, 0, -1) == bench.client.lrange(INTERMEDIATE, 0, -1) == []
    assert not any(bench.client.exists(b"rq:job:" + job_id) for job_id in ids)


def test_c19_fields_that_rq_cannot_read(bench: Bench) -> None:
    ids = [f"evil-{number}".encode() for number in range(len(FIELDS))]
    for job_id, stored in zip(ids, FIELDS, strict=True):
        bench.push(job_id, stored)

    check_thrown_away(bench, ids)


def test_c19_bodies_that_call_nothing(bench: Bench) -> None:
    ids = [f"evil-{number}".encode() for number in range(len(BODIES))]
    for job_id, body in zip(ids, BODIES, strict=True):
        bench.push(job_id, {"data": body})

    check_thrown_away(bench, ids)


def test_c19_ids_that_are_none(bench: Bench) -> None:
    for job_id in IDS:
        bench.push(job_id, {})

    check_thrown_away(bench, IDS)


def test_c19_a_job_that_is_no_hash(bench: Bench) -> None:
    bench.client.set("rq:job:evil", "text")
    bench.client.rpush(KEY, "evil")

    check_thrown_away(bench, [b"evil"])


def test_c19_what_a_worker_left_between_is_cleaned_up_by_the_next(bench: Bench) -> None:
    ids = [b"\xff", b"evil"]
    for job_id in ids:
        bench.push(job_id, {"status": "evil"})
        assert bench.client.lmove(KEY, INTERMEDIATE) == job_id

    check_thrown_away(bench, ids)


def test_c19_sets_of_rq_that_it_cannot_read_end_no_worker(bench: Bench) -> None:
    for name in ("rq:wip:elsinore", "rq:failed:elsinore", "rq:finished:elsinore"):
        bench.client.zadd(name, {b"\xff": 1.0, b"evil": 1.0})
    bench.queue.project("ours", 1)

    bench.work()

    assert bench.ran == ["ours"]


def test_c19_how_long_and_how_often_is_not_for_strangers_to_say(bench: Bench) -> None:
    bench.push(
        b"theirs",
        {
            "timeout": "-1",
            "result_ttl": "-1",
            "ttl": "-1",
            "origin": "another",
            "retries_left": "1000000",
            "retry_intervals": "[86400]",
            "repeats_left": "1000000",
            "repeat_intervals": "[0]",
            "dependency_ids": '["another"]',
            "success_callback_timeout": "9" * 30,
            "failure_callback_timeout": "9" * 30,
            "rate_limit_key": "key",
            "rate_limit_concurrency": "0",
            "group_id": "group",
            "webhooks": "[17]",
        },
    )
    queue = Queue("elsinore", connection=bench.client, job_class=WorkJob, serializer="json")
    [job] = queue.jobs
    assert (job.timeout, job.retries_left, job.repeats_left) == (TIMEOUT, 5, None)
    bench.client.sadd("rq:job:theirs:dependents", b"\xff", "evil")

    check_thrown_away_after_running(bench)


def check_thrown_away_after_running(bench: Bench) -> None:
    """It is one of our calls: it is done once, and leaves nothing behind that lasts."""
    bench.work()
    bench.work()

    assert bench.ran == ["theirs"]
    assert bench.counts == {}
    assert bench.client.lrange(INTERMEDIATE, 0, -1) == []
    assert 0 < bench.client.ttl("rq:job:theirs") <= 5


@pytest.mark.parametrize(
    "arguments",
    [["g" * 101, 1], ["\ud800", 1], ["g\n", 1], ["g", -1], ["g", 2**60], ["g", "1"], ["g"]],
)
def test_c19_a_call_for_what_is_no_game_or_version(bench: Bench, arguments: list[Any]) -> None:
    bench.push(b"evil", {"data": call(PROJECT, None, arguments, {}), "retries_left": "5"})

    bench.work()

    assert bench.ran == []
    assert bench.counts == {"jobs-unknown": 1}


def test_c19_workers_take_no_commands(bench: Bench) -> None:
    listening: list[int] = []
    bench.queue.project("ours", 1)
    entry_points = {
        PROJECT: lambda game, version: listening.extend(
            bench.client.publish(name, '{"command": "shutdown"}')
            for name in ("rq:pubsub:a-worker", *bench.client.pubsub_channels("*"))
        )
    }
    worker = worker_on(bench.client, entry_points)
    worker.name = "a-worker"
    worker.work(burst=True, logging_level="CRITICAL")

    assert listening == [0]
