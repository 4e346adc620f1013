"""What is kept beside the log, as it is shown: scoresheets, records, the lobby while it lags."""

from typing import Any

import pytest

from events.projections.store import PROJECTIONS, ProjectedGame
from service.services import Services
from tests.service.tables import Table, suits_script
from tests.workers.playing import LATEST
from workers.projections.projector import Projecting


def project(services: Services) -> None:
    """What a worker does with everything that is due."""
    job = Projecting(services.store, services.projections)
    for game, work, _ in services.store.due(2**53):
        if work == "score":
            job.project(game, LATEST)
    assert not [work for _, work, _ in services.store.due(2**53) if work == "score"]


def listed(table: Table, query: str = "", seat: int | None = None) -> list[str]:
    who = table.spectator if seat is None else table.people[seat]
    return [game["id"] for game in who.get(f"/v1/games{query}").json["games"]]


def test_the_scoresheet_of_a_game_shows_each_point(services: Services) -> None:
    table = Table(services, target=1).sit()
    table.play_to_the_end()
    project(services)

    answer = table.spectator.get(f"{table.path}/scoresheet")
    assert answer.status_code == 200
    sheet, view = answer.json, table.view(0)
    assert sheet["version"] == view["version"]
    assert sheet["scores_disagree"] is False
    assert sheet["totals"] == view["totals"]
    assert sheet["outcome"] == view["outcome"]
    [deal] = sheet["deals"]
    for line in deal["lines"]:
        assert {"seat", "points", "reason", "ruling", "versions"} <= set(line)
    assert sum(line["points"] for line in deal["lines"]) == sum(deal["points"])


def test_without_a_scored_deal_there_is_no_scoresheet_yet(services: Services) -> None:
    table = Table(services, target=1).sit()
    project(services)
    answer = table.spectator.get(f"{table.path}/scoresheet")
    assert (answer.status_code, answer.json["code"]) == (404, "not-scored")
    answer = table.spectator.get("/v1/games/nosuch/scoresheet")
    assert (answer.status_code, answer.json["code"]) == (404, "unknown-game")


def test_c22_play_goes_on_without_projections_and_the_sheet_says_how_far_it_is(
    services: Services,
) -> None:
    table = Table(services, target=1).sit()
    versions = []
    while table.waiting_for:
        versions.append(table.step().json["version"])
    assert versions == sorted(set(versions))
    path = f"{table.path}/scoresheet?min_version={versions[-1]}"

    behind = table.spectator.get(path)
    assert (behind.status_code, behind.json["code"]) == (404, "not-scored")
    assert (behind.headers["Retry-After"] in "12345", behind.json["sheet_version"]) == (True, 0)

    project(services)
    assert table.spectator.get(path).json["version"] == versions[-1]
    further = table.spectator.get(f"{table.path}/scoresheet?min_version={versions[-1] + 1}")
    assert further.json["sheet_version"] == versions[-1]
    wrong = table.spectator.get(f"{table.path}/scoresheet?min_version=0")
    assert (wrong.status_code, wrong.json["code"]) == (422, "invalid-query")


def test_a_player_is_shown_with_their_record(services: Services) -> None:
    table = Table(services, target=1).sit()
    ann = table.people[0]
    assert table.spectator.get(f"/v1/players/{ann.id}").json["record"] == {}
    table.play_to_the_end()
    project(services)

    won = [
        table.spectator.get(f"/v1/players/{person.id}").json["record"]["hearts@1"]
        for person in table.people
    ]
    assert all((tally["played"], tally["finished"]) == (1, 1) for tally in won)
    winners = table.view(0)["outcome"]["winners"]
    assert [seat for seat, tally in enumerate(won) if tally["won"]] == winners


