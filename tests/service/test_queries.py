"""Queries: what is not known, not a number in ASCII digits, or given twice, is refused."""

import pytest

from tests.service.tables import Answer, Table


def told(answer: Answer) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


@pytest.mark.parametrize(
    "query",
    [
        "seta=2",
        "at=2&x=",
        "AT=2",
        "at=%2B2",
        "at=+2",
        "at=2%20",
        "at=1_0",
        "at=%D9%A2",
        "at=0x2",
        "at=2.0",
        "at=",
        "at=1&at=2",
        "at=2&at=2",
        "seat=-0",
        "at=0000000000000000000000000000000000000002",
    ],
)
def test_a_view_is_asked_for_exactly_or_not_at_all(table: Table, query: str) -> None:
    table.sit()
    answer = table.people[0].get(f"{table.path}?{query}")
    assert told(answer) == (422, "invalid-query")
    assert answer.json["errors"]


@pytest.mark.parametrize(
    "address", ["/events?since=3", "/events?after=1&after=2", "/stream?after=3", "/log?all=1"]
)
def test_a_feed_has_no_other_parameters_than_its_own(table: Table, address: str) -> None:
    assert told(table.people[0].get(table.path + address)) == (422, "invalid-query")


def test_a_command_that_reads_no_query_has_none(table: Table) -> None:
    table.sit()
    before = table.view(0)["version"]
    ann = table.people[0]
    calls = [
        ("POST", f"{table.path}/moves?answers=d1.pass"),
        ("PUT", f"{table.path}/seats/0?bot=x"),
    ]
    for method, address in calls:
        assert told(ann.call(method, address, json={})) == (422, "invalid-query")
    left = ann.call("DELETE", f"{table.path}/seats/0?level=easy", headers={"If-Match": "*"})
    assert told(left) == (422, "invalid-query")
    assert table.view(0)["version"] == before


def test_queries_that_fit_are_read(table: Table) -> None:
    table.sit()
    assert table.people[0].view(table.game, "?at=2")["version"] == 2
    assert table.people[0].view(table.game, "?at=02")["version"] == 2
    assert table.people[0].get("/v1/games?mine=true&limit=1").status_code == 200


def test_who_sends_no_token_hears_of_that_before_the_query(table: Table) -> None:
    for address in ("?seta=2", "/events?x=1", "/stream?x=1", "?ticket=elk_x"):
        assert told(table.client.get(table.path + address)) == (401, "missing-token")


@pytest.mark.parametrize("seat", ["%D9%A1", "+1", "1_0", "-1", "9" * 4500])
def test_a_seat_in_a_path_is_in_ascii_digits(table: Table, seat: str) -> None:
    answer = table.people[0].call("PUT", f"{table.path}/seats/{seat}", json={})
    assert answer.status_code == 404
