"""The golden logs are right, and a log that somebody has been at is not.

By default junk is put into 60 places of each of six logs. TAMPERINGS=1000 in the environment, where
100 is the default, is for ten times as long.
"""

import copy
import json
import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.games.hamlet_play import cardset
from tests.independent import checker
from tests.independent.scheme import plain_hash, salt_of, seal_of, unhex, walk_back

GOLDEN = Path(__file__).parent / "../golden"
ROOT = GOLDEN / "../.."
LOGS = sorted(GOLDEN.glob("*.ndjson"))
SETS = cardset.on_shelves(ROOT / "tests/cardsets", ROOT / "domain/rulesets/hamlet_play/cards")
check = partial(checker.check, sets=SETS)
NAMES = ["chain", "commitment", "seals", "draws", "entropy", "receipts"]
LINES = list[dict[str, Any]]  # each line decoded, `digest` and `known` with the rest


def golden(name: str) -> tuple[bytes, list[dict[str, Any]], dict[str, str]]:
    path = GOLDEN / name
    receipts = path.with_suffix(".receipts").read_text().splitlines()
    keys = json.loads(path.with_suffix(".key").read_text())
    return path.with_suffix(".ndjson").read_bytes(), [json.loads(r) for r in receipts], keys


def decoded(log: bytes) -> LINES:
    return [json.loads(line) for line in log.splitlines()]


def chained(lines: LINES) -> bytes:
    """As somebody would write it who can do all but sign: every digest right again."""
    log, previous = b"", b""
    for line in lines:
        public = written({name: line[name] for name in line if name not in ("known", "digest")})
        previous = plain_hash("entry", line["game"], previous, public)
        digest, known = previous.hex().encode(), written(line["known"])
        log += public[:-1] + b',"digest":"' + digest + b'","known":' + known + b"}\n"
    return log


