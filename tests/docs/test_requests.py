"""The requests that the pages show are answered as the pages say."""

import dataclasses
import json
from typing import Any

import pytest

from domain.registry import RULESETS, find
from domain.scores import ScoreLine
from tests.docs.shown import asked
from tests.domain.hamlet_play.given import house
from tests.service.tables import Table, frames, memory_services
from tests.service.test_scoresheet import project


@pytest.fixture
def table() -> Table:
    """Four people at Hearts who have passed, and played some cards: past version 17."""
    table = Table(memory_services()).sit().pass_all()
    while table.view(0)["version"] < 20:
        table.step()
    return table


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
@pytest.mark.parametrize("language", ["en", "ja"])
def test_rules_and_rulings_are_served_in_english_or_japanese(
    table: Table, ruleset: Any, language: str
) -> None:
    path = asked("GET /v1/rulesets/{name}", name=ruleset.name)
    answer = table.spectator.call(*path, headers={"Accept-Language": language})
    assert answer.headers["Content-Language"] == language
    assert answer.json["rules"]
    assert answer.json["rulings"]
    assert any(ord(letter) > 0x3000 for letter in answer.json["rules"]) == (language == "ja")


def test_every_loaded_card_set_is_shown_whole_with_its_digest(table: Table) -> None:
    shown = table.spectator.call(*asked("GET /v1/rulesets/hamlet_play")).json["card_sets"]
    [ours] = [one for one in shown if one["id"] == house().id]
    assert ours["digest"] == house().digest
    assert [one["id"] for one in ours["personae"]] == [one.id for one in house().personae]


def test_the_description_is_a_page_to_look_at(table: Table) -> None:
    method, path = asked("GET /docs")
    answer = table.client.open(path, method=method, follow_redirects=True)
    assert answer.status_code == 200
    assert b"swagger" in answer.data.lower()


def test_a_stream_is_the_whole_view_then_every_entry_and_resumes_without_a_gap(
    table: Table,
) -> None:
    ann = table.people[0]
    with ann.call(*asked("GET /v1/games/{id}/stream", id=table.game)) as stream:
        chunks = stream.iter_encoded()
        [first] = frames(chunks, 1)
        assert json.loads(first["data"])["view"] == table.view(0)
        seen = table.view(0)["version"]
        table.step()
        [entry] = frames(chunks, 1)
        assert (entry["event"], int(entry["id"])) == ("entry", seen + 1)
    table.step()
    latest = table.view(0)["version"]
    resumed = ann.call(
        *asked("GET /v1/games/{id}/stream", id=table.game),
        headers={"Last-Event-ID": entry["id"]},
    )
    with resumed:
        entries = [
            frame
            for frame in frames(resumed.iter_encoded(), latest - seen)
            if frame["event"] == "entry"
        ]
    assert [int(frame["id"]) for frame in entries] == list(range(seen + 2, latest + 1))


def test_a_long_poll_is_the_same_feed_as_json_or_ndjson(table: Table) -> None:
    request = asked("GET …/events?after=17&wait=25", of=table.path)
    page = table.people[0].call(*request).json
    assert [one["version"] for one in page["events"]] == list(range(18, page["version"] + 1))
    lines = table.people[0].call(*request, headers={"Accept": "application/x-ndjson"})
    assert lines.mimetype == "application/x-ndjson"
    assert [json.loads(line) for line in lines.data.splitlines()] == page["events"]


def test_a_move_and_a_look_at_the_past_are_answered(table: Table) -> None:
    seat = table.waiting_for[0]
    person, move = table.people[seat], table.view(seat)["legal_moves"][0]
    method, path = asked("POST /v1/games/{id}/moves", id=table.game)
    assert person.call(method, path, json=move).status_code == 201
    past = person.call(*asked("GET /v1/games/{id}?at=17", id=table.game)).json["view"]
    assert past["version"] == 17


def test_keys_are_served_in_hex_the_one_in_use_first(table: Table) -> None:
    keys = table.spectator.call(*asked("GET /v1/keys")).json["keys"]
    assert keys[0]["id"] == table.opened.json["receipt"]["key"]
    assert all(len(bytes.fromhex(key["public_key"])) == 32 for key in keys)


def test_the_process_answers_and_is_fit_and_is_counted(table: Table) -> None:
    for request in (asked("GET /healthz"), asked("GET /readyz")):
        assert table.spectator.call(*request).status_code == 200
    assert "elsinore_ready 1.0" in table.spectator.call(*asked("GET /metrics")).text


def test_a_scoresheet_has_both_counts_where_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    services = memory_services()
    table = Table(services, target=1).sit()
    table.play_to_the_end()
    wrong = ScoreLine(deal=1, seat=2, points=1, reason="took 2H", ruling="HE-1")
    other = dataclasses.replace(find("hearts@1"), recount=lambda *_: (wrong,))
    monkeypatch.setitem(RULESETS, "hearts@1", other)
    project(services)

    sheet = table.spectator.call(*asked("GET …/scoresheet", of=table.path)).json
    assert sheet["scores_disagree"] is True
    [totals] = [one for one in sheet["disagreements"] if one["what"] == "totals"]
    assert totals["recorded"] == table.view(0)["totals"] != totals["recounted"]
    assert totals["recounted"] == sheet["totals"]


def test_a_game_just_opened_is_never_missing_in_the_lobby() -> None:
    table = Table(memory_services())
    listed = table.spectator.call(*asked("GET /v1/games")).json["games"]
    assert [game["id"] for game in listed] == [table.game]