def test_scripted_games_count_in_no_record(services: Services) -> None:
    table = Table(services, target=1, script=suits_script()).sit()
    table.play_to_the_end()
    project(services)
    assert table.spectator.get(f"/v1/players/{table.people[0].id}").json["record"] == {}
    assert table.spectator.get(f"{table.path}/scoresheet").json["chance"] == "scripted"


def test_the_lobby_is_the_same_before_and_after_it_is_projected(services: Services) -> None:
    tables = [Table(services), Table(services).sit(), Table(services, target=1).sit()]
    tables[2].play_to_the_end()
    queries = ["", "?status=open", "?status=playing", "?status=finished", "?ruleset=hearts"]

    def all_pages(query: str) -> list[Any]:
        found, cursor = [], ""
        while cursor is not None:
            sign = "&" if query else "?"
            page = (
                tables[0]
                .spectator.get(f"/v1/games{query}{sign}limit=1{cursor and f'&cursor={cursor}'}")
                .json
            )
            found += page["games"]
            cursor = page["next"]
        return found

    before = [all_pages(query) for query in queries]
    project(services)

    assert [all_pages(query) for query in queries] == before
    assert [len(games) for games in before] == [3, 1, 1, 1, 3]


def test_projected_games_are_listed_without_a_look_at_their_logs(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [Table(services), Table(services).sit()]
    project(services)
    monkeypatch.setattr(services.loader, "current", None)
    monkeypatch.setattr(services.store, "read", None)

    assert listed(tables[0]) == [tables[1].game, tables[0].game]
    assert listed(tables[0], "?status=playing") == [tables[1].game]
    assert listed(tables[1], "?mine=true", 2) == [tables[1].game]


def test_a_game_just_opened_or_changed_is_in_every_list_at_once(services: Services) -> None:
    old = Table(services)
    project(services)
    new = Table(services)
    assert listed(new, "?status=open") == [new.game, old.game]
    assert listed(new, "?mine=true", 0) == [new.game]
    old.sit()
    assert listed(new, "?status=open") == [new.game]
    assert listed(new, "?status=playing") == [old.game]
    assert listed(old, "?mine=true", 3) == [old.game]


def test_who_left_a_seat_that_they_may_resume_finds_the_game(services: Services) -> None:
    table = Table(services).sit()
    version = table.view(1)["version"]
    left = table.people[1].call(
        "DELETE", f"{table.path}/seats/1", headers={"If-Match": f'"{version}"'}
    )
    assert left.status_code == 200
    for _ in range(2):
        assert listed(table, "?mine=true", 1) == [table.game]
        project(services)


def test_who_left_before_the_start_does_not(services: Services) -> None:
    table = Table(services)
    seat = f"{table.path}/seats/1"
    table.people[1].call("PUT", seat, json={})
    project(services)
    assert listed(table, "?mine=true", 1) == [table.game]
    table.people[1].call("DELETE", seat, headers={"If-Match": "*"})
    for _ in range(2):
        assert listed(table, "?mine=true", 1) == []
        project(services)


def test_a_game_from_before_there_was_a_lobby_is_listed(services: Services) -> None:
    table = Table(services)
    services.store.clear_due(table.game, "score", 99)
    assert listed(table) == [table.game]


def test_metrics_tell_what_waits_and_what_stands_still(services: Services) -> None:
    table = Table(services, target=1).sit()

    def metrics() -> str:
        text: str = table.client.get("/metrics").text
        return text

    assert 'elsinore_due{work="score"} 1.0' in metrics()

    def broken(history: Any) -> ProjectedGame | None:
        raise ValueError

    bad = dict.fromkeys(PROJECTIONS, broken)
    Projecting(services.store, services.projections, bad).project(table.game, LATEST)
    assert 'elsinore_dead{what="projection"} 3.0' in metrics()
    assert 'elsinore_due{work="score"} 0.0' in metrics()

    project(services)
    assert 'elsinore_dead{what="projection"} 0.0' in metrics()
    assert "elsinore_scores_disagree 0.0" in metrics()
