"""Many at once, through two processes on one log."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any, TypeVar

import httpx
import pytest

from tests.service.serving import Server
from tests.service.tables import some_move

pytestmark = pytest.mark.processes
OPEN_TABLE = {"ruleset": "hearts", "seats": ["open"] * 4}
T = TypeVar("T")


@pytest.fixture(scope="module")
def server(valkey: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(valkey, tmp_path_factory.mktemp("races"))
    try:
        yield running
    finally:
        running.end()


@pytest.fixture
def people(server: Server) -> list[httpx.Client]:
    return [server.person(name) for name in ("Ann", "Ben", "Cid", "Dot", "Eve")]


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """What each of them returns, all begun at the same moment."""
    barrier = Barrier(len(calls))

    def begun(call: Callable[[], T]) -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begun, calls))


def copies(server: Server, person: httpx.Client, count: int) -> list[httpx.Client]:
    """The same person on so many connections, some to each process."""
    token = person.headers["Authorization"].removeprefix("Bearer ")
    clients = [server.client(token) for _ in range(count)]
    for client in clients:
        client.get("/healthz")
    return clients


def opened(person: httpx.Client) -> str:
    return "/v1/games/" + person.post("/v1/games", json=OPEN_TABLE).json()["id"]


def seated(people: list[httpx.Client]) -> str:
    path = opened(people[0])
    for seat, person in enumerate(people[:4]):
        assert person.put(f"{path}/seats/{seat}", json={}).status_code == 200
    return path


def view(person: httpx.Client, path: str) -> dict[str, Any]:
    return person.get(path).json()["view"]


def types(person: httpx.Client, path: str) -> list[str]:
    return [event["type"] for event in person.get(f"{path}/events").json()["events"]]


def codes(answers: Sequence[httpx.Response]) -> list[str]:
    return sorted("ok" if answer.is_success else answer.json()["code"] for answer in answers)


def test_b13_of_twenty_moves_for_one_question_one_is_played(
    server: Server, people: list[httpx.Client]
) -> None:
    path = seated(people)
    for person in people[:4]:
        assert person.post(f"{path}/moves", json=some_move(view(person, path))).is_success
    for _ in range(3):
        before = view(people[4], path)
        seat = int(next(iter(before["to_act"])))
        moves = view(people[seat], path)["legal_moves"]
        clients = copies(server, people[seat], 20)
        answers = at_once(
            [
                partial(client.post, f"{path}/moves", json=moves[n % len(moves)])
                for n, client in enumerate(clients)
            ]
        )
        assert codes(answers) == ["already-answered"] * 19 + ["ok"]
        played = next(answer for answer in answers if answer.is_success).json()
        assert view(people[4], path)["version"] == played["version"]


def test_b11_four_passes_at_once_are_all_accepted_and_swapped_once(
    people: list[httpx.Client],
) -> None:
    path = seated(people)
    moves = [some_move(view(person, path)) for person in people[:4]]
    answers = at_once(
        [
            partial(person.post, f"{path}/moves", json=move)
            for person, move in zip(people[:4], moves, strict=True)
        ]
    )
    assert codes(answers) == ["ok"] * 4
    assert types(people[4], path).count("hearts.cards-passed") == 4
    assert types(people[4], path).count("hearts.passes-swapped") == 1


def test_b15_one_person_sits_once_however_often_they_click(
    server: Server, people: list[httpx.Client]
) -> None:
    path = opened(people[0])
    same = at_once(
        [partial(client.put, f"{path}/seats/2", json={}) for client in copies(server, people[1], 8)]
    )
    assert codes(same) == ["ok"] * 8
    assert len({answer.content for answer in same}) == 1
    other = at_once(
        [
            partial(client.put, f"{path}/seats/{n % 4}", json={})
            for n, client in enumerate(copies(server, people[2], 8))
        ]
    )
    assert {answer.status_code for answer in other} == {200, 409}
    assert types(people[0], path).count("game.seat-taken") == 2


def test_b15_of_five_who_sit_at_once_one_finds_the_table_full(
    server: Server, people: list[httpx.Client]
) -> None:
    path = opened(people[0])

    def sit(person: httpx.Client) -> httpx.Response:
        """Tries the seats in order until one is had, or there is none."""
        answers = (person.put(f"{path}/seats/{seat}", json={}) for seat in range(4))
        return next(a for a in answers if a.is_success or a.json()["code"] != "seat-taken")

    answers = at_once([partial(sit, person) for person in people])
    assert codes(answers) == ["game-full", "ok", "ok", "ok", "ok"]
    assert types(people[0], path).count("game.started") == 1


def test_b15_a_double_opening_with_one_key_is_one_game(
    server: Server, people: list[httpx.Client]
) -> None:
    headers = {"Idempotency-Key": "open-once"}
    answers = at_once(
        [
            partial(client.post, "/v1/games", json=OPEN_TABLE, headers=headers)
            for client in copies(server, people[0], 10)
        ]
    )
    assert codes(answers) == ["ok"] * 10
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len({answer.json()["receipt"]["signature"] for answer in answers}) == 1
    assert len(people[0].get("/v1/games?mine=true").json()["games"]) == 1


def test_b29_leaving_and_moving_at_once_is_one_after_the_other(
    server: Server, people: list[httpx.Client]
) -> None:
    path = seated(people)
    for person in people[:2]:
        one, two = copies(server, person, 2)
        move = some_move(view(person, path))
        seat = view(person, path)["seat"]
        moved, left = at_once(
            [
                partial(one.post, f"{path}/moves", json=move),
                partial(two.delete, f"{path}/seats/{seat}", headers={"If-Match": "*"}),
            ]
        )
        assert left.status_code == 200
        assert moved.is_success or moved.json()["code"] == "not-your-seat"


def test_c22_who_has_written_reads_it_at_once_from_every_process(
    server: Server, people: list[httpx.Client]
) -> None:
    path = seated(people)
    clients = copies(server, people[4], 6)
    for person in people[:4]:
        done = person.post(f"{path}/moves", json=some_move(view(person, path))).json()
        for client in (*copies(server, person, 4), *clients):
            assert view(client, path)["version"] >= done["version"]
            assert client.get(f"{path}/events").json()["version"] >= done["version"]


def test_tokens_tickets_and_presence_are_known_to_every_process(
    server: Server, people: list[httpx.Client]
) -> None:
    path = seated(people)
    ben = people[1]
    seats = people[4].get(path).json()["live"]["seats"]
    assert [seat["connected"] for seat in seats] == [True] * 4
    me = next(seat["player"] for seat in view(ben, path)["seats"] if seat["seat"] == 1)
    ticket = ben.post("/v1/tickets").json()["ticket"]
    for client in [server.client() for _ in range(4)]:
        with client.stream("GET", f"{path}/stream?ticket={ticket}") as stream:
            assert stream.status_code == 200
    before = copies(server, ben, 6)
    answers = at_once([partial(client.post, f"/v1/players/{me}/token") for client in before])
    assert codes(answers) == ["ok"] * 6
    [token] = {answer.json()["token"] for answer in answers}
    assert {client.get(path).status_code for client in before} == {200}
    headers = {"Authorization": f"Bearer {token}"}
    assert server.client().get(path, headers=headers).status_code == 200
    assert {client.get(path).status_code for client in before} == {401}
    for client in [server.client() for _ in range(4)]:
        assert client.get(f"{path}/stream?ticket={ticket}").status_code == 401
