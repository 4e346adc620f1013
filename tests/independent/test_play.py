"""Hamlet!: its golden logs are right with their card set, and what was changed in them is found."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.games.hamlet_play import cardset
from tests.games.hamlet_play.draws import Course
from tests.independent.checker import check
from tests.independent.test_checker import (
    GOLDEN,
    LINES,
    SETS,
    chained,
    data_of,
    decoded,
    edit,
    golden,
    of_type,
    renumbered,
    resealed,
)

LOGS = sorted(GOLDEN.glob("hamlet-play-*.ndjson"))
STAGE, ENDINGS, FIRST, TAKEN, DIE, SCENE, ACT = (
    f"hamlet_play.{kind}"
    for kind in (
        *("stage-set", "endings-dealt", "first-player-drawn", "action-taken", "die-rolled"),
        *("scene-ended", "act-ended"),
    )
)
Change = Callable[[LINES], Any]


def draws(lines: LINES, sets: dict[str, Any] = SETS) -> str:
    return check(chained(lines), sets=sets)["draws"]


# --- without the set


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_without_its_card_set_the_draws_of_a_log_are_unsupported_and_never_ok(path: Path) -> None:
    log, receipts, keys = golden(path.stem)
    others = {digest: cards for digest, cards in SETS.items() if digest.encode() not in log}
    for sets in (others, {"00" * 32: next(iter(SETS.values()))}, None):
        given = check(log, receipts, keys, sets=sets)
        assert given.pop("draws").startswith("unsupported: ")
        assert set(given.values()) == {"ok"}


def test_a_set_of_another_name_is_not_the_one() -> None:
    log, _, _ = golden("hamlet-play-four")
    renamed = {name: cards | {"version": 2} for name, cards in SETS.items()}
    assert check(log, sets=renamed)["draws"].startswith("unsupported: ")


def test_the_digest_is_of_all_that_decides() -> None:
    for name, cards in SETS.items():
        other = copy.deepcopy(cards)
        other["endings"]["regular"].reverse()
        assert cardset.digest(other) != name == cardset.digest(cards)


# --- every digest right again


def another_face(lines: LINES) -> None:
    data = of_type(lines, DIE)["data"]
    data["face"] = data["face"] % 6 + 1


def another_first_player(lines: LINES) -> None:
    """Somebody else begins, and everybody else's turn comes with them."""
    seats = len(lines[0]["data"]["seats"])
    for line in lines:
        if line["type"] in {TAKEN, SCENE}:
            line["data"]["seat"] = (line["data"]["seat"] + 1) % seats
        elif line["type"] in {FIRST, ACT} and line["data"]["first_player"] is not None:
            line["data"]["first_player"] = (line["data"]["first_player"] + 1) % seats


def endings_exchanged(lines: LINES) -> None:
    line = of_type(lines, ENDINGS)
    one, other = (item["value"] for item in line["known"][:2])
    resealed(lines, line["version"], "/endings/0", other)
    resealed(lines, line["version"], "/endings/1", one)


def ending_with_a_line_less(lines: LINES) -> None:
    line = of_type(lines, ENDINGS)
    value = copy.deepcopy(line["known"][1]["value"])
    value["lines"].pop()
    resealed(lines, line["version"], "/endings/1", value)


def later_dice_renumbered(lines: LINES) -> None:
    for line in lines:
        if line["type"] == DIE:
            line["data"]["draw"]["number"] += 1


def another_pack(lines: LINES) -> None:
    options = lines[0]["data"]["options"]
    options["endings"] = "difficult" if options["endings"] == "regular" else "regular"


def revealed(lines: LINES) -> None:
    draw = of_type(lines, FIRST)["data"]["draw"]
    of_type(lines, SCENE).update(
        type="game.deal-revealed", data={"draw": 1, "link": draw["link"], "parts": []}
    )


def gone(kind: str) -> Change:
    def change(lines: LINES) -> None:
        lines.remove(of_type(lines, kind))
        renumbered(lines)

    return change


def twice(kind: str) -> Change:
    def change(lines: LINES) -> None:
        line = of_type(lines, kind)
        lines.insert(lines.index(line), copy.deepcopy(line))
        renumbered(lines)

    return change


def first_two_exchanged(lines: LINES) -> None:
    at = lines.index(of_type(lines, ENDINGS))
    lines[at - 1], lines[at] = lines[at], lines[at - 1]
    renumbered(lines)


def drawn(kind: str, **members: Any) -> Change:
    return edit(kind, lambda line: line["data"]["draw"].update(members))


def compared(**members: Any) -> Callable[[dict[str, Any]], None]:
    stated = {"kind": "duel", "track": "hamlet.swordplay", "value": 3}
    return lambda line: line["data"].update(stated | members)


