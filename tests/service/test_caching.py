"""What never changes is sent once: ETags, 304, and what is compressed."""

import gzip
from typing import Any

import pytest

from service.resources import docs
from tests.service.tables import Answer, Person, Table, memory_services

GZIP = {"Accept-Encoding": "gzip, br"}
PUBLIC = [
    "/v1/rulesets",
    "/v1/rulesets/hearts",
    "/v1/rulesets/hamlet_play",
    "/openapi.yaml",
    "/docs/",
    "/docs/swagger-ui.css",
]
OF_THE_END = ["", "?at=9", "?seat=1", "/events", "/events?after=3&limit=5", "/log"]


@pytest.fixture(scope="module")
def over() -> Table:
    """A game that is finished."""
    table = Table(memory_services(), target=1).sit()
    table.play_to_the_end()
    return table


def again(person: Any, path: str, first: Answer, **headers: str) -> Answer:
    return person.get(path, headers={"If-None-Match": first.headers["ETag"], **headers})


@pytest.mark.parametrize("path", PUBLIC)
def test_what_is_the_same_for_all_is_sent_once(table: Table, path: str) -> None:
    first = table.client.get(path)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-cache"
    second = again(table.client, path, first)
    assert (second.status_code, second.data) == (304, b"")
    assert second.headers["ETag"] == first.headers["ETag"]
    assert second.headers["Vary"] == first.headers["Vary"]
    other = table.client.get(path, headers={"If-None-Match": '"0123456789abcdef"'})
    assert (other.status_code, other.data) == (200, first.data)


def test_rules_in_another_language_are_another_body(table: Table) -> None:
    first = table.client.get("/v1/rulesets/hearts")
    assert again(table.client, "/v1/rulesets/hearts", first, **{"Accept-Language": "ja"}).json


@pytest.mark.parametrize("path", OF_THE_END)
def test_a_finished_game_is_sent_once_to_each(over: Table, path: str) -> None:
    person = over.people[0]
    first = person.get(over.path + path)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first.headers["Vary"]
    second = again(person, over.path + path, first)
    assert (second.status_code, second.data) == (304, b"")
    assert second.headers["ETag"] == first.headers["ETag"]


def test_the_etag_of_what_is_kept_is_for_if_match_too(over: Table) -> None:
    version = over.view(0)["version"]
    for path in ("", "/log", "/events"):
        etag = with_gzip(over.people[0], over.path + path).headers["ETag"]
        assert etag.startswith(f'"{version}-')
        left = over.people[0].call("DELETE", f"{over.path}/seats/0", headers={"If-Match": etag})
        assert (left.status_code, left.json["code"]) == (409, "game-over")
    past = over.people[0].get(f"{over.path}?at=3").headers["ETag"]
    stale = over.people[0].call("DELETE", f"{over.path}/seats/0", headers={"If-Match": past})
    assert (stale.status_code, stale.json["code"]) in {(409, "game-over"), (412, "stale-version")}


def test_a_past_view_is_kept_while_the_game_goes_on(table: Table) -> None:
    table.sit()
    person, path = table.people[0], f"{table.path}?at=3"
    first = person.get(path)
    table.pass_all()
    assert again(person, path, first).status_code == 304
    assert person.get(path).json["live"]["seats"] == []


def test_a_past_view_from_another_seat_is_another_body(table: Table) -> None:
    table.sit().pass_all()
    first = table.people[0].get(f"{table.path}?at=7")
    for other in (table.people[1], table.spectator):
        answer = again(other, f"{table.path}?at=7", first)
        assert answer.status_code == 200
        assert answer.json["view"]["seat"] != first.json["view"]["seat"]


def test_a_name_that_changes_changes_what_is_kept(over: Table) -> None:
    first = over.spectator.get(over.path)
    renamed = over.people[2].call("PATCH", f"/v1/players/{over.people[2].id}", json={"name": "Zoe"})
    assert renamed.status_code == 200
    assert "Zoe" in again(over.spectator, over.path, first).json["live"]["names"].values()


def test_what_goes_on_is_never_kept(table: Table) -> None:
    table.sit()
    for path in (table.path, f"{table.path}/events", "/v1/games", "/v1/keys", "/healthz"):
        for etag in ('"1"', "*"):
            answer = table.people[0].get(path, headers={"If-None-Match": etag})
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/rulesets/nothing", "/docs/nothing", "/docs"])
def test_a_refusal_is_never_kept(table: Table, path: str) -> None:
    answer = table.client.get(path, headers={"If-None-Match": "*"})
    assert answer.status_code in {308, 404}
    assert answer.headers["Cache-Control"] == "no-store"


def test_what_is_kept_is_told_only_to_who_has_a_token(over: Table) -> None:
    answer = over.client.get(f"{over.path}/log", headers={"If-None-Match": "*"})
    assert answer.status_code == 401


def with_gzip(person: Person, path: str) -> Answer:
    """Not by their own call, which reads the body."""
    headers = GZIP | {"Authorization": f"Bearer {person.token}"}
    return person.client.get(path, headers=headers)


def unpacked(answer: Answer) -> bytes:
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
    return gzip.decompress(answer.data)


@pytest.mark.parametrize("path", ["/v1/rulesets/hamlet_play", "/openapi.yaml"])
def test_documents_are_compressed_where_that_is_asked_for(table: Table, path: str) -> None:
    plain, packed = table.client.get(path), table.client.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert unpacked(packed) == plain.data
    assert len(packed.data) < len(plain.data) / 3
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for first in (plain, packed):
        assert again(table.client, path, first, **GZIP).status_code == 304
    for unwanted in ("", "identity", "gzip;q=0", "br"):
        answer = table.client.get(path, headers={"Accept-Encoding": unwanted})
        assert answer.data == plain.data


@pytest.mark.parametrize("path", ["/log", "/events"])
def test_a_finished_game_is_compressed_where_that_is_asked_for(over: Table, path: str) -> None:
    plain = over.spectator.get(over.path + path)
    packed = with_gzip(over.spectator, over.path + path)
    assert unpacked(packed) == plain.data
    assert again(over.spectator, over.path + path, packed, **GZIP).status_code == 304


def test_what_fits_one_packet_goes_as_it_is(table: Table) -> None:
    answer = table.client.get("/docs/index.css", headers=GZIP)
    assert "Content-Encoding" not in answer.headers
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_what_hides_something_is_never_compressed(table: Table, over: Table) -> None:
    """A secret and a text of another's choosing, compressed together, tell by their length."""
    table.sit().pass_all()
    me = f"/v1/players/{table.people[0].id}"
    paths = (table.path, f"{table.path}?at=7", f"{table.path}/events", "/v1/games", me)
    answers = [with_gzip(table.people[0], path) for path in paths]
    answers += [with_gzip(over.people[0], over.path + query) for query in ("", "?at=9", "?seat=2")]
    answers.append(table.client.post("/v1/players", json={"name": "Fay"}, headers=GZIP))
    assert any(len(answer.data) > 4000 for answer in answers)
    for answer in answers:
        assert answer.status_code in {200, 201}
        assert "Content-Encoding" not in answer.headers


def test_every_asset_of_the_documentation_is_there(table: Table) -> None:
    page = table.client.get("/docs/").text
    named = [name for name in docs.ASSETS if f'"./{name}"' in page]
    assert {"swagger-ui.css", "swagger-ui-bundle.js"} <= set(named)
    for name in named:
        assert table.client.get(f"/docs/{name}").status_code == 200
