"""Bodies that are no JSON, too large, or of another kind; names of people."""

import pytest

from service.services import Services
from tests.service.tables import Person, Table

NOT_JSON = [
    b"",
    b"{",
    b"{'name': 'Ann'}",
    b'{"name": NaN}',
    b'{"name": "\xff"}',
    b'{"name": "\\ud800"}',
    b"[" * 30_000,
    b'{"a":' * 10_000,
    b'{"name": "Ann"} x',
    b'{"name": Infinity}',
]


@pytest.mark.parametrize("body", NOT_JSON, ids=range(len(NOT_JSON)))
@pytest.mark.parametrize("path", ["/v1/players", "moves"])
def test_what_is_not_json_is_a_400(table: Table, body: bytes, path: str) -> None:
    table.sit()
    url = f"{table.path}/moves" if path == "moves" else path
    answer = table.people[0].call("POST", url, data=body, content_type="application/json")
    assert (answer.status_code, answer.json["code"]) == (400, "not-json")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_of_another_kind_is_a_415(table: Table, kind: str) -> None:
    table.sit()
    for url in ("/v1/players", f"{table.path}/moves"):
        answer = table.people[0].call("POST", url, data=b'{"name": "Ann"}', content_type=kind)
        assert (answer.status_code, answer.json["code"]) == (415, "unsupported-media-type")


def test_a07_a_body_beyond_the_limit_is_a_413(table: Table) -> None:
    table.sit()
    large = b'{"name": "%b"}' % (b"x" * 65_536)
    for url in ("/v1/players", f"{table.path}/moves", f"{table.path}/seats/1"):
        method = "PUT" if url.endswith("1") else "POST"
        answer = table.people[0].call(method, url, data=large, content_type="application/json")
        assert (answer.status_code, answer.json["code"]) == (413, "body-too-large")
    script = b'{"ruleset": "hearts", "x": "%b"}' % (b"x" * 100_000)
    opened = table.people[0].call("POST", "/v1/games", data=script, content_type="application/json")
    assert (opened.status_code, opened.json["code"]) == (422, "invalid-body")
    huge = table.people[0].call(
        "POST", "/v1/games", data=script * 3, content_type="application/json"
    )
    assert huge.status_code == 413


def test_what_does_not_fit_is_told_by_field(table: Table) -> None:
    answer = table.people[0].post("/v1/games", {"seats": ["you"], "x": 1})
    assert set(answer.json["errors"]) == {"ruleset", "seats", "x"}
    entropy = table.people[0].call("PUT", f"{table.path}/seats/0", json={"entropy": "AB" * 16})
    assert list(entropy.json["errors"]) == ["entropy"]
    both = {"entropy": "ab" * 16, "bot": "easy"}
    assert table.people[0].call("PUT", f"{table.path}/seats/1", json=both).status_code == 422
    query = table.people[0].get(f"{table.path}/events?wait=61&after=-1")
    assert set(query.json["errors"]) == {"wait", "after"}


@pytest.mark.parametrize(
    ("given", "name"),
    [("Ann", "Ann"), ("  Ann  ", "Ann"), ("A\u030a", "\u00c5"), ("x" * 40, "x" * 40), ("名", "名")],
)
def test_names_are_trimmed_and_composed(table: Table, given: str, name: str) -> None:
    made = table.client.post("/v1/players", json={"name": given})
    assert made.json["name"] == name


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\nb", "a\x00", "a\u202eb", None, 7, ["a"]])
def test_names_that_do_not_fit(table: Table, name: object) -> None:
    answer = table.client.post("/v1/players", json={"name": name})
    assert (answer.status_code, answer.json["code"]) == (422, "invalid-body")


def test_a_name_is_changed_and_erased_by_its_owner_only(services: Services) -> None:
    table = Table(services).sit()
    ann, ben = table.people[:2]
    record = f"/v1/players/{ann.id}"
    assert ben.call("PATCH", record, json={"name": "Eve"}).json["code"] == "not-yourself"
    assert ann.call("PATCH", record, json={"name": "Anna"}).json == {"id": ann.id, "name": "Anna"}
    assert table.spectator.get(table.path).json["live"]["names"][ann.id] == "Anna"
    assert ann.call("PATCH", record, json={"name": None}).json["name"] is None
    assert ben.get(record).json == {"id": ann.id, "name": None, "record": {}}
    assert b"Anna" not in b"".join(entry.public for entry in services.store.read(table.game))


def test_a_token_is_shown_once(table: Table) -> None:
    person = Person(table.client, "Fay")
    assert person.token not in person.get(f"/v1/players/{person.id}").text
