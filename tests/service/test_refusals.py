"""What is refused: by which status, which code, and with what a client needs to go on."""

import ast
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import Move
from domain.registry import RULESETS
from events import errors
from service.cli.openapi import openapi_yaml
from service.problems.codes import CODES
from service.services import Services
from tests.service.tables import Answer, Person, Table, some_move

ROOT = Path(__file__).parents[2]


def told(answer: Answer) -> tuple[int, str]:
    assert answer.mimetype == "application/problem+json"
    body = answer.json
    assert body["status"] == answer.status_code
    assert body["type"] == f"urn:elsinore:problem:{body['code']}"
    assert body["title"]
    assert body["detail"]
    return answer.status_code, body["code"]


def test_every_code_of_the_rulebooks_has_a_status_and_a_title() -> None:
    used = set()
    for file in (ROOT / "domain").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.keyword) and node.arg == "code":
                used |= {n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)}
    assert {code for code in used if isinstance(code, str)} <= set(CODES)


def test_a_card_against_the_rules_is_told_the_rule_and_the_legal_moves(table: Table) -> None:
    table.sit().pass_all()
    seat = table.waiting_for[0]
    view = table.view(seat)
    refused = view["refused"][0]
    move = {"answers": view["question"], "type": "play_card", "card": refused["card"]}
    answer = table.people[seat].move(table.game, move)
    assert told(answer) == (409, "illegal-move")
    body = answer.json
    assert (body["rule"], body["detail"]) == (refused["rule"], refused["detail"])
    assert body["legal_moves"] == view["legal_moves"]
    assert (body["question"], body["current_version"]) == (view["question"], view["version"])
    assert table.view(seat) == view


def test_a07_an_unknown_card_and_a_card_not_held_are_two_errors(table: Table) -> None:
    table.sit().pass_all()
    seat = table.waiting_for[0]
    view = table.view(seat)
    other = table.view((seat + 1) % 4)["hand"][0]
    play = {"answers": view["question"], "type": "play_card"}
    person = table.people[seat]
    assert told(person.move(table.game, play | {"card": other})) == (409, "card-not-in-hand")
    assert told(person.move(table.game, play | {"card": "1Z"})) == (422, "invalid-card")
    assert table.view(seat) == view


@pytest.mark.parametrize("body", [[], None, 7, "QS", {}, {"answers": 3}, {"type": "play_card"}])
def test_a07_a_body_that_is_no_move_is_refused(table: Table, body: Any) -> None:
    answer = table.sit().people[0].move(table.game, body)
    assert answer.status_code == 422
    assert told(answer)[1] in {"invalid-body", "missing-answers"}


def test_a06_a_pass_of_the_wrong_cards_is_refused_each_with_its_code(table: Table) -> None:
    table.sit()
    hand, other = table.view(0)["hand"], table.view(1)["hand"]

    def passed(*cards: str) -> tuple[int, str]:
        move = {"answers": "d1.pass", "type": "pass_cards", "cards": list(cards)}
        return told(table.people[0].move(table.game, move))

    before = table.view(0)["version"]
    assert passed(*hand[:2]) == (409, "wrong-number-of-cards")
    assert passed(*hand[:4]) == (409, "wrong-number-of-cards")
    assert passed(hand[0], hand[0], hand[1]) == (409, "repeated-card")
    assert passed(hand[0], hand[1], other[0]) == (409, "card-not-in-hand")
    assert table.view(0)["version"] == before


def test_a_move_without_its_question_is_refused(table: Table) -> None:
    answer = table.sit().people[0].move(table.game, {"type": "pass_cards", "cards": []})
    assert told(answer) == (422, "missing-answers")