def written(value: Any) -> bytes:
    """What `scheme.encode` would say of a value that may be in a log, and much faster."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def of_type(lines: LINES, name: str, nth: int = 0) -> dict[str, Any]:
    return [line for line in lines if line["type"] == name][nth]


def renumbered(lines: LINES) -> None:
    """Versions and causations fit again after a line was put in or taken out."""
    first = 1
    for version, line in enumerate(lines, 1):
        line["version"] = version
        if line["causation"] is None:
            first = version
        else:
            line["causation"] = first


def resealed(lines: LINES, version: int, path: str, value: Any) -> None:
    """Another value at all three places, with the salt it has to have."""
    line = lines[version - 1]
    part, game = line["data"], line["game"]
    for name in path.split("/")[1:]:
        part = part[int(name) if isinstance(part, list) else name]
    back = 0 if part["until"] == "game" else 1024 - part["until"]
    key = walk_back(game, unhex(lines[-1]["data"]["root"]), back)
    salt = salt_of(key, game, version, path)
    part["sealed"] = seal_of(game, salt, value)
    for item in line["known"]:
        if item["path"] == path:
            item["value"] = value
    for other in lines:
        for item in other["data"].get("parts", []):
            if (item["version"], item["path"]) == (version, path):
                item["value"] = value


def swapped_hands(lines: LINES, nth: int = 0) -> None:
    """Seats 0 and 1 change a card, and everything fits but the draw."""
    line = of_type(lines, "hearts.dealt", nth)
    one, other = (copy.copy(item["value"]) for item in line["known"][:2])
    one[0], other[0] = other[0], one[0]
    resealed(lines, line["version"], "/hands/0", one)
    resealed(lines, line["version"], "/hands/1", other)


# --- the goldens ------------------------------------------------------------------------------


def test_there_are_golden_logs() -> None:
    assert {"hearts-bots", "hearts-closed", "hearts-moon"} <= {path.stem for path in LOGS}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_is_right(path: Path) -> None:
    log, receipts, keys = golden(path.stem)
    assert check(log, receipts, keys) == dict.fromkeys(NAMES, "ok")
    assert check(log) == dict.fromkeys(NAMES, "ok") | {"receipts": "not-given"}
    assert chained(decoded(log)) == log


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_without_its_last_lines_is_not_finished(path: Path) -> None:
    log, receipts, keys = golden(path.stem)
    lines = log.splitlines(keepends=True)
    for end in {1, 2, len(lines) // 3, len(lines) // 2, len(lines) - 1}:
        verdicts = check(b"".join(lines[:end]), receipts, keys)
        assert verdicts.pop("chain") == "ok"
        assert verdicts.pop("receipts").startswith("failed: line ")
        started = any(b'"type":"game.started"' in line for line in lines[:end])
        assert verdicts.pop("entropy") == ("ok" if started else "not-revealed")
        assert set(verdicts.values()) == {"not-revealed"}, verdicts


def test_the_last_line_feed_may_be_lacking() -> None:
    log, receipts, keys = golden("hearts-bots")
    assert set(check(log[:-1], receipts, keys).values()) == {"ok"}


# --- bytes ------------------------------------------------------------------------------------


def nth_line(log: bytes, number: int, change: Callable[[bytes], bytes]) -> bytes:
    lines = log.split(b"\n")
    changed = change(lines[number - 1])
    assert changed != lines[number - 1]
    lines[number - 1] = changed
    return b"\n".join(lines)


def swap(old: bytes, new: bytes, number: int = 8) -> Callable[[bytes], bytes]:
    return lambda log: nth_line(log, number, lambda line: line.replace(old, new, 1))


def without(*numbers: int) -> Callable[[bytes], bytes]:
    def change(log: bytes) -> bytes:
        lines = log.splitlines(keepends=True)
        gone = {number % len(lines) for number in numbers}
        return b"".join(line for index, line in enumerate(lines) if index not in gone)

    return change


def exchanged(log: bytes) -> bytes:
    lines = log.splitlines(keepends=True)
    lines[9], lines[10] = lines[10], lines[9]
    return b"".join(lines)


BYTES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda log: b"",
    "only a line feed": lambda log: b"\n",
    "an empty line at the end": lambda log: log + b"\n",
    "an empty line between": lambda log: log.replace(b"\n", b"\n\n", 1),
    "carriage returns": lambda log: log.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda log: b"\xef\xbb\xbf" + log,
    "half a line": lambda log: log[:-40],
    "twice": lambda log: log + log,
    "the first line missing": without(0),
    "a line missing": without(20),
    "the last line missing": without(-1),
    "the last command missing": without(-1, -2, -3, -4, -5),
    "two lines exchanged": exchanged,
    "a space after a colon": swap(b'"kind":', b'"kind": '),
    "a space at the end": lambda log: nth_line(log, 8, lambda line: line + b" "),
    "a space at the front": lambda log: nth_line(log, 8, lambda line: b" " + line),
    "a name twice": swap(b'{"actor"', b'{"at":"2026-03-01T12:00:00.000Z","actor"'),
    "a name twice, the same": swap(b'"schema":1', b'"schema":1,"schema":1'),
    "a member too many": swap(b'"schema":1', b'"schema":1,"scheme":"elsinore/1-draft"'),
    "a member too few": swap(b'"schema":1,', b""),
    "members out of order": swap(
        b'"schema":1,"type":"hearts.dealt"', b'"type":"hearts.dealt","schema":1'
    ),
    "a name beyond ASCII": swap(b'"target_score"', b'"t\xc3\xa4rget_score"', 1),
    "a point": swap(b'"schema":1', b'"schema":1.0'),
    "an exponent": swap(b'"schema":1', b'"schema":1e0'),
    "a leading zero": swap(b'"version":8', b'"version":08'),
    "minus zero": swap(b'"deal":1', b'"deal":-0'),
    "true for 1": swap(b'"schema":1', b'"schema":true'),
    "not a number": swap(b'"schema":1', b'"schema":NaN'),
    "a great number": swap(b'"schema":1', b'"schema":' + b"9" * 5000),
    "an escape": swap(b'"golden"', b'"g\\u006flden"'),
    "an escaped solidus": swap(b'"golden"', b'"gol\\/den"'),
    "half a surrogate pair": swap(b'"golden"', b'"\\ud800"'),
    "no UTF-8": swap(b'"golden"', b'"gol\xffden"'),
    "a control character": swap(b'"golden"', b'"gol\tden"'),
    "depth": swap(b'"golden"', b"[" * 100_000 + b"]" * 100_000),
    "upper case": lambda log: nth_line(log, 8, lambda line: swap_digest(line, bytes.upper)),
    "another digest": lambda log: nth_line(log, 8, lambda line: swap_digest(line, zeros)),
    "null for known": swap(b'"known":[]', b'"known":null', 6),
    "an object for known": swap(b'"known":[]', b'"known":{}', 6),
    "another scheme": swap(b"elsinore/1-draft", b"elsinore/1", 1),
    "a list": swap(b"{", b"[{", 8),
}


def swap_digest(line: bytes, change: Callable[[bytes], bytes]) -> bytes:
    start = line.index(b'"digest":"') + len(b'"digest":"')
    return line[:start] + change(line[start : start + 64]) + line[start + 64 :]


def zeros(digest: bytes) -> bytes:
    return b"0" * len(digest)


@pytest.mark.parametrize("name", BYTES)
def test_changed_bytes(name: str) -> None:
    log, receipts, keys = golden("hearts-bots")
    changed = BYTES[name](log)
    assert changed != log
    for given in (receipts, []):
        verdicts = check(changed, given, keys)
        assert list(verdicts) == NAMES
        assert not set(verdicts.values()) <= {"ok", "not-given"}, verdicts


MEMBERS = "actor at causation command correlation data game schema type version digest known"


@pytest.mark.parametrize("member", MEMBERS.split())
def test_a_character_of_each_member(member: str) -> None:
    log, receipts, keys = golden("hearts-bots")
    for number in (1, 9):
        text = log.splitlines()[number - 1].decode()
        start = text.index(f'"{member}":') + len(member) + 3
        end = min(start + 8, len(text))
        for place in range(start, end):
            flipped = text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]
            changed = log.replace(text.encode(), flipped.encode(), 1)
            verdicts = check(changed, receipts, keys)
            assert set(verdicts.values()) != {"ok"}, flipped


def test_any_byte() -> None:
    log, receipts, keys = golden("hearts-closed")
    for place in range(0, len(log), 10):
        changed = log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :]
        assert set(check(changed, receipts, keys).values()) != {"ok"}, place


# --- every digest right again -----------------------------------------------------------------


def data_of(kind: str, nth: int = 0, **members: Any) -> Callable[[LINES], None]:
    return lambda lines: of_type(lines, kind, nth)["data"].update(members)


def line_of(kind: str, nth: int = 0, **members: Any) -> Callable[[LINES], None]:
    return lambda lines: of_type(lines, kind, nth).update(members)


def other_root(lines: LINES) -> None:
    resealed(lines, 1, "/root", "00" * 32)
    lines[-1]["data"]["root"] = "00" * 32


def no_hands(lines: LINES) -> None:
    line = of_type(lines, "hearts.dealt")
    line["data"]["hands"] = [item["value"] for item in line["known"]]
    line["known"] = []


def own_command(lines: LINES) -> None:
    """What followed the deal's end is sent by somebody, later."""
    start = next(i for i, line in enumerate(lines) if line["type"] == "game.deal-revealed")
    head = {"actor": {"id": "hamlet", "kind": "player"}, "command": "0" * 32, "causation": None}
    lines[start].update(head)
    for line in lines[start + 1 :]:
        if line["causation"] is None:
            break
        line["command"] = "0" * 32
    renumbered(lines)


