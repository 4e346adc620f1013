"""Figure 1: what a card played over HTTP costs the API, against a bare route that appends."""

import http.client
import os
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import psutil

from benchmarks.figure import Figure
from benchmarks.serving import SHIPPED, Servers, ask, served
from domain.card_games.cards import FRENCH
from domain.chance import Chain, ChainChance
from domain.kernel import Choice, decide
from domain.rulesets.hearts import HEARTS
from domain.rulesets.hearts.model import HeartsOptions

CLIENTS = 8
GAMES_EACH = 2
DEALS = 6
BARE = ("-k", "gevent", "-w", "1", "benchmarks.reference:create_app()")

Request = tuple[str, str, bytes]
"""Path, bearer token, body."""


def figures(servers: Servers) -> Iterable[Figure]:
    """CPU per command of the API process, and commands a second, `appendfsync always`."""
    with served(SHIPPED, servers.log) as (port, process):
        scripts = [_games(port, client) for client in range(CLIENTS)]
        ours = _load(port, process, scripts)
    with served(BARE, servers.log) as (port, process):
        commands = sum(len(script) for script in scripts)
        bare = [_appends(client, commands // CLIENTS) for client in range(CLIENTS)]
        reference = _load(port, process, bare)
    yield Figure(
        figure=1,
        name="API CPU per card played over HTTP, against a bare Flask route appending four events",
        value=ours[0],
        reference=reference[0],
        ratio=reference[0] / ours[0],
        target=0.4,
        unit="µs CPU/command",
    )
    yield Figure(
        figure=1,
        name="throughput beside it",
        value=ours[1],
        reference=reference[1],
        ratio=ours[1] / reference[1],
        unit="commands/s",
    )


def _load(
    port: int, process: psutil.Process, scripts: Sequence[Sequence[Request]]
) -> tuple[float, float]:
    """CPU µs per request of the server, and requests a second, every client on one connection."""
    failures: list[str] = []

    def client(script: Sequence[Request]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for request in script:
            status, body = _post(connection, request)
            if status != http.client.CREATED:
                failures.append(f"{status} {body[:300]!r}")
                return

    threads = [threading.Thread(target=client, args=(script,)) for script in scripts]
    before, start = _cpu(process), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent, seconds = _cpu(process) - before, time.perf_counter() - start
    if failures:
        raise RuntimeError(f"the load met {failures[0]}")
    count = sum(len(script) for script in scripts)
    return spent / count * 1e6, count / seconds


def _cpu(process: psutil.Process) -> float:
    times = [p.cpu_times() for p in (process, *process.children(recursive=True))]
    return sum(t.user + t.system for t in times)


def _post(connection: http.client.HTTPConnection, request: Request) -> tuple[int, bytes]:
    path, token, body = request
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def _appends(client: int, count: int) -> list[Request]:
    stream = f"/append/bench-{os.getpid()}-{client}"
    return [(stream, "", b"{}") for _ in range(count)]


def _games(port: int, client: int) -> list[Request]:
    """Opens this client's games, sits four people, and writes down every move they will make."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    tokens = [
        ask(connection, "POST", "/v1/players", "", {"name": f"p{n}"})["token"] for n in range(4)
    ]
    moves: list[Request] = []
    for number in range(GAMES_EACH):
        hands = [_hands(client * GAMES_EACH + number, deal) for deal in range(DEALS)]
        plan = {
            "ruleset": "hearts",
            "options": {"target_score": 1000},
            "seats": ["open"] * 4,
            "script": {"first_deal": 1, "deals": [{"hands": hand} for hand in hands]},
        }
        game = ask(connection, "POST", "/v1/games", tokens[0], plan)["id"]
        for seat, token in enumerate(tokens):
            ask(connection, "PUT", f"/v1/games/{game}/seats/{seat}", token, {})
        path = f"/v1/games/{game}/moves"
        moves += [(path, tokens[seat], body) for seat, body in _moves(plan["script"], client)]
    return moves


def _hands(seed: int, deal: int) -> list[list[str]]:
    cards = list(FRENCH.codes)
    random.Random(f"{seed} {deal}").shuffle(cards)  # noqa: S311 - cards for a measurement
    return [cards[seat * 13 : seat * 13 + 13] for seat in range(4)]


def _moves(script: Any, seed: int) -> Iterator[tuple[int, bytes]]:
    """Seat and body of every move until the written deals are played, legal ones drawn evenly."""
    options, rng = HeartsOptions(target_score=1000), random.Random(seed)  # noqa: S311
    deals = tuple(msgspec.convert(deal, HEARTS.scripted_deal) for deal in script["deals"])
    draws = HEARTS.script_draws(options, 4, 1, deals)
    chance = ChainChance(Chain.derive("bench", bytes(32), 2), 1, (), lambda: draws)
    consequence: Callable[[Any], Any] = lambda state: (  # noqa: E731
        None if len(state.scored) == DEALS else HEARTS.consequence(state, chance)
    )
    first = HEARTS.consequence(HEARTS.initial(options, 4), chance)
    _, state = decide(HEARTS.initial(options, 4), first, HEARTS.evolve, consequence)
    while to_act := HEARTS.to_act(state):
        seat = to_act[0]
        move: Any = rng.choice(HEARTS.legal_moves(state, seat).moves)
        if isinstance(move, Choice):
            cards = rng.sample(move.of, move.choose)
            body = {"type": move.type, "answers": move.answers, "cards": cards}
            move = msgspec.convert(body, HEARTS.move_type)
        yield seat, msgspec.json.encode(move)
        event = HEARTS.accept(state, seat, move)
        _, state = decide(state, event, HEARTS.evolve, consequence)
