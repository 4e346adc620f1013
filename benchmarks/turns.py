"""Figures 6 and 7: bots' replies and whole games by one worker, against all in one process."""

import http.client
import random
import secrets
import statistics
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.due_work import wait_until_done, working
from benchmarks.figure import Figure
from benchmarks.games import random_moves
from benchmarks.serving import SHIPPED, Servers, ask, served
from domain.game.model import Actor, OpenGame, SeatPlan, Sit
from events.commands import MoveRequest
from events.log.redis import RedisStore
from events.receipts import Signer
from events.redis.client import connect
from service.cli.composition import Runtime, in_memory, runtime_on
from service.cli.play import LEVELS, play_out
from workers.bot_turns import Turns

MOVES = 150
GAMES = 12
PATIENCE = 60.0
PERSON = "p_bench"
BOTS = tuple(SeatPlan(kind="bot", level=level) for level in LEVELS)
LONG = {"target_score": 1000}


def figures(servers: Servers) -> Iterable[Figure]:
    with working(servers):
        with served(SHIPPED, servers.log) as (port, _):
            ours = _over_http(port)
        jobs = _jobs(servers.queue)
        per_move = jobs / len(ours)
        with connect(servers.log) as log:
            wait_until_done(log)
        rate = _games_a_minute(servers.log)
    reference = _in_process()
    for name, value, other in (
        ("p50", statistics.median(ours), statistics.median(reference)),
        ("p99", _p99(ours), _p99(reference)),
    ):
        yield Figure(
            figure=6,
            name=f"a person's move until the last of three bots has replied, {name}, "
            "against deciding both in process and memory",
            value=value,
            reference=other,
            ratio=value / other,
            unit="ms",
        )
    yield Figure(
        figure=6,
        name="jobs for it, against one a move",
        value=per_move,
        reference=1.0,
        ratio=per_move,
        unit="jobs/move",
    )
    in_memory_rate = _games_in_memory()
    yield Figure(
        figure=7,
        name="whole games of four bots by one worker, against `elsinore play` in memory",
        value=rate,
        reference=in_memory_rate,
        ratio=rate / in_memory_rate,
        unit="games/min",
    )


def _jobs(queue_url: str) -> int:
    """Jobs that workers have done there, each when it was done."""
    with connect(queue_url) as queue:
        names: Any = queue.smembers("rq:workers")
        done: list[Any] = [queue.hget(name, "successful_job_count") for name in names]
    return sum(int(count or 0) for count in done)


def _over_http(port: int) -> list[float]:
    """Milliseconds from each of a person's moves until a stream has the last bot's reply."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    token = ask(connection, "POST", "/v1/players", "", {"name": "p"})["token"]
    seats = ["me", *({"bot": level} for level in LEVELS)]
    plan = {"ruleset": "hearts", "options": LONG, "seats": seats}
    path = "/v1/games/" + ask(connection, "POST", "/v1/games", token, plan)["id"]
    ask(connection, "PUT", f"{path}/seats/0", token, {})
    arrivals = _arrivals(port, path, token)
    rng = random.Random(6)  # noqa: S311 - moves for a measurement, not a draw
    latencies: list[float] = []
    view = _turn(connection, path, token)
    while len(latencies) < MOVES:
        began = time.perf_counter()
        moved = ask(connection, "POST", f"{path}/moves", token, _move(view, rng))["version"]
        view = _turn(connection, path, token)
        if view["version"] > moved:
            latencies.append(1000 * (arrivals(view["version"]) - began))
    return latencies


def _turn(connection: http.client.HTTPConnection, path: str, token: str) -> Any:
    """The view when it is the person's turn."""
    while (view := ask(connection, "GET", path, token, None)["view"])["question"] is None:
        ask(connection, "GET", f"{path}/events?after={view['version']}&wait=5", token, None)
    return view


def _move(view: Any, rng: random.Random) -> dict[str, Any]:
    legal: dict[str, Any] = rng.choice(view["legal_moves"])
    if "choose" not in legal:
        return legal
    cards = rng.sample(legal["of"], legal["choose"])
    return {"answers": legal["answers"], "type": legal["type"], "cards": cards}


def _arrivals(port: int, path: str, token: str) -> Callable[[int], float]:
    """When a stream had each version; waits for it."""
    arrived: dict[int, float] = {}
    news = threading.Condition()

    def read() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        headers = {"Authorization": f"Bearer {token}"}
        connection.request("GET", f"{path}/stream", headers=headers)
        for line in connection.getresponse():
            if line.startswith(b"id: "):
                with news:
                    arrived[int(line[4:])] = time.perf_counter()
                    news.notify()

    def when(version: int) -> float:
        with news:
            if not news.wait_for(lambda: version in arrived, PATIENCE):
                raise TimeoutError(f"the stream has not had {version}")
            return arrived[version]

    threading.Thread(target=read, daemon=True).start()
    return when


def _in_process() -> list[float]:
    """Milliseconds for such moves, and the bots' replies, decided one after the other."""
    runtime = in_memory()
    game = _open(runtime, (SeatPlan(kind="open"), *BOTS), LONG)
    handler, actor = runtime.handler, Actor(kind="player", id=PERSON, seat=0)
    handler.handle(game, Sit(player=PERSON, seat=0), actor, "sit", "bench")
    turns = Turns(handler, lambda _, __: None, seconds=PATIENCE)
    rng = random.Random(6)  # noqa: S311 - moves for a measurement, not a draw
    latencies: list[float] = []
    turns.bot_turn(game, handler.loader.cached(game).head.version)
    while len(latencies) < MOVES:
        _, move = next(random_moves(handler.loader.cached(game).game, rng))
        began = time.perf_counter()
        play = MoveRequest(msgspec.json.encode(move))
        moved = handler.handle(game, play, actor, move.answers, "bench").version
        turns.bot_turn(game, moved)
        spent = time.perf_counter() - began
        if handler.loader.cached(game).head.version > moved:
            latencies.append(1000 * spent)
    return latencies


def _games_a_minute(log_url: str) -> float:
    runtime = runtime_on(RedisStore(connect(log_url)), Signer(Ed25519PrivateKey.generate()))
    began = time.perf_counter()
    games = [_open(runtime, (*BOTS, BOTS[0]), {}) for _ in range(GAMES)]
    deadline = time.monotonic() + 2 * PATIENCE
    while not all(runtime.reader.current(g).game.status == "finished" for g in games):
        if time.monotonic() > deadline:
            raise TimeoutError("the bots do not come to an end")
        time.sleep(0.05)
    return 60 * GAMES / (time.perf_counter() - began)


def _games_in_memory() -> float:
    runtime, began = in_memory(), time.perf_counter()
    for _ in range(GAMES):
        play_out(runtime, _plan((*BOTS, BOTS[0]), {}))
    return 60 * GAMES / (time.perf_counter() - began)


def _open(runtime: Runtime, seats: tuple[SeatPlan, ...], options: dict[str, Any]) -> str:
    return runtime.handler.open(_plan(seats, options), secrets.token_hex(16), "bench").game


def _plan(seats: tuple[SeatPlan, ...], options: dict[str, Any]) -> OpenGame:
    return OpenGame(opener=PERSON, ruleset="hearts", options=options, seats=seats)


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]
