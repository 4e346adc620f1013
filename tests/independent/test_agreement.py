"""Both checkers, ours and the one written from the page alone, say the same of the same log.

Compared is, verdict by verdict, whether a log is ok. `rules` and `scores` are ours alone.

By default some hundred logs of the card games are tampered with, and as many of Hamlet!, in seven
ways. TAMPERINGS=1000 in the environment, as `make tampering` has it, is for ten times as long.
"""

import copy
import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.store import CardSets
from events.audit.audit import Report, audit, lines_of
from events.log.entry import canonical
from tests.events.forging import Forgery
from tests.games.hamlet_play import cardset
from tests.independent.checker import check

GOLDEN = Path(__file__).parent / "../golden"
ROOT = GOLDEN / "../.."
LOGS = sorted(path.stem for path in GOLDEN.glob("*.ndjson"))
PLAYS = [name for name in LOGS if name.startswith("hamlet-play-")]
SETS = cardset.on_shelves(ROOT / "tests/cardsets", ROOT / "domain/rulesets/hamlet_play/cards")
NAMES = ("chain", "commitment", "seals", "draws", "entropy", "receipts")

VALUES: list[Any] = [None, True, 0, 1, -1, 2, 1024, "", "0", "game", [], {}, [0], "00" * 32]


def agree(log: bytes, receipts: list[dict[str, Any]], keys: dict[str, str]) -> list[str]:
    """The verdicts on which the checkers differ without a reason, or nothing."""
    ours = audit(lines_of(log), receipts=receipts, keys=keys)
    theirs = check(log, receipts, keys, SETS)
    differ = [n for n in NAMES if (ours.verdict(n).status == "ok") != (theirs[n] == "ok")]
    return [
        f"{name}: {ours.verdict(name)}, {theirs[name]}"
        for name in differ
        if name != "draws" or not legitimate(ours, theirs[name])
    ]


def legitimate(ours: Report, theirs: str) -> bool:
    """Whether both see the same fault, and count it for `draws` or for `rules`.

    The audit replays the game. An entry that cannot be played ends the replay, and the draws
    after it count as not redone; the other checker looks at draws alone. So an entry against the
    rules may fail a draw long after it. In Hamlet! the other one looks at the course of the Scenes,
    too, where no draw need follow.
    """
    rules, draws = ours.verdict("rules"), ours.verdict("draws")
    if rules.status != "failed" or rules.version is None:
        return False
    if theirs != "ok":
        course = re.fullmatch(r"failed: line (\d+): the course: .*", theirs)
        return course is not None and rules.version <= int(course[1])
    return draws.version is not None and rules.version <= draws.version


def golden(name: str) -> tuple[bytes, list[dict[str, Any]], dict[str, str]]:
    path = GOLDEN / name
    receipts = path.with_suffix(".receipts").read_text().splitlines()
    keys = json.loads(path.with_suffix(".key").read_text())
    return path.with_suffix(".ndjson").read_bytes(), [json.loads(r) for r in receipts[::9]], keys


