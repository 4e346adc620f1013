"""How other people's packages behave where they have not promised it, and we lean on it."""

import queue
from types import SimpleNamespace
from typing import Any

import fakeredis
import flask_smorest
import pytest
import redis

JOB_FIELDS = """
    allow_dependency_failures created_at data dependency_id dependency_ids description ended_at
    enqueue_at_front enqueue_at_front_on_retry enqueued_at exc_info failure_callback_name
    failure_callback_timeout failure_ttl group_id last_heartbeat meta number_of_retries origin
    rate_limit_concurrency rate_limit_key repeat_intervals repeats_left result result_ttl
    retries_left retry_intervals started_at status stopped_callback_name stopped_callback_timeout
    success_callback_name success_callback_timeout timeout ttl webhooks worker_name
"""
"""All that rq reads of a stored job, for workers.queue.jobs to have judged each of them."""


def test_rq_reads_of_a_stored_job_what_we_have_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    import rq.job

    from workers.queue.jobs import NEVER_USED

    class Noting(dict[str, bytes]):
        asked: set[str] = set()  # noqa: RUF012 - one for all copies

        def get(self, key: str, default: Any = None) -> Any:
            self.asked.add(key)
            return super().get(key, default)

        def __getitem__(self, key: str) -> bytes:
            self.asked.add(key)
            return super().__getitem__(key)

        def __contains__(self, key: object) -> bool:
            self.asked.add(str(key))
            return super().__contains__(key)

    monkeypatch.setattr(rq.job, "decode_redis_hash", Noting)
    job = rq.job.Job("id", connection=fakeredis.FakeRedis())
    job.restore({"data": b"[]", "exc_info": b"text", "retry_intervals": b"[1]"})

    assert Noting.asked == {*JOB_FIELDS.split()}, "WorkJob judges each of these"
    reset = {*NEVER_USED, "_dependency_ids", "webhooks", "meta", "timeout", "result_ttl"}
    reset |= {"failure_ttl", "origin", "retries_left"}
    assert reset <= vars(job).keys(), "workers.queue.jobs puts its own in the place of these"


def test_rq_keeps_jobs_where_we_look_for_them() -> None:
    import rq
    from rq.job import JobStatus

    from workers.queue.untrusted_jobs import INTERMEDIATE, KEY, QUEUE
    from workers.sweep import DONE

    client = fakeredis.FakeRedis()
    jobs = rq.Queue(QUEUE, connection=client)
    job = jobs.enqueue_call("none", job_id="id")
    assert jobs.key == KEY
    assert job.key == rq.job.Job.key_for("id") == "rq:job:id"
    assert client.hget("rq:job:id", "status") == b"queued"
    assert {status.value for status in JobStatus} >= DONE

    assert rq.Queue.lmove(client, KEY, None) == (KEY, b"id")

    assert client.lrange(INTERMEDIATE, 0, -1) == [b"id"], "workers.queue.untrusted_jobs looks here"


def test_rq_counts_what_a_worker_has_done_where_benchmarks_look() -> None:
    import rq

    client = fakeredis.FakeRedis()
    worker = rq.SimpleWorker(["q"], connection=client)
    worker.register_birth()
    worker.increment_successful_job_count()

    assert client.smembers("rq:workers") == {worker.key.encode()}
    assert client.hget(worker.key, "successful_job_count") == b"1"


def test_rq_workers_have_what_ours_reads_and_sets() -> None:
    import rq
    from rq.job_lifecycle import call_exception_handlers

    told: list[str] = []

    def handler(*_: object) -> bool:
        told.append("handled")
        return False

    worker = rq.SimpleWorker(
        ["q"],
        connection=fakeredis.FakeRedis(),
        exception_handlers=[handler],
        job_monitoring_interval=2,
    )
    assert worker.job_monitoring_interval == 2
    assert worker._exc_handlers == [handler]
    assert issubclass(worker.death_penalty_class, rq.timeouts.BaseDeathPenalty)
    call_exception_handlers([handler, handler], rq.job.Job("id", connection=worker.connection))
    assert told == ["handled"], "False ends the chain: workers.queue.rq_worker has the last word"


