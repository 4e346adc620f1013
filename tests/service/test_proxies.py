"""Below a path of somebody else's server: links, places, the description, addresses of clients."""

from typing import Any

import pytest
import yaml

from service.app import create_app
from service.settings import Settings
from tests.service.tables import Person, Table, memory_services

NEAREST = Settings(trusted_proxies=1, heartbeat=0.001)
PREFIX = {"X-Forwarded-Prefix": "/games/elsinore"}


def client_of(settings: Settings) -> Any:
    return create_app(memory_services(settings=settings)).test_client()


def places(client: Any, prefix: str = "", **headers: str) -> set[str]:
    """Everything that the service says where it is."""
    made = client.post(f"{prefix}/v1/players", json={"name": "Ann"}, headers=headers)
    assert made.status_code == 201
    token = {"Authorization": f"Bearer {made.json['token']}"} | headers
    body = {"ruleset": "hearts", "seats": ["me", "open", "open", "open"]}
    opened = client.post(f"{prefix}/v1/games", json=body, headers=token)
    listed = client.get(f"{prefix}/v1/games", headers=token).json["games"][0]
    rules = client.get(f"{prefix}/v1/rulesets", headers=headers).json["rulesets"]
    hearts = client.get(f"{prefix}/v1/rulesets/hearts", headers=headers).json
    found = {made.headers["Location"], opened.headers["Location"], hearts["links"]["self"]}
    for links in (opened.json["live"]["links"], listed["links"], *(one["links"] for one in rules)):
        found |= set(links.values())
    found.add(client.get(f"{prefix}/docs", headers=headers).headers["Location"])
    return found


@pytest.mark.parametrize("asked", ["", "/games/elsinore"], ids=["cut off", "left on"])
def test_below_a_prefix_by_setting(asked: str) -> None:
    client = client_of(Settings(path_prefix="/games/elsinore"))
    found = places(client, asked)
    assert len(found) > 10
    assert all(
        place.startswith(("/games/elsinore/v1/", "/games/elsinore/docs/")) for place in found
    )


def test_below_the_prefix_that_a_trusted_proxy_names() -> None:
    client = client_of(NEAREST)
    assert all(place.startswith("/games/elsinore/") for place in places(client, **PREFIX))
    assert all(place.startswith(("/v1/", "/docs/")) for place in places(client))


def test_a_prefix_from_anybody_else_is_not_believed() -> None:
    assert all(
        place.startswith(("/v1/", "/docs/")) for place in places(client_of(Settings()), **PREFIX)
    )


@pytest.mark.parametrize("prefix", ["//evil.example", "https://evil.example", "/a b", '/"x', "x"])
def test_a_prefix_that_is_no_path_is_left_out(prefix: str) -> None:
    found = places(client_of(NEAREST), **{"X-Forwarded-Prefix": prefix})
    assert all(place.startswith(("/v1/", "/docs/")) for place in found)


def test_the_description_says_where_it_is_served() -> None:
    def servers(client: Any, **headers: str) -> Any:
        return yaml.safe_load(client.get("/openapi.yaml", headers=headers).text).get("servers")

    client = client_of(NEAREST)
    assert servers(client, **PREFIX) == [{"url": "/games/elsinore"}]
    assert servers(client) is None
    assert servers(client_of(Settings(path_prefix="/x"))) == [{"url": "/x"}]


def test_the_documentation_names_no_place_of_its_own() -> None:
    page = client_of(Settings(path_prefix="/x")).get("/x/docs/").text
    assert '"url": "../openapi.yaml"' in page
    assert 'src="./swagger-ui-bundle.js"' in page
    assert 'href="/' not in page


def test_where_the_result_of_a_game_is_lies_below_the_prefix() -> None:
    table = Table(memory_services(settings=Settings(path_prefix="/x", heartbeat=0.001)), target=1)
    table.sit().play_to_the_end()
    told = table.people[0].move(table.game, {"answers": "d1.t1", "type": "play_card", "card": "2C"})
    assert (told.json["code"], told.json["result"]) == ("game-over", f"/x{table.path}")


def test_addresses_are_told_apart_behind_a_proxy_that_is_trusted() -> None:
    limited = Settings(limit_registrations="1/hour", trusted_proxies=1)
    client = client_of(limited)

    def register(client: Any, forwarded: str) -> int:
        headers = {"X-Forwarded-For": forwarded}
        return int(client.post("/v1/players", json={"name": "A"}, headers=headers).status_code)

    assert register(client, "192.0.2.1") == register(client, "192.0.2.2") == 201
    assert register(client, "198.51.100.9, 192.0.2.1") == 429, "what is before it anybody may write"
    direct = client_of(Settings(limit_registrations="1/hour"))
    assert [register(direct, "192.0.2.1"), register(direct, "192.0.2.2")] == [201, 429]


def test_a_path_that_only_begins_like_the_prefix_is_another() -> None:
    client = client_of(Settings(path_prefix="/v"))
    assert Person(client, "Ann").get("/v1/games").status_code == 200
    assert client.get("/vx/healthz").status_code == 404
