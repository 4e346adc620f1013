"""The list of games, page by page, and the pages of the rule sets."""

import re
from typing import Any

import pytest

from domain.registry import RULESETS
from events.errors import LogMissing
from events.log.loader import Loaded, Loader
from events.projections.lobby import Lobby, Wanted
from events.redis.health import HealthIssue
from service.http.schemas.answers import Ruling
from service.openapi.rulesets import rulings
from service.services import Services
from service.settings import InvalidSetting, Settings
from tests.service.tables import Table, memory_services


def listed(table: Table, query: str = "") -> list[str]:
    return [game["id"] for game in table.spectator.get(f"/v1/games{query}").json["games"]]


def test_games_are_listed_newest_first_in_pages(services: Services) -> None:
    tables = [Table(services) for _ in range(5)]
    newest = [table.game for table in reversed(tables)]
    assert listed(tables[0]) == newest
    found, cursor = [], ""
    while cursor is not None:
        page = tables[0].spectator.get(f"/v1/games?limit=2{cursor and f'&cursor={cursor}'}").json
        found += [game["id"] for game in page["games"]]
        cursor = page["next"]
    assert found == newest


def test_games_are_filtered(services: Services) -> None:
    waiting, playing = Table(services), Table(services).sit()
    finished = Table(services, target=1).sit()
    finished.play_to_the_end()
    assert listed(waiting, "?status=open") == [waiting.game]
    assert listed(waiting, "?status=playing&ruleset=hearts") == [playing.game]
    assert listed(waiting, "?status=finished&ruleset=hearts@1") == [finished.game]
    assert listed(waiting, "?ruleset=whist") == []
    assert listed(waiting, "?mine=true") == []
    mine = playing.people[3].get("/v1/games?mine=true").json["games"]
    assert [game["id"] for game in mine] == [playing.game]


@pytest.mark.parametrize("query", ["cursor=zz", "cursor=", "limit=0", "status=x", "mine=perhaps"])
def test_queries_that_do_not_fit(table: Table, query: str) -> None:
    answer = table.spectator.get(f"/v1/games?{query}")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid-query")


def test_a_game_whose_log_is_missing_does_not_take_the_lobby_down(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, kept = Table(services), Table(services)
    load = services.loader.current

    def current(game_id: str) -> Any:
        if game_id == lost.game:
            raise LogMissing(game_id)
        return load(game_id)

    monkeypatch.setattr(services.loader, "current", current)
    assert listed(kept) == [kept.game]


class Counting(Loader):
    """Counts the games that it has to read."""

    loads = 0

    def current(self, game_id: str) -> Loaded:
        self.loads += 1
        return super().current(game_id)


def lobby_of(services: Services) -> tuple[Lobby, Counting]:
    loader = Counting(services.store)
    return Lobby(services.store, services.projections, loader), loader


def test_a_game_behind_its_log_is_read_once_for_each_append_that_shows(services: Services) -> None:
    tables = [Table(services) for _ in range(9)]
    lobby, loader = lobby_of(services)
    for wanted in (Wanted(), Wanted(), Wanted(ruleset="hearts"), Wanted(status="open")):
        rows, _ = lobby.page(wanted, None, 50)
        assert [row.game for row in rows] == [table.game for table in reversed(tables)]
        assert loader.loads == 9
    tables[4].people[1].call("PUT", f"{tables[4].path}/seats/1", json={})
    rows, _ = lobby.page(Wanted(), None, 50)
    assert rows[4].seats[1].player == tables[4].people[1].id
    assert loader.loads == 10


def test_a_page_reads_few_games_that_nobody_has_projected(services: Services) -> None:
    tables = [Table(services) for _ in range(50)]
    for table in tables:
        services.store.clear_due(table.game, "score", 99)
    lobby, loader = lobby_of(services)
    found: list[str] = []
    cursor, pages = None, 0
    while pages == 0 or cursor is not None:
        rows, cursor = lobby.page(Wanted(ruleset="hearts"), cursor, 100)
        found += [row.game for row in rows]
        pages += 1
        assert loader.loads <= 20 * pages
    assert found == [table.game for table in reversed(tables)]
    assert pages == 3


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_a_rule_set_tells_its_moves_events_and_their_visibility(
    table: Table, ruleset_id: str
) -> None:
    ruleset = RULESETS[ruleset_id]
    page = table.spectator.get(f"/v1/rulesets/{ruleset_id}").json
    assert page["seats"] == list(ruleset.seat_counts)
    assert len(page["moves"]) == len(ruleset.moves)
    for event in page["events"]:
        assert set(event["visibility"]) | {"type"} == set(
            event["json_schema"]["$defs"][event["json_schema"]["$ref"].rsplit("/", 1)[1]][
                "properties"
            ]
        )
    assert table.client.get("/v1/rulesets").json["rulesets"][0]["id"] in RULESETS


def test_hands_are_declared_as_each_seats_own(table: Table) -> None:
    page = table.client.get("/v1/rulesets/hearts").json
    dealt = next(event for event in page["events"] if event["type"] == "hearts.dealt")
    assert dealt["visibility"]["hands"] == {"to": "each-seat", "until": "draw"}
    assert dealt["visibility"]["deal"] == {"to": "everyone"}


def test_rulings_are_the_sections_whose_heading_is_their_number(table: Table) -> None:
    text = "# Rules\n\n### HE-1: a lead\n\nA leader\nleads QS.\n\n### HE-2\nA heart.\n## End\n"
    assert rulings(text) == (
        Ruling(id="HE-1", title="a lead", text="A leader leads QS."),
        Ruling(id="HE-2", title="", text="A heart."),
    )
    page = table.client.get("/v1/rulesets/hearts").json
    assert [ruling["id"] for ruling in page["rulings"]] == [f"HE-{n}" for n in range(1, 8)]
    assert page["rules"].startswith("# Hearts")


def test_c09_readiness_says_what_is_wrong_with_the_server() -> None:
    services = memory_services()
    table = Table(services)
    assert table.client.get("/readyz").json == {"ready": True, "problems": []}
    problem = HealthIssue("evicting", "maxmemory-policy is allkeys-lru.", fatal=True)
    object.__setattr__(services, "health", lambda: [problem])
    answer = table.client.get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "not-ready")
    assert answer.json["problems"][0]["name"] == "evicting"


def test_metrics_count_commands_refusals_and_streams(table: Table) -> None:
    table.sit()
    table.people[0].get("/v1/games/nosuch")
    text = table.client.get("/metrics").text
    assert 'elsinore_commands_total{command="sit"} 4.0' in text
    assert 'elsinore_refusals_total{code="unknown-game"} 1.0' in text
    assert "elsinore_streams_open 0.0" in text


def test_the_documentation_is_served_from_here(table: Table) -> None:
    page = table.client.get("/docs/")
    assert page.status_code == 200
    assert "/openapi.yaml" in page.text
    elsewhere = re.findall(r"https?://(?!localhost/)|[\"']//", page.text)
    assert elsewhere == []
    with table.client.get("/docs/swagger-ui-bundle.js") as asset:
        assert asset.status_code == 200


def test_settings_come_from_the_environment() -> None:
    settings = Settings.read(
        {"ELSINORE_CORS_ORIGINS": "https://a https://b", "ELSINORE_STREAMS": "7"}
    )
    assert settings.cors_origins == {"https://a", "https://b"}
    assert (settings.streams, settings.body_limit) == (7, 65536)
    for wrong in ({"ELSINORE_STREAMS": "many"}, {"ELSINORE_ALLOW_VOLATILE": "perhaps"}):
        with pytest.raises(InvalidSetting):
            Settings.read(wrong)