def test_gunicorns_gevent_worker_does_no_more_than_ours_leaves_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from gunicorn.workers.base_async import AsyncWorker
    from gunicorn.workers.ggevent import GeventWorker

    calls: list[Any] = []
    monkeypatch.setattr(AsyncWorker, "handle", lambda *_: calls.append("handle"))
    client = SimpleNamespace(setblocking=calls.append)
    GeventWorker.handle(GeventWorker.__new__(GeventWorker), None, client, None)

    assert calls == [1, "handle"], "service.server.worker gives the client a timeout instead"


def test_gunicorn_calls_us_when_the_app_is_there_and_signals_are_its_own() -> None:
    from gunicorn.workers.base import Worker

    steps = Worker.init_process.__code__.co_names
    order = [steps.index(n) for n in ("init_signals", "load_wsgi", "post_worker_init", "run")]
    assert order == sorted(order), (
        "service.server.config wraps the handler of SIGTERM, and asks the app"
    )
    assert "wsgi" in Worker.load_wsgi.__code__.co_names


def test_gunicorn_keeps_what_came_behind_a_request_where_we_look_for_it() -> None:
    import socket

    from gunicorn.config import Config
    from gunicorn.http import get_parser

    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(2 * b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        parser = get_parser(Config(), ours, ("127.0.0.1", 1))
        left = [next(parser).unreader.buf.getbuffer().nbytes for _ in range(2)]
    assert left == [27, 0], "service.server.worker waits for more only where nothing is left"


def test_gunicorn_hands_on_the_socket_of_a_request() -> None:
    from gunicorn.config import Config
    from gunicorn.http.wsgi import default_environ

    req = SimpleNamespace(body=None, method="GET", query="", uri="/", version=(1, 1))
    connection = object()
    assert default_environ(req, connection, Config())["gunicorn.socket"] is connection, (
        "service.live.disconnects watches it"
    )


@pytest.mark.parametrize(
    "name",
    ["InvalidChunkSize", "ChunkMissingTerminator", "LimitRequestLine", "LimitRequestHeaders",
     "InvalidResponseHeader", "InvalidResponseHeaderName"],
)  # fmt: skip
def test_what_gunicorn_finds_wrong_with_a_request_is_of_one_kind(name: str) -> None:
    from gunicorn.http import errors

    assert issubclass(getattr(errors, name), errors.ParseException), "we refuse it by its kind"


def test_flask_smorest_finds_the_description_of_a_view_where_we_put_it() -> None:
    from service.http.requests import Blueprint

    def view() -> None: ...

    theirs = flask_smorest.Blueprint("theirs", __name__).doc(summary="s")(view)
    ours = Blueprint.doc(summary="s")(view)
    assert vars(ours)["_apidoc"] == theirs._apidoc, (
        "service.http.requests.Blueprint.doc writes it itself"
    )


def test_a_blocking_pool_is_a_stack_of_connections_and_of_none() -> None:
    pool: Any = redis.BlockingConnectionPool.from_url("redis://", max_connections=2, timeout=1.0)
    assert isinstance(pool.pool, queue.LifoQueue)
    connection = pool.make_connection()
    connection.idle_since = 1.0
    assert connection.is_connected is False
    assert [pool.pool.get_nowait(), pool.pool.get_nowait()] == [None, None]

    pool.release(connection)

    assert pool.pool.get_nowait() is connection, "events.redis.client looks at those not in use"
    with pytest.raises(queue.Empty):
        pool.pool.get_nowait()


def test_redis_puts_the_command_before_what_the_server_said() -> None:
    from events.redis.errors import first_words

    error = redis.ResponseError("BUSY with something")
    pipeline: Any = redis.Redis().pipeline()
    pipeline.annotate_exception(error, 1, ("HSET", "key", "field", "value"))
    assert str(error).startswith("Command #")
    assert first_words(error) == "BUSY with something", "events.redis.errors tells Busy by it"


def test_each_fake_server_is_one_of_its_own_and_runs_lua() -> None:
    fakeredis.FakeRedis().set("key", "value")
    assert fakeredis.FakeRedis().get("key") is None
    server = fakeredis.FakeServer()
    fakeredis.FakeRedis(server=server).set("key", "value")
    assert fakeredis.FakeRedis(server=server).eval("return redis.call('GET', 'key')", 0) == b"value"
    server.connected = False
    with pytest.raises(redis.ConnectionError):
        fakeredis.FakeRedis(server=server).get("key")