def hidden_until_later(lines: LINES) -> None:
    """The link comes before the deal is scored."""
    start = next(i for i, line in enumerate(lines) if line["type"] == "game.deal-revealed")
    lines[start - 1], lines[start] = lines[start], lines[start - 1]
    renumbered(lines)


def dealt_twice(lines: LINES) -> None:
    first = of_type(lines, "hearts.dealt")
    lines.insert(first["version"], copy.deepcopy(first))
    renumbered(lines)


def never_revealed(lines: LINES) -> None:
    lines.remove(of_type(lines, "game.deal-revealed", -1))
    renumbered(lines)


def script_changed(lines: LINES) -> None:
    value = copy.deepcopy(lines[0]["known"][1]["value"])
    value["hands"][0], value["hands"][1] = value["hands"][1], value["hands"][0]
    resealed(lines, 1, "/scripted_deals/0", value)


def script_dropped(lines: LINES) -> None:
    lines[0]["data"].update(script=None, scripted_deals=[])
    del lines[0]["known"][1]
    del lines[-1]["data"]["parts"][0]


def edit(kind: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[LINES], None]:
    return lambda lines: change(of_type(lines, kind)) and None


OPENED, TAKEN, STARTED, DEALT = "game.opened", "game.seat-taken", "game.started", "hearts.dealt"
PASSED, REVEALED, FINISHED = "hearts.cards-passed", "game.deal-revealed", "game.finished"
CHAINED: dict[str, tuple[str, Callable[[LINES], None]]] = {
    "another commitment": ("commitment", data_of(OPENED, commitment="00" * 32)),
    "a commitment in upper case": (
        "commitment",
        edit(OPENED, lambda e: e["data"].update(commitment=e["data"]["commitment"].upper())),
    ),
    "another length": ("commitment", data_of(OPENED, links=1023)),
    "another root": ("commitment", other_root),
    "another link": ("commitment", data_of(REVEALED, link="00" * 32)),
    "link 0": ("commitment", data_of(REVEALED, draw=0)),
    "link 2 for 1": ("commitment", data_of(REVEALED, draw=2)),
    "more after the end": (
        "commitment",
        lambda lines: lines.append(lines[-1] | {"version": lines[-1]["version"] + 1}),
    ),
    "another hand in known": (
        "seals",
        edit(DEALT, lambda e: e["known"][0]["value"].reverse()),
    ),
    "another hand in parts": (
        "seals",
        edit(REVEALED, lambda e: e["data"]["parts"][0]["value"].reverse()),
    ),
    "another hand with a seal": ("draws", swapped_hands),
    "another scripted hand with a seal": ("draws", lambda lines: swapped_hands(lines, -1)),
    "a hand not in order": (
        "draws",
        lambda lines: resealed(
            lines,
            of_type(lines, DEALT)["version"],
            "/hands/0",
            of_type(lines, DEALT)["known"][0]["value"][::-1],
        ),
    ),
    "another script": ("draws", script_changed),
    "no script": ("draws", script_dropped),
    "script for another deal": ("draws", data_of(OPENED, script={"deals": 1, "first_deal": 3})),
    "a script from nowhere": ("draws", data_of(OPENED, script={"deals": 1, "first_deal": None})),
    "more scripted deals than there are": (
        "seals",
        data_of(OPENED, script={"deals": 2, "first_deal": 4}),
    ),
    "scripted, it says": (
        "draws",
        edit(DEALT, lambda e: e["data"]["draw"].update(scripted=True)),
    ),
    "not scripted, it says": (
        "draws",
        lambda lines: of_type(lines, DEALT, -1)["data"]["draw"].pop("scripted") and None,
    ),
    "a link with the draw": (
        "draws",
        edit(DEALT, lambda e: e["data"]["draw"].update(link="00" * 32)),
    ),
    "another purpose": (
        "draws",
        edit(DEALT, lambda e: e["data"]["draw"].update(purpose="d2.deal")),
    ),
    "another number of draw": ("draws", edit(DEALT, lambda e: e["data"]["draw"].update(number=2))),
    "another number of deal": ("draws", data_of(DEALT, 1, deal=3)),
    "a deal twice": ("draws", dealt_twice),
    "revealed in a command of its own": ("draws", own_command),
    "revealed before the end": ("draws", hidden_until_later),
    "never revealed": ("draws", never_revealed),
    "a part too few": ("seals", edit(REVEALED, lambda e: e["data"]["parts"].pop() and None)),
    "a part too many": (
        "seals",
        edit(REVEALED, lambda e: e["data"]["parts"].append(e["data"]["parts"][0])),
    ),
    "parts in another order": ("seals", edit(REVEALED, lambda e: e["data"]["parts"].reverse())),
    "the root among the parts": (
        "seals",
        lambda lines: lines[-1]["data"]["parts"].append(
            {"path": "/root", "value": lines[-1]["data"]["root"], "version": 1}
        ),
    ),
    "not in known": ("seals", edit(PASSED, lambda e: e["known"].pop() and None)),
    "known twice": ("chain", edit(PASSED, lambda e: e["known"].append(e["known"][0]))),
    "known in another order": ("chain", edit(DEALT, lambda e: e["known"].reverse())),
    "more in known": (
        "seals",
        lambda lines: of_type(lines, STARTED)["known"].append(of_type(lines, DEALT)["known"][0]),
    ),
    "another salt": ("seals", edit(PASSED, lambda e: e["known"][0].update(salt="00" * 32))),
    "a salt in upper case": (
        "chain",
        edit(PASSED, lambda e: e["known"][0].update(salt=e["known"][0]["salt"].upper())),
    ),
    "to another": ("seals", edit(PASSED, lambda e: e["data"]["cards"].update(to=[9]))),
    "to all": ("seals", edit(DEALT, lambda e: e["data"]["hands"][1].update(to=[0, 1, 2, 3]))),
    "until true": ("seals", edit(DEALT, lambda e: e["data"]["hands"][1].update(until=True))),
    "until the end": ("seals", edit(PASSED, lambda e: e["data"]["cards"].update(until="game"))),
    "hands in the open": ("seals", no_hands),
    "an option sealed": (
        "seals",
        edit(
            OPENED,
            lambda e: e["data"]["options"].update(x={"sealed": "00" * 32, "to": [], "until": 1}),
        ),
    ),
    "entropy put in": ("entropy", data_of(STARTED, entropy=["00" * 16, None, None, None])),
    "entropy of three seats": ("entropy", data_of(STARTED, entropy=[None] * 3)),
    "entropy too short": ("entropy", data_of(TAKEN, entropy="00" * 15)),
    "entropy too long": ("entropy", data_of(TAKEN, entropy="00" * 65)),
    "entropy in upper case": ("entropy", data_of(TAKEN, entropy="AB" * 16)),
    "entropy not started with": ("entropy", data_of(TAKEN, entropy="ab" * 16)),
    "a bot's entropy": ("entropy", data_of(TAKEN, entropy="ab" * 16, player=None)),
    "a field too many": ("chain", data_of(STARTED, note=None)),
    "a field too few": ("chain", edit(PASSED, lambda e: e["data"].pop("answers") and None)),
    "two games": ("chain", line_of(STARTED, game="a" * 26)),
    "a command twice": (
        "chain",
        lambda lines: lines[3].update(command=lines[2]["command"]),
    ),
    "another time within a command": ("chain", line_of(DEALT, at="2026-03-01T12:00:01.001Z")),
    "a time in another form": ("chain", line_of(TAKEN, at="2026-03-01T12:00:01Z")),
    "another correlation": ("chain", line_of(DEALT, correlation="x")),
    "another cause": ("chain", line_of(DEALT, causation=1)),
    "a consequence with a player": ("chain", line_of(DEALT, actor={"kind": "player", "id": "x"})),
    "a null in an actor": ("chain", line_of(TAKEN, actor={"kind": "player", "id": None})),
    "an actor of no kind": ("chain", line_of(TAKEN, actor={"kind": "god", "id": "x"})),
    "opened twice": ("chain", line_of(TAKEN, type=OPENED)),
}


