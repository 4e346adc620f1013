"""Pages, NDJSON, long polls and streams, on one numbering."""

import json
import threading
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from events.errors import Busy
from service.live.sse import Openings, StreamLimit, opening
from service.problems.problem import Problem
from service.retries import Retries
from service.services import Services
from service.settings import Settings
from tests.service.tables import Answer, Person, Table, frames, memory_services


def test_pages_of_the_feed_join_without_a_gap(table: Table) -> None:
    table.sit().pass_all()
    whole = table.people[0].get(f"{table.path}/events").json
    after, found = 0, []
    while page := table.people[0].get(f"{table.path}/events?after={after}&limit=3").json["events"]:
        assert len(page) <= 3
        found += page
        after = page[-1]["version"]
    assert found == whole["events"]
    assert whole["version"] == after == table.view(0)["version"]


def test_the_version_of_a_feed_is_where_to_go_on(table: Table) -> None:
    table.sit()
    version = table.view(0)["version"]

    def told(after: int) -> int:
        return table.people[0].get(f"{table.path}/events?after={after}").json["version"]

    assert [told(0), told(version - 1), told(version), told(10**9)] == [version] * 4


def test_ndjson_has_the_same_lines(table: Table) -> None:
    table.sit()
    url = f"{table.path}/events?after=2"
    lines = table.people[1].get(url, headers={"Accept": "application/x-ndjson"})
    assert lines.mimetype == "application/x-ndjson"
    plain = table.people[1].get(url)
    body = b",".join(lines.data.splitlines())
    assert plain.data.startswith(b'{"version":%d,"events":[%b]}' % (plain.json["version"], body))


def test_the_feed_is_the_same_at_any_time(services: Services) -> None:
    table = Table(services, target=1).sit()
    version = table.view(1)["version"]
    before = table.people[1].get(f"{table.path}/events").json["events"]
    table.play_to_the_end()
    after = table.people[1].get(f"{table.path}/events?limit={version}").json["events"]
    assert after == before


def test_a_long_poll_answers_when_something_comes(table: Table) -> None:
    table.sit()
    version = table.view(0)["version"]
    answers: list[int] = []

    def poll() -> None:
        url = f"{table.path}/events?after={version}&wait=60"
        answers.append(table.spectator.get(url).json["version"])

    waiting = threading.Thread(target=poll)
    waiting.start()
    table.step()
    waiting.join(30)
    assert answers == [version + 1]


def test_a_long_poll_without_news_is_empty() -> None:
    table = Table(memory_services(settings=Settings(longest_wait=0.001))).sit()
    version = table.view(0)["version"]
    answer = table.people[0].get(f"{table.path}/events?after={version}&wait=60")
    assert answer.json == {"version": version, "events": []}


def stream(
    table: Table, person: Person, resume: str | None = None
) -> tuple[Answer, Iterator[bytes]]:
    headers = {} if resume is None else {"Last-Event-ID": resume}
    answer = person.get(f"{table.path}/stream", headers=headers)
    assert answer.mimetype == "text/event-stream"
    return answer, answer.iter_encoded()


def without_times(shown: dict[str, Any]) -> dict[str, Any]:
    for seat in shown["live"]["seats"]:
        seat["last_seen"] = seat["last_seen"] and "then"
    return shown


def test_a_stream_begins_with_the_view_and_goes_on_with_entries(table: Table) -> None:
    table.sit()
    ben = table.people[1]
    answer, chunks = stream(table, ben)
    first = frames(chunks, 1)[0]
    shown = ben.get(table.path).json
    assert (first["event"], first["id"]) == ("view", str(shown["view"]["version"]))
    assert without_times(json.loads(first["data"])) == without_times(shown)
    table.pass_all()
    news = frames(chunks, 5)
    assert [int(n["id"]) for n in news] == list(range(shown["view"]["version"] + 1, 13))
    feed = ben.get(f"{table.path}/events?after={shown['view']['version']}").json["events"]
    assert [json.loads(n["data"]) for n in news] == feed
    answer.close()


