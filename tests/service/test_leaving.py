"""Leaving a game that goes on, the bot that takes over, and coming back."""

import json
import random
from typing import Any

import pytest

from domain.game.model import Actor
from domain.game.questions import questions
from domain.registry import find
from events.audit.audit import audit
from events.transcript import transcript
from service.app import create_app
from service.services import Services
from tests.service.tables import Answer, Person, Table, frames, memory_services
from tests.tables import request
from tests.tables import some_move as domain_move
from workers.bot_turns import Turns

ENTROPY = {"entropy": "ab" * 16}


def leave(table: Table, seat: int, query: str = "") -> Answer:
    url = f"{table.path}/seats/{seat}{query}"
    return table.people[seat].call("DELETE", url, headers={"If-Match": "*"})


def sit(table: Table, person: Person, seat: int, body: Any = None) -> Answer:
    return person.call("PUT", f"{table.path}/seats/{seat}", json=body or {})


def bots_play(table: Table) -> None:
    """Every bot that is due plays, as the workers have them play."""
    handler = table.services.handler
    head = handler.loader.current(table.game).head.version
    Turns(handler, lambda *_: None, seconds=60.0).bot_turn(table.game, head)


def play_to_the_end(table: Table) -> None:
    """Persons and bots, until the game is over."""
    bots_play(table)
    while waiting := table.waiting_for:
        table.step(seat=waiting[0])
        bots_play(table)


def types(table: Table) -> list[str]:
    return [e["type"] for e in table.spectator.get(f"{table.path}/events").json["events"]]


def bot_is_due(table: Table) -> bool:
    return any(work == "bot" for _, work, _ in table.services.store.due(2**53))


