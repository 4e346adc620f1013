"""The service as it runs: gunicorn with gevent, on a real server, spoken to over HTTP."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from domain import registry
from events.accounts.players import RedisPlayers
from events.log.redis import RedisStore
from service.live.notifier import RedisNotifier
from service.server.wsgi import UnfitServer, app
from service.settings import Settings
from tests.service.serving import Server
from tests.service.tables import Table, memory_services, some_move

pytestmark = pytest.mark.processes
STREAMS = 60


@pytest.fixture
def server(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    running = Server(valkey, tmp_path)
    try:
        yield running
    finally:
        running.end()


def seated(server: Server) -> tuple[str, list[httpx.Client]]:
    """A game of one deal, and the clients of its four people."""
    people = [server.person(name) for name in ("Ann", "Ben", "Cid", "Dot")]
    body = {
        "ruleset": "hearts",
        "options": {"target_score": 1},
        "seats": ["me", "open", "open", "open"],
    }
    path = "/v1/games/" + people[0].post("/v1/games", json=body).json()["id"]
    for seat, person in enumerate(people):
        assert person.put(f"{path}/seats/{seat}", json={}).status_code == 200
    return path, people


def events_of(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    fields: dict[str, Any] = {}
    for line in lines:
        if not line:
            if "event" in fields:
                yield fields
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


def test_a_whole_game_over_http_with_a_stream_across_two_processes(server: Server) -> None:
    path, people = seated(server)
    with people[3].stream("GET", f"{path}/stream") as stream:
        news = events_of(stream.iter_lines())
        first = json.loads(next(news)["data"])
        seen = [first["view"]["version"]]
        view = first["view"]
        while view["status"] == "playing":
            seat = int(next(iter(view["to_act"])))
            mine = people[seat].get(path).json()["view"]
            move = some_move(mine)
            answer = people[seat].post(f"{path}/moves", json=move)
            assert answer.status_code == 201, answer.text
            while seen[-1] < answer.json()["version"]:
                seen.append(int(next(news)["id"]))
            view = people[0].get(path).json()["view"]
        assert seen == list(range(first["view"]["version"], view["version"] + 1))
    log = people[0].get(f"{path}/log").text.splitlines()
    assert len(log) == view["version"]
    assert json.loads(log[-1])["digest"] == view["digest"]


def test_b23_many_streams_leave_the_service_answering(server: Server) -> None:
    path, people = seated(server)
    streams = [people[0].stream("GET", f"{path}/stream") for _ in range(STREAMS)]
    news = [events_of(stream.__enter__().iter_lines()) for stream in streams]
    assert {next(each)["event"] for each in news} == {"view"}
    assert people[1].get("/healthz").status_code == 200
    people[2].post(f"{path}/moves", json=some_move(people[2].get(path).json()["view"]))
    assert {next(each)["event"] for each in news} == {"entry"}
    for stream in streams:
        stream.__exit__(None, None, None)


def test_sigterm_ends_streams_and_the_process(server: Server) -> None:
    path, people = seated(server)
    with people[0].stream("GET", f"{path}/stream") as stream:
        news = events_of(stream.iter_lines())
        next(news)
        with ThreadPoolExecutor(1) as pool:
            stopped = pool.submit(server.stop)
            assert list(news) == []
            assert stopped.result() == 0


def test_a_long_poll_is_answered_by_a_move_in_another_process(server: Server) -> None:
    path, people = seated(server)
    view = people[2].get(path).json()["view"]
    with ThreadPoolExecutor(8) as pool:
        polls = [
            pool.submit(people[1].get, f"{path}/events?after={view['version']}&wait=20")
            for _ in range(6)
        ]
        people[2].post(f"{path}/moves", json=some_move(view))
        assert {poll.result().json()["version"] for poll in polls} == {view["version"] + 1}


@pytest.fixture
def registry_kept() -> Iterator[None]:
    """What an app that starts in this process puts into the registry is taken out again."""
    with registry.using(registry.find("hamlet_play@1")):
        yield


@pytest.mark.usefixtures("registry_kept")
def test_c09_start_up_refuses_a_server_that_may_lose_the_log(
    valkey: str, log_redis: redis.Redis, tmp_path: Path
) -> None:
    with pytest.raises(UnfitServer, match="appendfsync"):
        app(Settings(redis_url=valkey, data=tmp_path))
    log_redis.config_set("maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(UnfitServer, match="noeviction"):
            app(Settings(redis_url=valkey, data=tmp_path, volatile_allowed=True))
    finally:
        log_redis.config_set("maxmemory-policy", "noeviction")
    served = app(Settings(redis_url=valkey, data=tmp_path, volatile_allowed=True)).test_client()
    assert served.get("/readyz").status_code == 200


def test_a_log_that_is_gone_is_missing_and_never_a_new_game(log_redis: redis.Redis) -> None:
    services = memory_services(store=RedisStore(log_redis), players=RedisPlayers(log_redis))
    table = Table(services).sit()
    log_redis.delete(*log_redis.keys(f"*game:{table.game}"))
    for answer in (
        table.people[0].get(table.path),
        table.people[0].move(table.game, some_move_of_nobody()),
    ):
        assert (answer.status_code, answer.json["code"]) == (500, "log-missing")


def some_move_of_nobody() -> dict[str, Any]:
    return {"answers": "d1.pass", "type": "pass_cards", "cards": ["2C", "3C", "4C"]}


def test_wake_ups_come_from_what_any_process_appends(log_redis: redis.Redis) -> None:
    table = Table(memory_services(store=RedisStore(log_redis), players=RedisPlayers(log_redis)))
    notifier = RedisNotifier(log_redis)
    with notifier.subscribe(table.game) as news, notifier.subscribe("another") as other:
        assert news.wait(10)  # the reader has begun, and notifies once of what came before
        other.wait(10)
        news.clear()
        other.clear()
        table.people[0].call("PUT", f"{table.path}/seats/0", json={})
        assert news.wait(10)
        assert not other.is_set()
    notifier.close()