def test_b09_a_stream_resumes_without_a_gap_from_every_version(table: Table) -> None:
    table.sit().pass_all()
    lines = table.people[2].get(f"{table.path}/events").json["events"]
    for last in range(1, len(lines)):
        answer, chunks = stream(table, table.people[2], str(last))
        found = frames(chunks, 1 + len(lines) - last)
        answer.close()
        assert found.pop(0)["event"] == "live"
        assert [json.loads(f["data"]) for f in found] == lines[last:]
        assert [f["event"] for f in found] == ["entry"] * len(found)


@pytest.mark.parametrize("resume", ["", "x", "-1", "0", "999", "1.5", "\u0661", "9" * 30])
def test_b09_a_resume_that_cannot_be_honoured_is_reset(table: Table, resume: str) -> None:
    table.sit()
    begun, version = opening(7, resume, b"{}", b"{}", 1500)
    assert version == 7
    assert begun.count(b"event: reset\n") == begun.count(b"event: view\n") == 1
    if resume.isascii():
        answer, chunks = stream(table, table.people[0], resume)
        assert [f["event"] for f in frames(chunks, 2)] == ["reset", "view"]
        answer.close()


def test_a_quiet_stream_has_heartbeats(table: Table) -> None:
    answer, chunks = stream(table, table.people[0])
    assert list(islice(chunks, 1, 4)) == [b": heartbeat\n\n"] * 3
    answer.close()


def test_a_stream_ends_itself_when_the_service_goes_down(services: Services) -> None:
    table = Table(services)
    answer, chunks = stream(table, table.people[0])
    next(chunks)
    services.notifier.close()
    assert [chunk for chunk in chunks if chunk != b": heartbeat\n\n"] == []
    answer.close()
    again = table.people[0].get(f"{table.path}/stream")
    assert (again.status_code, again.json["code"]) == (503, "not-ready")
    assert table.client.get("/readyz").status_code == 503


def test_b21_streams_are_bounded_for_each_player(services: Services) -> None:
    table = Table(services).sit()
    opened = [stream(table, table.people[0]) for _ in range(3)]
    refused = table.people[0].get(f"{table.path}/stream")
    assert (refused.status_code, refused.json["code"]) == (429, "too-many-streams")
    assert refused.json["limit"] == "streams-per-player"
    assert int(refused.headers["Retry-After"]) > 0
    table.pass_all()
    for _, chunks in opened:
        assert [f["event"] for f in frames(chunks, 6)] == ["view"] + ["entry"] * 5
    for answer, _ in opened:
        answer.close()
    assert services.limit.total == 0
    answer, _ = stream(table, table.people[0])
    answer.close()


def test_b21_streams_are_bounded_in_all() -> None:
    limit = StreamLimit(2, 2, retries=Retries(lambda: 0.99))
    leave = limit.enter("ann")
    limit.enter("ben")
    with pytest.raises(Problem) as refused:
        limit.enter("cid")
    assert refused.value.facts == {"limit": "streams", "retry_after": 5}
    leave()
    leave()
    assert limit.total == 1
    limit.enter("cid")


def test_e14_streams_are_opened_few_at_a_time() -> None:
    openings = Openings(at_once=2, patience=0.01)
    with openings.turn():
        with openings.turn(), pytest.raises(Busy), openings.turn():
            raise AssertionError("the third has no turn")
        with openings.turn():
            pass


def test_streams_of_nobody_and_of_nothing(table: Table) -> None:
    assert table.client.get(f"{table.path}/stream").status_code == 401
    assert table.people[0].get("/v1/games/nosuch/stream").status_code == 404


def test_the_view_is_a_function_of_the_log_and_the_viewer(services: Services) -> None:
    table = Table(services).sit().pass_all()
    fresh = memory_services(store=services.store, players=services.players)
    for person in (*table.people, table.spectator):
        views = [r.view(table.game, person.id) for r in (services.reader, fresh.reader)]
        assert msgspec.json.encode(views[0]) == msgspec.json.encode(views[1])