def test_late_and_early_answers_are_told_apart(table: Table) -> None:
    table.sit()
    first = some_move(table.view(0))
    done = table.people[0].move(table.game, first)
    again = table.people[0].move(table.game, first)
    assert told(again) == (409, "already-answered")
    assert again.json["answered_by"] == done.json["version"]
    early = table.people[1].move(
        table.game, {"answers": "d1.t1", "type": "play_card", "card": "2C"}
    )
    assert told(early) == (409, "not-your-turn")
    assert early.json["question"] == "d1.pass"
    for seat in (1, 2, 3):
        table.people[seat].move(table.game, some_move(table.view(seat)))
    seat = table.waiting_for[0]
    unasked = table.people[seat].move(
        table.game, {"answers": "d0.t1", "type": "play_card", "card": "2C"}
    )
    assert told(unasked) == (409, "question-passed")


def test_a_move_of_another_phase_is_the_wrong_move(table: Table) -> None:
    move = {"answers": "d1.pass", "type": "play_card", "card": "2C"}
    answer = table.sit().people[0].move(table.game, move)
    assert told(answer) == (409, "wrong-move")
    assert answer.json["legal_moves"][0]["type"] == "pass_cards"


class Bid(Move, frozen=True, kw_only=True, tag="bid"):
    tricks: int