WITH_THE_SET: dict[str, Change] = {
    "endings exchanged": endings_exchanged,
    "an ending with a line less": ending_with_a_line_less,
    "another common ending": data_of(ENDINGS, common={"id": "x", "lines": []}),
    "another pack": another_pack,
    "a persona more": edit(STAGE, lambda e: e["data"]["personae"].append("ghost")),
    "another box": edit(STAGE, lambda e: e["data"]["boxes"].popitem()),
}
WITHOUT: dict[str, Change] = {
    "another face": another_face,
    "a face of seven": data_of(DIE, face=7),
    "a face that is true": data_of(DIE, face=True),
    "another First Player": another_first_player,
    "a First Player who has no seat": data_of(FIRST, seat=-1),
    "a gap in the draws": later_dice_renumbered,
    "another purpose": drawn(DIE, purpose="a2.end.die1"),
    "a gap in the dice": drawn(DIE, purpose="a2.s1.die2"),
    "another link": drawn(DIE, link="00" * 32),
    "no link": edit(DIE, lambda line: line["data"]["draw"].pop("link")),
    "scripted, it says or does not": edit(
        FIRST,
        lambda line: (
            line["data"]["draw"].pop("scripted", None) or line["data"]["draw"].update(scripted=True)
        ),
    ),
    "a die twice": twice(DIE),
    "no First Player": gone(FIRST),
    "no endings": gone(ENDINGS),
    "endings before the stage": first_two_exchanged,
    "another value": edit(DIE, compared(value=9)),
    "a track that is not compared": edit(DIE, compared(kind="roll")),
    "another set on the stage": data_of(STAGE, digest="00" * 32),
    "an action less": gone(TAKEN),
    "an action more": twice(TAKEN),
    "an action of another seat": edit(TAKEN, lambda line: line["data"].update(seat=7)),
    "a Scene less": gone(SCENE),
    "a Scene twice": twice(SCENE),
    "no end of an Act": gone(ACT),
    "the same First Player again": edit(
        ACT, lambda line: line["data"].update(first_player=line["data"]["first_player"] + 1)
    ),
    "it goes on": edit(FIRST, lambda line: line["data"].update(goes_on=True)),
    "a deal revealed": revealed,
}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", [*WITH_THE_SET, *WITHOUT])
def test_changed_and_chained_again(name: str, path: Path) -> None:
    log, _, _ = golden(path.stem)
    lines = decoded(log)
    (WITH_THE_SET | WITHOUT)[name](lines)
    assert chained(lines) != log
    assert draws(lines).startswith("failed: line "), draws(lines)
    alone = "unsupported: " if name in WITH_THE_SET else "failed: line "
    assert draws(lines, {}).startswith(alone)


SCRIPT = "/scripted_deals/0"
SCRIPTS: dict[str, dict[str, Any]] = {
    "another First Player": {"first_player": 0},
    "other endings": {"endings": ["apart", "last-of-his-house"]},
    "the same ending twice": {"endings": ["apart", "apart"]},
    "an ending of another pack": {"endings": ["exile", "apart"]},
    "another face": {"dice": {"a1.s1.die1": 6, "a2.s1.die1": 2}},
    "no dice": {"dice": {}},
    "one die more": {"dice": {"a2.s1.die1": 1, "a2.s2.die1": 6}},
    "a member more": {"turned": None},
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_another_script_was_not_played(name: str) -> None:
    lines = decoded(golden("hamlet-play-scripted")[0])
    value = next(item["value"] for item in lines[0]["known"] if item["path"] == SCRIPT)
    resealed(lines, 1, SCRIPT, value | SCRIPTS[name])
    assert draws(lines).startswith("failed: line ")


def test_a_die_written_down_that_never_falls_is_no_fault() -> None:
    lines = decoded(golden("hamlet-play-scripted")[0])
    value = next(item["value"] for item in lines[0]["known"] if item["path"] == SCRIPT)
    assert "a1.s1.die1" not in {e["data"]["draw"]["purpose"] for e in lines if e["type"] == DIE}
    resealed(lines, 1, SCRIPT, value | {"dice": value["dice"] | {"a1.s1.die1": 2}})
    assert draws(lines) == "ok"


# --- while the game goes on


def seen_by_nobody(lines: LINES, end: int) -> LINES:
    return [line | {"known": []} for line in lines[:end]]


def test_who_watches_checks_each_die_as_it_falls() -> None:
    lines = decoded(golden("hamlet-play-four")[0])
    die = of_type(lines, DIE)["version"]
    assert draws(seen_by_nobody(lines, die)) == "not-revealed"
    assert draws(seen_by_nobody(lines, die), {}).startswith("unsupported: ")
    another_face(lines)
    assert draws(seen_by_nobody(lines, die - 1)) == "not-revealed"
    assert draws(seen_by_nobody(lines, die)).startswith(f"failed: line {die}: not the face")


def test_a_scripted_die_is_taken_at_its_word_until_the_script_is_out() -> None:
    lines = decoded(golden("hamlet-play-scripted")[0])
    scripted = next(e for e in lines if e["type"] == DIE and "scripted" in e["data"]["draw"])
    scripted["data"]["face"] = 5
    assert draws(seen_by_nobody(lines, scripted["version"])) == "not-revealed"
    assert draws(lines).startswith(f"failed: line {scripted['version']}: not the face")


@pytest.mark.parametrize(("seats", "actions"), [(2, 30), (3, 45), (4, 40), (8, 80)])
def test_a_whole_game_has_so_many_actions(seats: int, actions: int) -> None:
    course = Course(seats)
    owed = 0
    for course.act in range(1, 6):
        owed += course.owed * seats
    assert owed == actions