STEPS = {
    "nobody passed": 0,
    "two passed": 2,
    "lead": 4,
    "in a trick": 6,
    "next trick": 8,
    "late": 55,
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_b29_a_game_goes_on_with_a_bot_whenever_somebody_leaves(
    services: Services, steps: int
) -> None:
    table = Table(services, target=1).sit()
    for _ in range(steps):
        if table.waiting_for:
            table.step()
    if not table.waiting_for:
        pytest.skip("the deal was the last")
    seat = table.waiting_for[0]
    before = table.view(seat)
    left = leave(table, seat)
    assert left.status_code == 200
    event = left.json["events"][0]
    assert (event["type"], event["data"]) == (
        "game.seat-left",
        {"seat": seat, "player": table.people[seat].id, "level": "normal"},
    )
    assert event["actor"] == {"kind": "player", "id": table.people[seat].id, "seat": seat}
    assert bot_is_due(table)
    shown = table.spectator.view(table.game)
    assert shown["to_act"][str(seat)] == before["question"]
    assert shown["seats"][seat] == {
        "seat": seat,
        "kind": "bot",
        "player": None,
        "level": "normal",
        "former": table.people[seat].id,
    }
    play_to_the_end(table)
    lines = table.spectator.get(f"{table.path}/log").text.encode().splitlines()
    report = audit(lines)
    assert report.ok, report
    end = table.spectator.view(table.game)
    assert end["status"] == "finished"
    assert end["seats"][seat]["former"] == table.people[seat].id
    told = "\n".join(transcript(services.store.read(table.game)))
    assert f"Seat {seat}: {table.people[seat].id} leaves, a bot takes over, normal" in told
    assert f"Seat {seat}: a bot for {table.people[seat].id} since entry {event['version']}" in told


def test_b29_leaving_needs_the_version(table: Table) -> None:
    table.sit()
    url = f"{table.path}/seats/1"
    missing = table.people[1].call("DELETE", url)
    assert (missing.status_code, missing.json["code"]) == (428, "if-match-required")
    stale = table.people[1].call("DELETE", url, headers={"If-Match": '"2"'})
    assert (stale.status_code, stale.json["code"]) == (412, "stale-version")
    for other in (table.people[2], table.spectator):
        refused = other.call("DELETE", url, headers={"If-Match": "*"})
        assert (refused.status_code, refused.json["code"]) == (403, "not-your-seat")
    version = table.view(1)["version"]
    left = table.people[1].call("DELETE", url, headers={"If-Match": f'"{version}"'})
    assert left.status_code == 200


def test_b29_who_leaves_may_choose_the_bot(table: Table) -> None:
    table.sit()
    assert leave(table, 1, "?bot=genius").status_code == 422
    assert leave(table, 1, "?bot=hard").json["events"][0]["data"]["level"] == "hard"
    assert table.spectator.view(table.game)["seats"][1]["level"] == "hard"


def test_b29_only_the_former_player_resumes(table: Table) -> None:
    table.sit().pass_all()
    leave(table, 1)
    ben = table.people[1]
    for stranger, seat in ((table.spectator, 1), (ben, 2), (ben, 3)):
        refused = sit(table, stranger, seat)
        assert (refused.status_code, refused.json["code"]) == (409, "game-full")
    assert sit(table, table.people[2], 1).json["code"] == "already-seated"
    frozen = sit(table, ben, 1, ENTROPY)
    assert (frozen.status_code, frozen.json["code"]) == (409, "entropy-frozen")
    taken = table.people[0].call("PUT", f"{table.path}/seats/1", json={"bot": "easy"})
    assert (taken.status_code, taken.json["code"]) == (409, "already-started")
    back = sit(table, ben, 1)
    assert back.status_code == 200
    event = back.json["events"][0]
    assert (event["type"], event["data"]) == ("game.seat-resumed", {"seat": 1, "player": ben.id})
    again = sit(table, ben, 1)
    assert (again.status_code, again.data) == (200, back.data)
    assert table.spectator.view(table.game)["seats"][1]["former"] is None


def test_b29_who_has_left_looks_on_and_sees_it_all_once_back(table: Table) -> None:
    table.sit()
    ben, feed = table.people[1], f"{table.path}/events"
    version, hand = table.view(1)["version"], table.view(1)["hand"]
    leave(table, 1)
    assert all(line["known"] == [] for line in ben.get(feed).json["events"])
    for query in ("", f"?at={version}"):
        view = ben.view(table.game, query)
        assert (view["hand"], view["seat"], view["legal_moves"]) == (None, None, [])
    refused = ben.move(table.game, {"answers": "d1.pass", "type": "pass_cards", "cards": hand[:3]})
    assert (refused.status_code, refused.json["code"]) == (403, "not-your-seat")
    assert "legal_moves" not in refused.json
    bots_play(table)
    assert "hearts.cards-passed" in types(table)
    sit(table, ben, 1)
    known = {
        (line["type"], part["path"])
        for line in ben.get(feed).json["events"]
        for part in line["known"]
    }
    assert known == {("hearts.dealt", "/hands/1"), ("hearts.cards-passed", "/cards")}
    assert table.view(1)["hand"] == sorted(table.view(1)["hand"], key=hand.index)
    assert ben.view(table.game, f"?at={version}")["hand"] == hand


def test_b29_a_stream_that_is_open_while_its_player_leaves_has_no_more_secrets(
    table: Table,
) -> None:
    table.sit()
    ben = table.people[1]
    answer = ben.get(f"{table.path}/stream")
    chunks = answer.iter_encoded()
    assert json.loads(frames(chunks, 1)[0]["data"])["view"]["hand"]
    leave(table, 1)
    bots_play(table)
    for seat in (0, 2, 3):
        table.people[seat].move(table.game, pass_of(table, seat))
    lines = [json.loads(frame["data"]) for frame in frames(chunks, 6)]
    answer.close()
    assert lines[-1]["type"] == "hearts.passes-swapped"
    assert [line["known"] for line in lines] == [[]] * 6


def pass_of(table: Table, seat: int) -> dict[str, Any]:
    choice = table.view(seat)["legal_moves"][0]
    return {"answers": choice["answers"], "type": choice["type"], "cards": choice["of"][:3]}


def test_b29_bot_and_person_race_and_the_first_wins(table: Table) -> None:
    """The person is back while a bot still thinks: its move is refused. Or it was first."""
    table.sit()
    handler = table.services.handler
    leave(table, 1)
    thought = handler.loader.current(table.game).game
    move = domain_move(find(thought.ruleset), thought.state, 1, random.Random(1))
    bot = Actor(kind="bot", seat=1, level="normal", bot="test@1")
    sit(table, table.people[1], 1)
    version = table.view(1)["version"]
    with pytest.raises(Exception, match="do not sit") as late:
        handler.handle(table.game, request(move), bot, "bot:1:d1.pass", "c")
    assert getattr(late.value, "code", "") == "not-your-seat"
    assert table.view(1)["version"] == version
    leave(table, 1)
    handler.handle(table.game, request(move), bot, "bot:1:d1.pass", "c")
    sit(table, table.people[1], 1)
    refused = table.people[1].move(table.game, pass_of_hand(table, 1))
    assert (refused.status_code, refused.json["code"]) == (409, "already-answered")


def pass_of_hand(table: Table, seat: int) -> dict[str, Any]:
    cards = table.view(seat)["hand"][:3]
    return {"answers": "d1.pass", "type": "pass_cards", "cards": cards}


def test_b29_a_bot_of_another_level_does_not_move_the_seat(table: Table) -> None:
    table.sit()
    leave(table, 1, "?bot=hard")
    game = table.services.loader.current(table.game).game
    move = domain_move(find(game.ruleset), game.state, 1, random.Random(1))
    easy = Actor(kind="bot", seat=1, level="easy", bot="test@1")
    with pytest.raises(Exception, match="do not sit"):
        table.services.handler.handle(table.game, request(move), easy, "k", "c")


def test_b29_everybody_leaves_and_the_game_is_played_out(services: Services) -> None:
    table = Table(services, target=1).sit()
    for seat in range(4):
        leave(table, seat)
    bots_play(table)
    assert table.spectator.view(table.game)["status"] == "finished"
    assert audit(table.spectator.get(f"{table.path}/log").text.encode().splitlines()).ok


def test_b29_the_entropy_verdict_counts_the_persons_of_the_start(services: Services) -> None:
    table = Table(services, target=1)
    for seat, person in enumerate(table.people):
        sit(table, person, seat, ENTROPY if seat == 1 else None)
    leave(table, 1)
    bots_play(table)
    sit(table, table.people[1], 1)
    leave(table, 2)
    play_to_the_end(table)
    report = audit(table.spectator.get(f"{table.path}/log").text.encode().splitlines())
    verdicts = {verdict.name: verdict for verdict in report.verdicts}
    assert report.ok
    assert verdicts["entropy"].detail == "some"


def test_b19_b29_nobody_leaves_or_resumes_after_the_end(services: Services) -> None:
    table = Table(services, target=1).sit()
    leave(table, 1)
    play_to_the_end(table)
    for answer in (leave(table, 0), sit(table, table.people[1], 1)):
        assert (answer.status_code, answer.json["code"]) == (409, "game-over")
        assert answer.json["result"] == table.path


def test_b29_leaving_twice_with_one_key_is_leaving_once(table: Table) -> None:
    table.sit()
    headers = {"If-Match": "*", "Idempotency-Key": "gone"}
    url = f"{table.path}/seats/1"
    first = table.people[1].call("DELETE", url, headers=headers)
    second = table.people[1].call("DELETE", url, headers=headers)
    assert (second.status_code, second.data) == (first.status_code, first.data)
    other = table.people[1].call("DELETE", f"{url}?bot=hard", headers=headers)
    assert (other.status_code, other.json["code"]) == (422, "key-reused")
    assert types(table).count("game.seat-left") == 1
    assert questions(table.services.loader.current(table.game).game)


def test_b29_a_process_that_has_not_seen_it_shows_the_leaver_nothing(services: Services) -> None:
    table = Table(services).sit().pass_all()
    seat = table.waiting_for[0]
    other = memory_services(store=services.store, players=services.players)
    client: Any = create_app(other).test_client()
    headers = {"Authorization": f"Bearer {table.people[seat].token}"}
    assert client.get(table.path, headers=headers).json["view"]["hand"]
    leave(table, seat)
    for body in ({"answers": "d1.t1", "type": "play_card", "card": "1Z"}, pass_like()):
        refused = client.post(f"{table.path}/moves", json=body, headers=headers)
        assert "legal_moves" not in refused.json
        assert refused.status_code in {403, 409, 422}


def pass_like() -> dict[str, Any]:
    return {"answers": "d1.t1", "type": "pass_cards", "cards": ["2C", "3C", "4C"]}