def test_a_move_of_another_game_is_the_wrong_move(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = dataclasses.replace(RULESETS["hearts@1"], name="another", moves=(Bid,))
    monkeypatch.setitem(RULESETS, "another@1", other)
    answer = (
        table.sit().people[0].move(table.game, {"answers": "d1.pass", "type": "bid", "tricks": 3})
    )
    assert told(answer) == (409, "wrong-move")
    assert answer.json["question"] == "d1.pass"
    yaml_text = openapi_yaml()
    assert "bid: '#/components/schemas/Bid'" in yaml_text


def test_a_type_that_no_game_has_does_not_fit(table: Table) -> None:
    answer = table.sit().people[0].move(table.game, {"answers": "d1.pass", "type": "undo"})
    assert told(answer) == (422, "invalid-body")


@pytest.mark.parametrize("body", [None, {"answers": "d1.t13", "type": "play_card", "card": "2C"}])
def test_b19_after_the_end_every_move_is_told_that_the_game_is_over(
    services: Services, body: Any
) -> None:
    table = Table(services, target=1)
    table.people[0].call("DELETE", table.path)
    table = Table(services, target=1).sit()
    table.play_to_the_end()
    answer = table.people[0].move(table.game, body)
    assert told(answer) == (409, "game-over")
    assert answer.json["result"] == table.path
    assert table.client.get(table.path).status_code == 401


def test_b27_there_is_no_undo(table: Table) -> None:
    table.sit()
    before = table.view(0)["version"]
    for call in ("undo", "moves"):
        assert table.people[0].call("DELETE", f"{table.path}/{call}").status_code in {404, 405}
    assert table.view(0)["version"] == before


def test_b05_only_its_own_player_moves_a_seat(table: Table) -> None:
    table.sit()
    version = table.view(1)["version"]
    move = some_move(table.view(1))
    url = f"{table.path}/moves"
    assert told(table.spectator.move(table.game, move)) == (403, "not-your-seat")
    assert told(table.client.post(url, json=move)) == (401, "missing-token")
    other = Table(table.services).sit()
    assert told(other.people[1].move(table.game, move)) == (403, "not-your-seat")
    for wrong in (
        table.people[1].move(table.game, move | {"seat": 2}),
        table.spectator.call("PUT", f"{table.path}/seats/2", json={}),
        table.spectator.call("DELETE", f"{table.path}/seats/2", headers={"If-Match": "*"}),
        table.spectator.call("DELETE", table.path),
    ):
        assert 400 <= wrong.status_code < 500
    assert table.view(1)["version"] == version


def test_tokens_are_asked_for_and_checked(table: Table) -> None:
    nobody = table.client.get(table.path)
    assert told(nobody) == (401, "missing-token")
    assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
    wrong = table.client.get(table.path, headers={"Authorization": "Bearer elt_wrong"})
    assert told(wrong) == (401, "invalid-token")
    assert "invalid_token" in wrong.headers["WWW-Authenticate"]
    token = table.spectator.token
    assert table.client.get(f"{table.path}?token={token}").status_code == 401


OPENINGS: list[tuple[dict[str, Any], str]] = [
    ({"ruleset": "whist"}, "unknown-ruleset"),
    ({"ruleset": "hearts@9"}, "unknown-ruleset"),
    ({"options": {"target_score": 0}}, "invalid-options"),
    ({"options": {"see_all": True}}, "invalid-options"),
    ({"seats": ["me", "open"]}, "invalid-seats"),
    ({"seats": ["me", "me", "open", "open"]}, "invalid-seats"),
    ({"seats": ["me", "you", "open", "open"]}, "invalid-body"),
    ({"seats": ["me", {"bot": "genius"}, "open", "open"]}, "invalid-body"),
    ({"script": {"deals": [{"hands": [["2C"]]}]}}, "impossible-script"),
    ({"script": {"deals": []}}, "invalid-body"),
    ({"reveal": "all"}, "invalid-body"),
]


@pytest.mark.parametrize(("change", "code"), OPENINGS)
def test_openings_that_do_not_fit(table: Table, change: dict[str, Any], code: str) -> None:
    body = {"ruleset": "hearts", "seats": ["me", "open", "open", "open"]} | change
    assert told(table.people[0].post("/v1/games", body)) == (422, code)


def test_seats_are_taken_once_and_by_whom_they_are_for(table: Table) -> None:
    ann, ben, cid, _ = table.people

    def sit(person: Person, seat: int) -> Answer:
        return person.call("PUT", f"{table.path}/seats/{seat}", json={})

    assert told(sit(ben, 0)) == (409, "seat-reserved")
    assert told(sit(ben, 9)) == (404, "unknown-seat")
    assert sit(ben, 1).status_code == 200
    assert told(sit(ben, 2)) == (409, "already-seated")
    assert told(sit(cid, 1)) == (409, "seat-taken")
    for person, seat in ((ann, 0), (cid, 2), (table.people[3], 3)):
        sit(person, seat)
    assert told(sit(table.spectator, 1)) == (409, "game-full")
    move = {"answers": "d1.pass", "type": "pass_cards", "cards": []}
    waiting = Table(table.services)
    waiting.people[0].call("PUT", f"{waiting.path}/seats/0", json={})
    assert told(waiting.people[0].move(waiting.game, move)) == (409, "not-started")


def test_what_is_not_there(table: Table) -> None:
    person = table.people[0]
    assert told(person.get("/v1/games/nosuchgame")) == (404, "unknown-game")
    assert told(person.get("/v1/players/p_nobody")) == (404, "unknown-player")
    assert told(person.get(f"{table.path}?at=999")) == (404, "unknown-version")
    assert told(person.get("/v1/rulesets/whist")) == (404, "not-found")
    assert told(person.get("/v1/nothing")) == (404, "not-found")
    wrong = person.call("PUT", "/v1/rulesets")
    assert told(wrong) == (405, "method-not-allowed")
    assert "GET" in wrong.headers["Allow"]


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (errors.LogMissing("g"), 500, "log-missing"),
        (errors.LogBroken(7, "QS is there twice"), 500, "log-broken"),
        (errors.UnknownSchema("entry 7"), 500, "unknown-schema"),
        (errors.UnknownRuleset("There is no rule set skat@1."), 500, "unknown-schema"),
        (errors.Busy("no answer"), 503, "busy"),
        (errors.VersionConflict(3, 4), 409, "version-conflict"),
        (RuntimeError("root=00ff QS"), 500, "internal-error"),
    ],
)
def test_what_goes_wrong_inside_is_typed_and_tells_no_secret(
    table: Table, monkeypatch: pytest.MonkeyPatch, raised: Exception, status: int, code: str
) -> None:
    def fails(*_: object) -> None:
        raise raised

    monkeypatch.setattr(table.services.loader, "current", fails)
    answer = table.people[0].get(table.path)
    assert told(answer) == (status, code)
    assert "QS" not in answer.text
    assert (status == 503) == ("Retry-After" in answer.headers)
    if status == 500:
        assert answer.json["correlation"] == answer.headers["X-Correlation-Id"]
    assert ("skat@1" in answer.json["detail"]) == isinstance(raised, errors.UnknownRuleset)
