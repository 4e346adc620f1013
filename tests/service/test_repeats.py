"""Commands sent again: done once, answered alike."""

import itertools
from concurrent.futures import ThreadPoolExecutor

from tests.service.tables import Table, some_move


def test_b10_a_repeated_move_has_the_same_answer_and_one_event(table: Table) -> None:
    table.sit()
    move = some_move(table.view(0))
    first = table.people[0].move(table.game, move, key="pass-1")
    version = table.view(0)["version"]
    for seat in (1, 2, 3):
        table.people[seat].move(table.game, some_move(table.view(seat)))
    again = table.people[0].move(table.game, move, key="pass-1")
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["ETag"] == first.headers["ETag"] == f'"{version}"'
    feed = table.spectator.get(f"{table.path}/events").json["events"]
    passes = [e for e in feed if e["type"] == "hearts.cards-passed"]
    assert len(passes) == 4


def test_b10_a_repeated_move_is_answered_alike_to_who_has_left_since(table: Table) -> None:
    table.sit()
    person, move = table.people[1], some_move(table.view(1))
    first = person.move(table.game, move, key="k")
    left = person.call("DELETE", f"{table.path}/seats/1", headers={"If-Match": "*"})
    assert left.status_code == 200
    again = person.move(table.game, move, key="k")
    assert (again.status_code, again.data) == (first.status_code, first.data)
    anew = person.move(table.game, move, key="another")
    assert (anew.status_code, anew.json["code"]) == (403, "not-your-seat")


def test_b10_a_key_for_another_move_is_refused(table: Table) -> None:
    table.sit()
    hand = table.view(0)["hand"]
    move = {"answers": "d1.pass", "type": "pass_cards"}
    assert table.people[0].move(table.game, move | {"cards": hand[:3]}, key="k").status_code == 201
    other = table.people[0].move(table.game, move | {"cards": hand[1:4]}, key="k")
    assert (other.status_code, other.json["code"]) == (422, "key-reused")


def test_b10_a_key_belongs_to_one_player_and_one_game(table: Table) -> None:
    table.sit()
    other = Table(table.services).sit()
    moves = [
        table.people[0].move(table.game, some_move(table.view(0)), key="k"),
        table.people[1].move(table.game, some_move(table.view(1)), key="k"),
        other.people[0].move(other.game, some_move(other.view(0)), key="k"),
    ]
    assert [answer.status_code for answer in moves] == [201, 201, 201]


def test_b10_a_repeated_opening_is_the_same_game(table: Table) -> None:
    body = {
        "ruleset": "hearts",
        "options": {"target_score": 100},
        "seats": ["me", "open", "open", "open"],
    }
    table.sit().pass_all()
    again = table.people[0].post("/v1/games", body, headers={"Idempotency-Key": "open"})
    assert (again.status_code, again.json["view"]) == (201, table.opened.json["view"])
    assert again.json["receipt"] == table.opened.json["receipt"]
    assert again.headers["Location"] == table.opened.headers["Location"] == table.path
    body["options"] = {"target_score": 50}
    other = table.people[0].post("/v1/games", body, headers={"Idempotency-Key": "open"})
    assert (other.status_code, other.json["code"]) == (422, "key-reused")


def test_sitting_down_twice_is_sitting_down_once(table: Table) -> None:
    url = f"{table.path}/seats/2"
    first, second = (table.people[2].call("PUT", url, json={}) for _ in range(2))
    assert (second.status_code, second.data) == (first.status_code, first.data)


def test_b11_four_passes_at_once_are_all_accepted(table: Table) -> None:
    table.sit()
    moves = [some_move(table.view(seat)) for seat in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda seat: table.people[seat].move(table.game, moves[seat]), range(4))
        )
    assert [answer.status_code for answer in answers] == [201] * 4
    feed = table.spectator.get(f"{table.path}/events").json["events"]
    assert sum(e["type"] == "hearts.passes-swapped" for e in feed) == 1


def test_b11_passes_do_not_depend_on_their_order() -> None:
    from tests.service.tables import memory_services, suits_script

    hands = set()
    for order in itertools.islice(itertools.permutations(range(4)), 0, 24, 5):
        table = Table(memory_services(), script=suits_script()).sit()
        moves = [some_move(table.view(seat)) for seat in range(4)]
        for seat in order:
            table.people[seat].move(table.game, moves[seat])
        hands.add(tuple(tuple(table.view(seat)["hand"]) for seat in range(4)))
    assert len(hands) == 1


def test_b13_five_fast_clicks_play_one_card(table: Table) -> None:
    table.sit().pass_all()
    seat = table.waiting_for[0]
    before = table.view(seat)
    move = some_move(before)
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda _: table.people[seat].move(table.game, move), range(5)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    codes = {answer.json["code"] for answer in answers if answer.status_code == 409}
    assert codes == {"already-answered"}
    assert table.view(seat)["version"] == before["version"] + 1


def test_c12_two_people_with_the_same_next_version_both_get_an_answer(table: Table) -> None:
    table.sit()
    version = table.view(0)["version"]
    if_match = {"If-Match": f'"{version}"'}
    url = f"{table.path}/moves"
    first = table.people[0].post(url, some_move(table.view(0)), headers=if_match)
    second = table.people[1].post(url, some_move(table.view(1)), headers=if_match)
    assert first.status_code == 201
    assert (second.status_code, second.json["code"]) == (412, "stale-version")
    assert second.json["current_version"] == version + 1