@pytest.mark.parametrize("name", CHAINED)
def test_changed_and_chained_again(name: str) -> None:
    verdict, change = CHAINED[name]
    log, receipts, keys = golden("hearts-moon")
    lines = decoded(log)
    change(lines)
    changed = chained(lines)
    assert changed != log
    assert check(changed)[verdict].startswith("failed: line "), check(changed)
    assert set(check(changed, receipts, keys).values()) != {"ok"}


@pytest.mark.parametrize(
    "change",
    [
        data_of(OPENED, ruleset="hearts@2"),
        data_of(OPENED, ruleset=None),
        line_of(DEALT, type="hearts.redealt"),
        line_of(DEALT, schema=2),
        lambda lines: lines[0].update(scheme="elsinore/2"),
    ],
)
def test_beyond_this_checker(change: Callable[[LINES], None]) -> None:
    log, receipts, keys = golden("hearts-moon")
    lines = decoded(log)
    change(lines)
    verdicts = check(chained(lines), receipts, keys)
    assert verdicts["draws"].startswith("unsupported: ")
    assert "ok" not in {verdicts[name] for name in ("commitment", "seals", "draws", "entropy")}


# --- receipts ---------------------------------------------------------------------------------


def test_only_receipts_know_of_another_card() -> None:
    """A card that was not played: for the rules to judge, or for who kept a receipt."""
    log, receipts, keys = golden("hearts-moon")
    lines = decoded(log)
    of_type(lines, "hearts.card-played", 3)["data"]["card"] = "2S"
    assert check(chained(lines), receipts, keys)["receipts"].startswith("failed: line ")


