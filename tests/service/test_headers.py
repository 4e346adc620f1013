"""Versions, conditions, origins, and what every answer carries."""

import re

import pytest

from tests.service.tables import ORIGIN, Table, some_move


def test_views_and_answers_have_their_version_as_etag(table: Table) -> None:
    table.sit()
    assert table.opened.headers["ETag"] == '"1"'
    view = table.people[0].get(table.path)
    assert view.headers["ETag"] == f'"{view.json["view"]["version"]}"'
    past = table.people[0].get(f"{table.path}?at=2", headers={"If-None-Match": '"2"'})
    assert (past.status_code, past.headers["ETag"][:3]) == (200, '"2-')


@pytest.mark.parametrize("shape", ['"{}"', 'W/"{}"', "*", ' "{}" '])
def test_if_match_is_honoured(table: Table, shape: str) -> None:
    table.sit()
    version = table.view(0)["version"]
    headers = {"If-Match": shape.format(version)}
    answer = table.people[0].post(f"{table.path}/moves", some_move(table.view(0)), headers=headers)
    assert answer.status_code == 201


@pytest.mark.parametrize("given", ["17", '"abc"', '""', '"1", "2"', '"-1"', '"01"', '"1" x'])
def test_if_match_that_is_no_version_is_malformed(table: Table, given: str) -> None:
    table.sit()
    answer = table.people[0].post(
        f"{table.path}/moves", some_move(table.view(0)), headers={"If-Match": given}
    )
    assert (answer.status_code, answer.json["code"]) == (400, "bad-if-match")


def test_a_stale_if_match_is_told_the_current_version(table: Table) -> None:
    table.sit()
    answer = table.people[0].post(
        f"{table.path}/moves", some_move(table.view(0)), headers={"If-Match": '"3"'}
    )
    assert (answer.status_code, answer.json["code"]) == (412, "stale-version")
    assert answer.json["current_version"] == table.view(0)["version"]


@pytest.mark.parametrize("key", ["", " ", "a b", "ä", "x" * 129])
def test_idempotency_keys_are_visible_ascii(table: Table, key: str) -> None:
    answer = table.people[0].call("PUT", f"{table.path}/seats/0", headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json["code"]) == (400, "bad-idempotency-key")


def test_cors_is_on_every_status(table: Table) -> None:
    table.sit()
    person, origin = table.people[0], {"Origin": ORIGIN}
    answers = [
        person.get(table.path, headers=origin),
        person.get("/v1/nothing", headers=origin),
        person.get(f"{table.path}/log", headers=origin),
        person.call("PUT", "/v1/games", headers=origin),
        person.post(f"{table.path}/moves", [], headers=origin),
        table.client.get(table.path, headers=origin),
        table.client.post(
            "/v1/players", data=b"{", content_type="application/json", headers=origin
        ),
        person.get("/healthz", headers=origin),
    ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200, 404, 409, 405, 422, 401, 400, 200]
    for answer in answers:
        assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
        assert "Origin" in answer.headers["Vary"]
        assert answer.headers["Cache-Control"] == "no-store"
        assert len(answer.headers["X-Correlation-Id"]) == 16


def test_a_preflight_is_answered_for_configured_origins_only(table: Table) -> None:
    asks = {"Access-Control-Request-Method": "PUT"}
    allowed = table.client.options(f"{table.path}/seats/0", headers=asks | {"Origin": ORIGIN})
    assert allowed.status_code == 204
    assert "If-Match" in allowed.headers["Access-Control-Allow-Headers"]
    assert "PUT" in allowed.headers["Access-Control-Allow-Methods"]
    other = table.client.options(
        f"{table.path}/seats/0", headers=asks | {"Origin": "https://evil.example"}
    )
    assert "Access-Control-Allow-Origin" not in other.headers
    assert "Access-Control-Allow-Methods" not in other.headers


def test_the_correlation_id_is_ours(table: Table) -> None:
    answer = table.people[0].get(table.path, headers={"X-Correlation-Id": "theirs"})
    assert answer.headers["X-Correlation-Id"] != "theirs"
    sat = table.people[0].call("PUT", f"{table.path}/seats/0", json={})
    assert sat.json["events"][0]["correlation"] == sat.headers["X-Correlation-Id"]


def test_the_documentation_calls_nobody_else(table: Table) -> None:
    page = table.client.get("/docs/", headers={"Host": "evil.example"})
    assert page.status_code == 200
    assert '"validatorUrl": null' in page.text
    assert "evil.example" not in page.text
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page.text)


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/docs", "/docs/"),
        ("/docs?a=1", "/docs/?a=1"),
        ("//docs", "/docs/"),
        ("/v1//keys", "/v1/keys"),
        ("//v1///keys", "/v1/keys"),
    ],
)
def test_a_redirect_stays_in_the_house(table: Table, address: str, leads_to: str) -> None:
    path, _, query = address.partition("?")
    environ = {"PATH_INFO": path, "QUERY_STRING": query, "HTTP_HOST": "evil.example"}
    answer = table.client.open(path="/", environ_overrides=environ)
    assert answer.status_code == 308
    assert answer.headers["Location"] == leads_to
    assert answer.headers["Cache-Control"] == "no-store"
