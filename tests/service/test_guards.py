"""Hostile requests and broken logs: refused by type, nothing hidden told, nothing changed."""

import json
from typing import Any

import fakeredis
import pytest
import redis

from domain.hashing import digest
from events.accounts.players import RedisPlayers
from events.log.entry import Entry, canonical
from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.redis.keys import partition_of
from service.services import Services
from tests.service.tables import Answer, Person, Table, memory_services, some_move


def told(answer: Answer) -> tuple[int, str]:
    assert answer.mimetype == "application/problem+json"
    return answer.status_code, answer.json["code"]


def every_call(table: Table, person: Person) -> list[Answer]:
    """Each call on the game, in a form that would be allowed."""
    version = {"If-Match": "*"}
    path = table.path
    return [
        person.get(path),
        person.get(f"{path}?at=3"),
        person.get(f"{path}/events"),
        person.get(f"{path}/stream"),
        person.get(f"{path}/log"),
        person.post(f"{path}/moves", {"answers": "d1.pass", "type": "pass_cards", "cards": []}),
        person.call("PUT", f"{path}/seats/0", json={}),
        person.call("DELETE", f"{path}/seats/0", headers=version),
        person.call("DELETE", path),
    ]


@pytest.fixture
def client() -> redis.Redis:
    return fakeredis.FakeRedis(server=fakeredis.FakeServer())


@pytest.fixture
def stored(client: redis.Redis) -> Table:
    services = memory_services(store=RedisStore(client), players=RedisPlayers(client))
    return Table(services).sit()


def test_c09_a_stream_that_is_gone_is_log_missing_everywhere(
    stored: Table, client: redis.Redis
) -> None:
    hands = [card for seat in range(4) for card in stored.view(seat)["hand"]]
    assert client.delete(partition_of(stored.game).log(stored.game)) == 1
    for answer in every_call(stored, stored.people[0]):
        assert told(answer) == (500, "log-missing")
        assert not any(f'"{card}"' in answer.text for card in hands)
        assert answer.json["correlation"] == answer.headers["X-Correlation-Id"]
    assert not client.exists(partition_of(stored.game).log(stored.game))
    again = stored.people[0].post(
        "/v1/games",
        {"ruleset": "hearts", "options": {"target_score": 100}, "seats": ["me"] + ["open"] * 3},
        headers={"Idempotency-Key": "open"},
    )
    assert told(again) == (500, "log-missing")
    assert stored.game not in stored.spectator.get("/v1/games").text


@pytest.mark.parametrize(
    "change",
    [{"schema": 99}, {"type": "hearts.card-eaten"}],
    ids=["a newer schema", "an unknown type"],
)
def test_an_entry_newer_than_this_release_is_typed_and_the_log_left_alone(
    services: Services, change: dict[str, Any]
) -> None:
    table = Table(services).sit()
    log = services.store.logs[table.game] if isinstance(services.store, MemoryStore) else []
    log.append(following(log[-1], table.game, change))
    before = list(log)
    for answer in every_call(table, table.people[0]):
        assert told(answer) == (500, "unknown-schema")
        assert '"cards"' not in answer.text
    assert log == before
    other = Table(services).sit()
    assert other.people[0].move(other.game, some_move(other.view(0))).status_code == 201


def following(last: Entry, game: str, change: dict[str, Any]) -> Entry:
    """An entry that joins the chain, of a kind that nobody here knows."""
    public = json.loads(last.public) | {"version": last.version + 1} | change
    written = canonical(public)
    return Entry(last.version + 1, written, digest("entry", game, last.digest, written), b"")


def test_nothing_of_an_error_leaves_the_house(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.sit()

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("root=00ff QS 7H elt_secret /var/lib")

    monkeypatch.setattr(table.services.loader, "cached", fails)
    monkeypatch.setattr(table.services.loader, "current", fails)
    for answer in every_call(table, table.people[0]):
        assert told(answer) == (500, "internal-error")
        assert set(answer.json) == {"type", "title", "status", "code", "detail", "correlation"}
        assert answer.json["correlation"] == answer.headers["X-Correlation-Id"]
        for hidden in ("QS", "7H", "00ff", "elt_", "/var", "Runtime", "Traceback"):
            assert hidden not in answer.text


DEEP = b'{"answers": "d1.pass", "type": "pass_cards", "cards": ' + b"[" * 20_000


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"x" * 70_000, "application/json", 413),
        (DEEP, "application/json", 400),
        (b'{"entropy": "\xff\xfe"}', "application/json", 400),
        (b'{"a": 1}', "text/html", 415),
        (b'{"a": 1}', "multipart/form-data; boundary=x", 415),
        (b"a=1", "application/x-www-form-urlencoded", 415),
        (b'{"__proto__": 1, "entropy": null}', "application/json", 422),
        (b"[[]]", "application/json", 422),
        (b'"QS"', "application/json", 422),
        (b"1e999", "application/json", 400),
        (b'{"cards": ' + b"9" * 5000 + b"}", "application/json", 422),
    ],
)
def test_hostile_bodies_are_refused_by_every_call_that_reads_one(
    table: Table, body: bytes, kind: str, status: int
) -> None:
    table.sit()
    before = table.view(0)["version"]
    ann = table.people[0]
    calls = [
        ("POST", "/v1/players"),
        ("PATCH", f"/v1/players/{ann.id}"),
        ("POST", f"/v1/players/{ann.id}/token"),
        ("POST", f"{table.path}/moves"),
        ("PUT", f"{table.path}/seats/0"),
    ]
    for method, path in calls:
        answer = ann.call(method, path, data=body, content_type=kind)
        assert told(answer)[0] in ({status} if status != 422 else {400, 422}), (method, path)
    assert table.view(0)["version"] == before


