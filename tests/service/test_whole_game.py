"""A game of Hearts from its opening to its log, over HTTP."""

import json
import random

import msgspec

from events.receipts import Receipt, is_signed
from service.services import Services
from tests.service.tables import Table


def test_a_whole_game_of_hearts_is_played_replayed_and_downloaded(services: Services) -> None:
    table = Table(services, target=30)
    table.sit()
    moves = table.play_to_the_end(random.Random(1))
    view = table.view(0)
    assert moves >= 56
    assert view["status"] == "finished"
    assert view["to_act"] == {}
    assert max(view["totals"]) >= 30
    assert view["outcome"]["standings"]["totals"] == view["totals"]
    log = table.spectator.get(f"{table.path}/log")
    lines = [json.loads(line) for line in log.text.splitlines()]
    assert [line["version"] for line in lines] == list(range(1, view["version"] + 1))
    assert lines[-1]["digest"] == view["digest"]
    assert lines[0]["known"][0]["path"] == "/root"


def test_the_view_at_a_past_version_is_what_was_shown_then(services: Services) -> None:
    table = Table(services, target=1).sit().pass_all()
    shown: dict[int, bytes] = {}
    for _ in range(8):
        view = table.view(2)
        shown[view["version"]] = msgspec.json.encode(view)
        table.step()
    for version, then in shown.items():
        assert msgspec.json.encode(table.people[2].view(table.game, f"?at={version}")) == then


def test_other_seats_views_open_when_the_game_is_finished(services: Services) -> None:
    table = Table(services, target=1).sit().pass_all()
    refused = table.spectator.get(f"{table.path}?seat=2")
    assert (refused.status_code, refused.json["code"]) == (409, "not-finished")
    version = table.view(2)["version"]
    then = table.view(2)
    table.play_to_the_end()
    assert table.spectator.view(table.game, f"?at={version}&seat=2")["hand"] == then["hand"]


def test_the_log_is_closed_while_the_game_goes_on(table: Table) -> None:
    answer = table.sit().people[0].get(f"{table.path}/log")
    assert (answer.status_code, answer.json["code"]) == (409, "not-finished")


def test_receipts_are_signed_with_a_served_key(table: Table) -> None:
    sat = table.people[0].call("PUT", f"{table.path}/seats/0", json={})
    keys = {key["id"]: key["public_key"] for key in table.client.get("/v1/keys").json["keys"]}
    receipt = msgspec.convert(sat.json["receipt"], Receipt)
    assert is_signed(receipt, keys)
    assert receipt.digest == sat.json["events"][-1]["digest"]


def test_events_are_the_bytes_of_the_log(services: Services) -> None:
    table = Table(services).sit()
    body = table.spectator.get(f"{table.path}/events").data
    for entry in services.store.read(table.game):
        assert entry.public[:-1] in body


def test_the_opener_closes_a_table_before_it_starts(table: Table) -> None:
    refused = table.people[1].call("DELETE", table.path)
    assert (refused.status_code, refused.json["code"]) == (403, "not-the-opener")
    closed = table.people[0].call("DELETE", table.path)
    assert closed.status_code == 200
    assert table.spectator.view(table.game)["status"] == "finished"
    assert table.people[0].call("DELETE", table.path).json["code"] == "game-over"


def test_a_person_leaves_and_another_sits_down(table: Table) -> None:
    ann, ben = table.people[:2]
    seat = f"{table.path}/seats/1"
    version = ben.call("PUT", seat, json={}).json["version"]
    assert ben.call("DELETE", seat).json["code"] == "if-match-required"
    stale = ben.call("DELETE", seat, headers={"If-Match": '"1"'})
    assert (stale.status_code, stale.json["current_version"]) == (412, version)
    left = ben.call("DELETE", seat, headers={"If-Match": f'"{version}"'})
    assert left.status_code == 200
    assert ann.view(table.game)["seats"][1]["kind"] == "open"
    assert table.people[2].call("PUT", seat, json={}).status_code == 200


def test_entropy_is_frozen_into_the_start(table: Table) -> None:
    entropies = ["ab" * 16, None, "cd" * 64, None]
    for seat, entropy in enumerate(entropies):
        body = {"entropy": entropy} if entropy else None
        options = {"json": body} if body else {}
        sat = table.people[seat].call("PUT", f"{table.path}/seats/{seat}", **options)
        assert sat.status_code == 200, sat.text
    feed = table.spectator.get(f"{table.path}/events").json["events"]
    started = next(e for e in feed if e["type"] == "game.started")
    assert started["data"]["entropy"] == entropies


def test_the_opener_puts_bots_into_open_seats(table: Table) -> None:
    ann, ben = table.people[:2]
    seat = f"{table.path}/seats/3"
    assert ben.call("PUT", seat, json={"bot": "easy"}).json["code"] == "not-the-opener"
    assert ann.call("PUT", seat, json={"bot": "easy"}).status_code == 200
    assert ann.view(table.game)["seats"][3] == {
        "seat": 3, "kind": "bot", "player": None, "level": "easy", "former": None
    }  # fmt: skip