@pytest.mark.parametrize("name", LOGS)
def test_on_a_golden_log(name: str) -> None:
    log, receipts, keys = golden(name)
    assert agree(log, receipts, keys) == []
    lines = log.splitlines(keepends=True)
    for end in {1, 3, len(lines) // 2, len(lines) - 1}:
        assert agree(b"".join(lines[:end]), receipts, keys) == []


def flip(log: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(log))
    return log[:place] + bytes([log[place] ^ (1 << chance.randrange(7))]) + log[place + 1 :]


def insert_or_drop(log: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(log) - 1)
    kept = log[place + chance.randrange(2) :]
    return log[:place] + chance.choice([b"", b" ", b"\n", b"0", b"\xff"]) + kept


def chained(change: Callable[[Forgery, random.Random], Any]) -> Callable[..., bytes]:
    """Changed entries, with every digest right again."""

    def tamper(log: bytes, chance: random.Random) -> bytes:
        forgery = Forgery(log.splitlines())
        change(forgery, chance)
        return b"".join(line + b"\n" for line in forgery.lines())

    return tamper


def any_member(forgery: Forgery, chance: random.Random) -> None:
    """One value anywhere is another: of a kind that is there elsewhere, or of none."""
    spot: Any = one_of_each_type(forgery, chance)
    del spot["digest"]
    while True:
        at = chance.choice(sorted(spot) if isinstance(spot, dict) else range(len(spot)))
        if not isinstance(spot[at], dict | list) or not spot[at] or chance.random() < 0.15:
            break
        spot = spot[at]
    spot[at] = copy.deepcopy(chance.choice([*VALUES, *spot[:3]] if at == 0 else VALUES))


def member_more_or_less(forgery: Forgery, chance: random.Random) -> None:
    entry = one_of_each_type(forgery, chance)
    part = chance.choice([entry["data"], entry["actor"]])
    if chance.random() < 0.5:
        part["seat" if "seat" not in part else "note"] = chance.choice(VALUES)
    else:
        del part[chance.choice(sorted(part))]


def numbered(forgery: Forgery) -> None:
    """Versions and causations fit again after lines were moved."""
    first = 1
    for version, entry in enumerate(forgery.entries, 1):
        entry["version"] = version
        first = version if entry["causation"] is None else first
        entry["causation"] = None if entry["causation"] is None else first


def line_moved(forgery: Forgery, chance: random.Random) -> None:
    entries = forgery.entries
    entry = one_of_each_type(forgery, chance)
    at = entries.index(entry)
    match chance.randrange(3):
        case 0:
            del entries[at]
        case 1:
            entries.insert(at, copy.deepcopy(entry))
        case _:
            entries.insert(chance.randrange(len(entries)), entries.pop(at))
    if entries and chance.random() < 0.8:
        numbered(forgery)


def value_restated(forgery: Forgery, chance: random.Random) -> None:
    """Another value under a seal, with the salt it has to have, at all its places."""
    entry = chance.choice([entry for entry in forgery.entries if entry["known"]])
    known = chance.choice(entry["known"])
    value = copy.deepcopy(known["value"])
    if isinstance(value, list):
        chance.choice([value.reverse, value.pop, lambda: value.append("2C")])()
    elif isinstance(value, dict):
        restate(value, chance)
    else:
        value = "00" * 32
    forgery.state(entry, known["path"], value)


def restate(value: dict[str, Any], chance: random.Random) -> None:
    """A scripted deal, or an ending."""
    if "hands" in value:
        hands = value["hands"]
        chance.choice([hands.reverse, hands[0].reverse, hands.pop])()
    elif "lines" in value:
        lines = value["lines"]
        chance.choice([lines.reverse, lines.pop, lambda: value.update(id="revenge")])()
    else:
        seat, endings = value["first_player"], value["endings"]
        dice = {purpose: 7 - face for purpose, face in value["dice"].items()}
        chance.choice(
            [
                *(endings.reverse, endings.pop),
                *(lambda: value.update(dice=dice), lambda: value.update(first_player=1 - seat)),
            ]
        )()


def part_changed(forgery: Forgery, chance: random.Random) -> None:
    entry = chance.choice([entry for entry in forgery.entries if entry["data"].get("parts")])
    parts = entry["data"]["parts"]
    chance.choice([parts.reverse, parts.pop, lambda: parts.append(copy.deepcopy(parts[0]))])()


def one_of_each_type(forgery: Forgery, chance: random.Random) -> dict[str, Any]:
    """Any entry, the rare types as often as the frequent ones."""
    kind = chance.choice(sorted({entry["type"] for entry in forgery.entries}))
    return chance.choice([entry for entry in forgery.entries if entry["type"] == kind])


TAMPERINGS = int(os.environ.get("TAMPERINGS", "100"))
WAYS: list[tuple[int, Callable[..., bytes]]] = [  # how many of 200 logs, and in which way
    (25, flip),
    (15, insert_or_drop),
    (70, chained(any_member)),
    (25, chained(member_more_or_less)),
    (30, chained(line_moved)),
    (25, chained(value_restated)),
    (10, chained(part_changed)),
]
CASES = [(tamper, seed) for share, tamper in WAYS for seed in range(-(-share * TAMPERINGS // 200))]


@pytest.mark.uncounted
@pytest.mark.parametrize(("tamper", "seed"), CASES)
def test_on_a_tampered_log(tamper: Callable[..., bytes], seed: int) -> None:
    log, receipts, keys = golden(("hearts-moon", "hearts-bots", "hearts-bots")[seed % 3])
    tampered = tamper(log, random.Random(seed))
    assert agree(tampered, receipts, keys) == []


@pytest.mark.uncounted
@pytest.mark.parametrize(("tamper", "seed"), CASES)
def test_on_a_tampered_log_of_hamlet_the_play(tamper: Callable[..., bytes], seed: int) -> None:
    log, receipts, keys = golden(PLAYS[seed % len(PLAYS)])
    tampered = tamper(log, random.Random(seed))
    assert agree(tampered, receipts, keys) == []


def changed(name: str, change: Callable[[Forgery], Any]) -> bytes:
    forgery = Forgery(golden(name)[0].splitlines())
    change(forgery)
    return b"".join(line + b"\n" for line in forgery.lines())


def another_face(forgery: Forgery) -> None:
    data = forgery.of_type("hamlet_play.die-rolled")["data"]
    data["face"] = data["face"] % 6 + 1


def another_first_player(forgery: Forgery) -> None:
    data = forgery.of_type("hamlet_play.first-player-drawn")["data"]
    data["first_player"] = (data["first_player"] + 1) % len(forgery.entries[0]["data"]["seats"])


def swapped_endings(forgery: Forgery) -> None:
    entry = forgery.of_type("hamlet_play.endings-dealt")
    one, other = (forgery.known(entry, f"/endings/{seat}") for seat in (0, 1))
    forgery.state(entry, "/endings/0", other)
    forgery.state(entry, "/endings/1", one)


@pytest.mark.parametrize("name", PLAYS)
@pytest.mark.parametrize("change", [another_face, another_first_player, swapped_endings])
def test_both_find_the_draw_that_was_changed(name: str, change: Callable[[Forgery], None]) -> None:
    log = changed(name, change)
    ours, theirs = audit(lines_of(log)), check(log, sets=SETS)
    assert theirs["seals"] == ours.verdict("seals").status == "ok"
    assert ours.verdict("draws").status == "failed"
    assert theirs["draws"].startswith(f"failed: line {ours.verdict('draws').version}: ")


@pytest.mark.parametrize("name", PLAYS)
def test_without_the_card_set_neither_says_ok(name: str) -> None:
    log, _, _ = golden(name)
    with registry.using(hamlet_play(CardSets())):
        assert audit(lines_of(log)).verdict("draws").status == "unsupported"
    assert check(log)["draws"].startswith("unsupported: ")


def test_the_digest_of_a_card_set_is_the_same_from_its_files_and_from_the_service() -> None:
    answer = json.loads(canonical(registry.find("hamlet_play@1").extras()))["card_sets"]
    assert {one["digest"] for one in answer} >= {*SETS}
    for one in answer:
        assert cardset.digest(cardset.from_answer(one)) == one["digest"]


@pytest.mark.parametrize("at", [10, 40])
def test_an_event_of_another_game_is_no_move_of_this_one(at: int) -> None:
    log, _, _ = golden("hearts-moon")
    forgery = Forgery(log.splitlines())
    entry = forgery.entries[at]
    entry.update(type="hamlet.bid-made", known=[])
    entry["data"] = {"deal": 1, "seat": 0, "answers": "d1.bid", "bid": 3}
    forged = b"".join(line + b"\n" for line in forgery.lines())
    assert agree(forged, [], {}) == []
    report = audit(lines_of(forged))
    assert report.verdict("chain").status == "ok"
    assert report.verdict("rules").status == report.verdict("draws").status == "failed"
    assert check(forged)["draws"].startswith(f"failed: line {at + 1}: of another rule set")