@pytest.mark.parametrize(
    "change",
    [
        {"signature": "00" * 64},
        {"digest": "00" * 32},
        {"game": "a" * 26},
        {"version": 3},
        {"version": 0},
        {"version": -1},
        {"version": True},
        {"version": 10**5000},
        {"version": None},
        {"key": "00" * 8},
        {"key": []},
        {"more": 1},
        {"signature": "0" * 127},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_changed_receipt(change: dict[str, Any]) -> None:
    log, receipts, keys = golden("hearts-closed")
    verdicts = check(log, [receipts[1] | change], keys)
    assert verdicts.pop("receipts").startswith("failed: line ")
    assert set(verdicts.values()) == {"ok"}


def test_a_receipt_needs_the_key_of_that_name() -> None:
    log, receipts, keys = golden("hearts-closed")
    (name,) = keys
    wrong: list[Any] = [{}, {name: "00" * 32}, {name: keys[name].upper()}, {name: 7}, 7]
    for others in wrong:
        assert check(log, receipts, others)["receipts"].startswith("failed: line ")


@pytest.mark.parametrize("receipts", [[None], ["x"], [7], [[]], [{}], 7, {"a": 1}])
def test_no_receipts_at_all(receipts: Any) -> None:
    log, _, keys = golden("hearts-closed")
    assert check(log, receipts, keys)["receipts"].startswith("failed: line ")


# --- hostile ----------------------------------------------------------------------------------

JUNK: list[Any] = [None, True, 0, -1, 2**53 - 1, "", "game", [], {}, [None], {"deals": 1}, [[[]]]]


TAMPERINGS = int(os.environ.get("TAMPERINGS", "100"))
SMALL = (
    *("hamlet-scripted", "hamlet-stock", "hearts-closed", "hearts-and-minds-scripted"),
    *("hamlet-play-four", "hamlet-play-scripted"),
)


@pytest.mark.parametrize(
    "path", [path for path in LOGS if path.stem in SMALL], ids=lambda path: path.stem
)
def test_junk_in_every_place_never_raises(path: Path) -> None:
    """One value anywhere in a line replaced by something else, and all chained again."""
    log, receipts, keys = golden(path.stem)
    chance = random.Random(7)
    for _ in range(TAMPERINGS * 6 // 10):
        changed = decoded(log)
        spot: Any = chance.choice(changed)
        whole = spot
        while True:
            at = chance.choice(list(spot) if isinstance(spot, dict) else range(len(spot)))
            if not isinstance(spot[at], dict | list) or not spot[at] or chance.random() < 0.2:
                break
            spot = spot[at]
        spot[at] = chance.choice(JUNK)
        if isinstance(whole.get("game"), str) and "known" in whole:
            again = chained(changed)
            assert (set(check(again, receipts, keys).values()) == {"ok"}) == (again == log)


def test_noise_never_raises() -> None:
    chance = random.Random(1)
    for size in range(0, 400, 7):
        noise = chance.randbytes(size)
        assert check(noise, [noise], {})["chain"].startswith("failed: line ")