def test_a_body_that_states_no_length_is_bounded_too(table: Table) -> None:
    table.sit()
    answer = table.people[0].call(
        "POST",
        f"{table.path}/moves",
        data=b"x" * 100_000,
        content_type="application/json",
        headers={"Transfer-Encoding": "chunked"},
    )
    assert answer.status_code in {400, 413}


def test_b05_tokens_of_who_is_not_seated_here_change_nothing(table: Table) -> None:
    table.sit()
    other = Table(table.services).sit()
    before = table.view(0)
    for person in (table.spectator, other.people[0], other.people[3]):
        for seat in range(4):
            url = f"{table.path}/seats/{seat}"
            left = person.call("DELETE", url, headers={"If-Match": "*"})
            assert told(left) == (403, "not-your-seat")
            assert told(person.call("PUT", url, json={})) == (409, "game-full")
        assert told(person.move(table.game, some_move(before))) == (403, "not-your-seat")
        assert told(person.call("DELETE", table.path))[0] in {403, 409}
    assert table.view(0) == before


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'; DROP TABLE players; --",
    '","seat":3,"x":"',
    "{{7*7}}",
    "عادل",
    "{'a': 1}",
    "../../etc/passwd",
    "%00%0d%0a",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_shown_as_text_and_as_nothing_else(services: Services, name: str) -> None:
    table = Table(services)
    eve = Person(table.client, name)
    eve.call("PUT", f"{table.path}/seats/1", json={})
    answer = table.people[0].get(table.path)
    assert answer.mimetype == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.json["live"]["names"][eve.id] == name
    assert all(name.encode() not in entry.public for entry in services.store.read(table.game))
    stream = table.people[0].get(f"{table.path}/stream")
    first = next(chunk for chunk in stream.iter_encoded())
    stream.close()
    assert first.decode().count("\nevent: ") == 1


@pytest.mark.parametrize(
    "name",
    ["a\rb", "a\nevent: x", "a\x1b[2J", "a\u2028b", "a\u202eb", "a\u2066b", "\ud800", "a\u0085b"],
)
def test_a_name_with_controls_is_refused(table: Table, name: str) -> None:
    for method, path in (("POST", "/v1/players"), ("PATCH", f"/v1/players/{table.people[0].id}")):
        body = json.dumps({"name": name}).encode()
        answer = table.people[0].call(method, path, data=body, content_type="application/json")
        assert answer.status_code in {400, 422}


@pytest.mark.parametrize(
    "game", ["%00", "..%2f..", "a" * 300, "%F0%9F%82%A1", "*", "el:token", "{p00}", "%0d%0aX: y"]
)
def test_a_game_id_that_cannot_be_is_unknown(table: Table, game: str) -> None:
    answer = table.spectator.get(f"/v1/games/{game}")
    assert answer.status_code == 404


def test_hostile_headers_are_refused(table: Table) -> None:
    table.sit()
    ann = table.people[0]
    move = some_move(table.view(0))
    long = ann.post(f"{table.path}/moves", move, headers={"Idempotency-Key": "k" * 5000})
    assert told(long) == (400, "bad-idempotency-key")
    for wrong in ("Basic eDp5", "Bearer", "Bearer a b", "bearer ä", "Bearer " + "x" * 5000):
        answer = table.client.get(table.path, headers={"Authorization": wrong})
        assert answer.status_code == 401


def test_metrics_have_no_label_that_a_request_can_make_up(table: Table) -> None:
    table.sit()
    for odd in ("xyz", "nosuch/abc", "seats/eleven"):
        table.spectator.get(f"/v1/{odd}")
        table.spectator.get(f"/v1/games/{odd}")
    table.client.open("/v1/games", method="BREW")
    text = table.client.get("/metrics").text
    for made_up in ("xyz", "nosuch", "eleven", "BREW", table.game, table.spectator.id, "elt_"):
        assert made_up not in text
    assert 'route="none"' in text
    assert 'route="/v1/games/<game_id>"' in text


def test_metrics_tell_conflicts_due_work_and_readiness(table: Table) -> None:
    table.sit()
    table.people[1].call("DELETE", f"{table.path}/seats/1", headers={"If-Match": "*"})
    text = table.client.get("/metrics").text
    assert 'elsinore_due{work="bot"} 1.0' in text
    assert 'elsinore_due{work="score"}' in text
    lag = next(x for x in text.splitlines() if x.startswith('elsinore_due_oldest_seconds{work="b'))
    assert float(lag.split()[1]) > 0
    assert "elsinore_ready 1.0" in text
    assert "elsinore_conflicts 0.0" in text
    table.services.notifier.close()
    assert "elsinore_ready 0.0" in table.client.get("/metrics").text
