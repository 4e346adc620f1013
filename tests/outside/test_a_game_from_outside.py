"""A game that was installed: over HTTP, among bots, in replay and audit as one of the house."""

import dataclasses
import random
import re
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate

from domain.game.model import OpenGame, SeatPlan
from domain.registry import RULESETS, register
from events.audit.audit import audit, import_log, lines_of
from events.plugins import load_rulesets
from events.transcript import transcript
from service.cli.composition import Runtime, in_memory
from service.cli.openapi import openapi_yaml
from service.cli.play import play_out
from tests.outside.installing import PAIRS, Shelf
from tests.service.tables import Table, memory_services
from workers.projections.history import read_history
from workers.projections.scoresheet import scoresheet


@pytest.fixture(autouse=True)
def pairs(shelf: Shelf) -> None:
    shelf.install("elsinore-pairs", PAIRS)
    assert load_rulesets() == []


@pytest.fixture
def played() -> tuple[Runtime, str]:
    """A game of four bots, played to its end."""
    runtime = in_memory()
    seats = (SeatPlan(kind="bot", level="normal"),) * 4
    command = OpenGame(opener="p_ann", ruleset="pairs", options={}, seats=seats)
    return runtime, play_out(runtime, command)


def test_it_is_listed_and_described_with_its_rules_in_both_languages() -> None:
    table = Table(memory_services(), ruleset="pairs")
    listed = table.client.get("/v1/rulesets").json["rulesets"]
    assert [one["id"] for one in listed] == [*RULESETS]
    pages = {}
    for language in ("en", "ja"):
        answer = table.client.get("/v1/rulesets/pairs", headers={"Accept-Language": language})
        assert answer.headers["Content-Language"] == language
        pages[language] = answer.json
        assert [ruling["id"] for ruling in answer.json["rulings"]] == ["PA-1", "PA-2"]
    assert pages["en"]["rules"].startswith("# Pairs")
    assert pages["ja"]["rules"].startswith("# ペア")


def test_a_game_that_brings_no_rules_pages_is_described_without_them() -> None:
    register(dataclasses.replace(RULESETS["pairs@1"], package=""))
    table = Table(memory_services(), ruleset="pairs")
    page = table.client.get("/v1/rulesets/pairs").json
    assert (page["rules"], page["rulings"]) == ("", [])


def test_people_play_it_over_http_and_every_answer_is_as_described() -> None:
    table = Table(memory_services(), ruleset="pairs").sit()
    assert table.play_to_the_end(random.Random(1)) == 2 * (4 + 12)
    log = table.people[0].get(f"{table.path}/log").data
    assert audit(lines_of(log)).ok
    view = table.view(1)
    assert view["status"] == "finished"
    assert table.view(1) == table.people[1].view(table.game, f"?at={view['version']}")


def test_a_move_of_its_own_is_told_from_one_of_another_game() -> None:
    table = Table(memory_services(), ruleset="pairs").sit()
    refused = table.people[0].move(table.game, {"answers": "d1.wish", "type": "pass_cards"})
    assert (refused.status_code, refused.json["code"]) == (409, "wrong-move")
    made = table.people[0].move(
        table.game, {"answers": "d1.wish", "type": "pairs.make_wish", "tricks": 1}
    )
    assert made.status_code == 201


def test_bots_play_it_and_its_log_is_judged_and_told(played: tuple[Runtime, str]) -> None:
    runtime, game = played
    log = runtime.reader.log(game)
    assert audit(log).ok
    told = list(transcript(import_log(log)))
    assert told[0] == f"Pairs (pairs@1), game {game}"
    sheet = scoresheet(read_history(runtime.store, game))
    assert sheet is not None
    assert not sheet.scores_disagree


def test_the_description_of_the_api_has_its_shapes_under_names_that_are_words() -> None:
    described: dict[str, Any] = yaml.safe_load(openapi_yaml())
    validate(described)
    schemas = described["components"]["schemas"]
    assert schemas["View"]["discriminator"]["mapping"]["pairs@1"].endswith("/PairsView")
    assert "pairs.make_wish" in schemas["Move"]["discriminator"]["mapping"]
    assert all(re.fullmatch("[A-Z][A-Za-z]+", name) for name in schemas)
