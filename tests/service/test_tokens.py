"""Tokens are replaced, revoked and narrowed; tickets stand for them in the URL of a stream."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from events.accounts.tickets import SECONDS, MemoryTickets
from events.accounts.tokens import token_hash
from service.services import Services
from tests.docs.shown import asked
from tests.service.tables import Answer, Person, Table, frames, memory_services


def told(answer: Answer) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def rotate(person: Person, body: Any = None) -> Answer:
    _, url = asked("POST /v1/players/{id}/token", id=person.id)
    return person.call("POST", url) if body is None else person.post(url, body)


def test_a_token_is_replaced_when_the_new_one_is_used(table: Table) -> None:
    ann, old = table.people[0], table.people[0].token
    answer = rotate(ann)
    assert answer.status_code == 201
    assert (answer.json["id"], answer.json["scopes"]) == (ann.id, ["audit", "play"])
    assert rotate(ann).json == answer.json
    assert ann.get(table.path).status_code == 200
    ann.token = answer.json["token"]
    assert ann.token != old
    assert ann.call("PUT", f"{table.path}/seats/0", json={}).status_code == 200
    assert ann.token not in ann.get(f"/v1/players/{ann.id}").text
    ann.token = old
    assert told(ann.get(table.path)) == (401, "invalid-token")
    assert told(rotate(ann)) == (401, "invalid-token")


def test_parallel_replacements_are_answered_alike(table: Table) -> None:
    ann = table.people[0]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: rotate(ann), range(8)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["token"] for answer in answers}) == 1


def test_a_token_is_revoked(table: Table) -> None:
    table.sit()
    ben = table.people[1]
    gone = ben.call("DELETE", f"/v1/players/{ben.id}/token")
    assert (gone.status_code, gone.data) == (204, b"")
    for answer in (ben.get(table.path), rotate(ben), ben.move(table.game, {})):
        assert told(answer) == (401, "invalid-token")
    assert table.people[0].get(table.path).json["live"]["names"][ben.id] == "Ben"


def test_nobody_replaces_or_revokes_the_token_of_another(table: Table) -> None:
    ann, ben = table.people[:2]
    for method in ("POST", "DELETE"):
        answer = ben.call(method, f"/v1/players/{ann.id}/token")
        assert told(answer) == (403, "not-yourself")
    assert ann.get(table.path).status_code == 200


def test_a_token_may_be_narrowed_and_not_widened(table: Table) -> None:
    table.sit()
    ben = table.people[1]
    ben.token = rotate(ben, {"scopes": ["audit"]}).json["token"]
    assert ben.get(f"{table.path}/events").status_code == 200
    refused = ben.move(table.game, {})
    assert told(refused) == (403, "missing-scope")
    assert "insufficient_scope" in refused.headers["WWW-Authenticate"]
    assert told(rotate(ben, {"scopes": ["audit", "play"]})) == (403, "missing-scope")
    wrong: list[Any] = [{"scopes": []}, {"scopes": ["root"]}, {"scope": "play"}]
    for body in wrong:
        assert told(rotate(ben, body)) == (422, "invalid-body")
    kept = rotate(ben)
    assert kept.json["scopes"] == ["audit"]


def test_a_ticket_opens_streams_and_nothing_else(table: Table) -> None:
    table.sit()
    ben = table.people[1]
    answer = ben.call(*asked("POST /v1/tickets"))
    assert (answer.status_code, answer.json["expires_in"]) == (201, 60)
    ticket = answer.json["ticket"]
    for _ in range(2):
        stream = table.client.get(f"{table.path}/stream?ticket={ticket}")
        assert (stream.status_code, stream.mimetype) == (200, "text/event-stream")
        assert ben.view(table.game)["hand"][0] in frames(stream.iter_encoded(), 1)[0]["data"]
        stream.close()
    for path in ("", "/events", "/log"):
        assert table.client.get(f"{table.path}{path}?ticket={ticket}").status_code == 401
    assert table.client.post("/v1/tickets?ticket=" + ticket).status_code == 401
    header = {"Authorization": f"Bearer {ticket}"}
    assert told(table.client.get(table.path, headers=header)) == (401, "invalid-token")


@pytest.mark.parametrize("ticket", ["", "elk_", "elk_" + "A" * 43, "ä"])
def test_an_unknown_ticket_is_nobodys(table: Table, ticket: str) -> None:
    answer = table.client.get(f"{table.path}/stream?ticket={ticket}")
    assert told(answer) == (401, "invalid-ticket")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_is_never_read_from_a_url(table: Table) -> None:
    token = table.people[0].token
    for path in ("", "/events", "/stream"):
        for name in ("token", "access_token"):
            answer = table.client.get(f"{table.path}{path}?{name}={token}")
            assert told(answer) == (401, "missing-token")
    assert told(table.client.get(f"{table.path}/stream?ticket={token}")) == (401, "invalid-ticket")


def test_a_ticket_is_over_after_a_minute() -> None:
    services, seconds = memory_services(), [0.0]
    object.__setattr__(services, "tickets", MemoryTickets(lambda: seconds[0]))
    table = Table(services)
    ticket = table.spectator.call("POST", "/v1/tickets").json["ticket"]
    seconds[0] = SECONDS - 1
    table.client.get(f"{table.path}/stream?ticket={ticket}").close()
    seconds[0] = SECONDS
    answer = table.client.get(f"{table.path}/stream?ticket={ticket}")
    assert told(answer) == (401, "invalid-ticket")


def test_tickets_and_streams_end_with_their_token(services: Services) -> None:
    table = Table(services).sit()
    ben = table.people[1]
    ticket = ben.call("POST", "/v1/tickets").json["ticket"]
    by_token, by_ticket = (
        ben.get(f"{table.path}/stream"),
        table.client.get(f"{table.path}/stream?ticket={ticket}"),
    )
    chunks = [answer.iter_encoded() for answer in (by_token, by_ticket)]
    for each in chunks:
        frames(each, 1)
    ben.call("DELETE", f"/v1/players/{ben.id}/token")
    for each in chunks:
        assert set(each) <= {b": heartbeat\n\n"}
    for answer in (by_token, by_ticket):
        answer.close()
    again = table.client.get(f"{table.path}/stream?ticket={ticket}")
    assert told(again) == (401, "invalid-ticket")
    assert services.players.tokens.holder(token_hash(ben.token)) is None


def test_an_erased_name_vanishes_everywhere_at_once(table: Table) -> None:
    table.sit()
    ben = table.people[1]
    table.people[1].call("DELETE", f"{table.path}/seats/1", headers={"If-Match": "*"})
    assert table.spectator.get(table.path).json["live"]["names"][ben.id] == "Ben"
    ben.call("PATCH", f"/v1/players/{ben.id}", json={"name": None})
    texts = [
        person.get(path).text
        for person in (*table.people, table.spectator)
        for path in (
            table.path,
            f"{table.path}?at=3",
            f"{table.path}/events",
            "/v1/games",
            f"/v1/players/{ben.id}",
        )
    ]
    stream = table.spectator.get(f"{table.path}/stream")
    texts.append(frames(stream.iter_encoded(), 1)[0]["data"])
    stream.close()
    assert not any('"Ben"' in text for text in texts)
    assert table.spectator.get(table.path).json["live"]["names"][ben.id] is None
