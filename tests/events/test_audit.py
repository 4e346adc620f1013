"""The audit: honest logs are ok, and every kind of change is found, named and placed."""

import json
import socket
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.card_games.cards import FRENCH
from domain.chance import Chain, ChainChance, below, words
from domain.game.model import SeatPlan
from domain.visibility import Viewer
from events.audit.audit import Report, audit, audit_feed, import_log, lines_of
from events.log.entry import line_for
from events.log.loader import fold
from tests.events.forging import Edit, Forgery, forged
from tests.games.hearts.golden import MOON_HANDS, hearts_moon
from tests.golden import files
from tests.golden.games import PERSONS, Table

NAMES = files.names()


LINES = 79
"""Of the log that is changed in most of these tests."""


@pytest.fixture(scope="module")
def table() -> Table:
    """One deal, three persons and a bot."""
    table = Table("audit")
    seats = [SeatPlan(kind="open")] * 3 + [SeatPlan(kind="bot", level="easy")]
    table.open("hearts", seats, {"target_score": 1})
    for seat, player in enumerate(PERSONS[:3]):
        table.sit(player, seat, entropy=16 if seat else 0)
    table.play()
    return table


@pytest.fixture(scope="module")
def honest(table: Table) -> list[bytes]:
    lines = table.log
    assert len(lines) == LINES
    return lines


@pytest.fixture(scope="module")
def file(honest: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in honest)


def failing(report: Report) -> dict[str, int | None]:
    return {v.name: v.version for v in report.verdicts if v.status == "failed"}


def first_fault(report: Report) -> int:
    return min(v.version for v in report.verdicts if v.version is not None and v.status != "ok")


# --- honest logs


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_is_ok(name: str) -> None:
    report = audit(files.log(name), receipts=files.receipts(name), keys=files.keys(name))
    assert report.ok
    assert {v.status for v in report.verdicts} == {"ok"}


def test_without_receipts_that_verdict_is_not_given_and_the_rest_decides(
    honest: list[bytes],
) -> None:
    report = audit(honest)
    assert report.ok
    assert report.verdict("receipts").status == "not-given"


def test_entropy_is_counted_over_persons(honest: list[bytes]) -> None:
    assert audit(honest).verdict("entropy").detail == "some"
    assert audit(files.log("hearts-default")).verdict("entropy").detail == "all"
    assert audit(files.log("hearts-moon")).verdict("entropy").detail == "none"


def test_scripted_chance_is_said_to_be_so(honest: list[bytes]) -> None:
    assert audit(honest).chance == "chain"
    assert audit(files.log("hearts-moon")).chance == "scripted"


def test_lines_may_come_with_their_line_feed(honest: list[bytes], file: bytes) -> None:
    assert audit([line + b"\n" for line in honest]).ok
    assert audit(lines_of(file)).ok


# --- one character anywhere


@pytest.mark.uncounted
@pytest.mark.parametrize("part", range(404))
def test_d07_one_bit_anywhere_fails_and_is_placed(file: bytes, part: int) -> None:
    position = len(file) * part // 404
    changed = bytearray(file)
    changed[position] ^= 1
    report = audit(lines_of(bytes(changed)))
    assert not report.ok
    assert first_fault(report) == file[:position].count(b"\n") + 1


@pytest.mark.uncounted
@pytest.mark.parametrize("part", range(61))
@pytest.mark.parametrize("inserted", [b" ", b"\n", b'"', b"0", b"\xff"])
def test_one_character_more_fails(file: bytes, part: int, inserted: bytes) -> None:
    position = len(file) * part // 61 + 7
    changed = file[:position] + inserted + file[position:]
    assert not audit(lines_of(changed)).ok


@pytest.mark.uncounted
@pytest.mark.parametrize("part", range(61))
def test_one_character_less_fails(file: bytes, part: int) -> None:
    position = len(file) * part // 61 + 3
    assert not audit(lines_of(file[:position] + file[position + 1 :])).ok


@pytest.mark.uncounted
@pytest.mark.parametrize("name", NAMES)
def test_one_character_of_a_golden_log_fails(name: str) -> None:
    file = b"".join(line + b"\n" for line in files.log(name))
    for position in range(11, len(file), len(file) // 12):
        changed = bytearray(file)
        changed[position] ^= 2
        report = audit(lines_of(bytes(changed)))
        assert not report.ok
        line = file[:position].count(b"\n") + 1
        assert line in {verdict.version for verdict in report.verdicts}


@pytest.mark.uncounted
def test_every_character_of_a_salt_and_a_known_value_counts(honest: list[bytes]) -> None:
    dealt = next(n for n, line in enumerate(honest) if b"hearts.dealt" in line)
    start = honest[dealt].index(b'"known"')
    for position in range(start, len(honest[dealt])):
        changed = bytearray(honest[dealt])
        changed[position] ^= 1
        report = audit([*honest[:dealt], bytes(changed), *honest[dealt + 1 :]])
        assert first_fault(report) == dealt + 1


WRITINGS: dict[str, Callable[[bytes], bytes]] = {
    "a space at the end": lambda line: line + b" ",
    "a space at the beginning": lambda line: b" " + line,
    "a space after a colon": lambda line: line.replace(b":", b": ", 1),
    "a space in known": lambda line: line.replace(b'"known":', b'"known": '),
    "a carriage return": lambda line: line + b"\r",
    "two line feeds": lambda line: line + b"\n\n",
    "a byte order mark": lambda line: b"\xef\xbb\xbf" + line,
    "an upper-case digest": lambda line: upper(line, b'"digest":"'),
    "an upper-case command": lambda line: upper(line, b'"command":"'),
    "an escaped letter": lambda line: line.replace(b'"game"', b'"\\u0067ame"', 1),
    "a number with a point": lambda line: line.replace(b'"schema":1', b'"schema":1.0'),
    "a number with an exponent": lambda line: line.replace(b'"schema":1', b'"schema":1e0'),
    "a member twice": lambda line: line.replace(b'"schema":1', b'"schema":1,"schema":1'),
    "a digest twice": lambda line: line.replace(b'"known":', b'"digest":"","known":'),
    "a member more": lambda line: line.replace(b'"type"', b'"toll":1,"type"'),
    "members in another order": lambda line: json.dumps(
        dict(reversed(json.loads(line).items())), separators=(",", ":")
    ).encode(),
    "known before digest": lambda line: (
        b'{"digest":"%b",' % line.split(b'"digest":"')[1][:64]
        + line[1:].replace(b',"digest":"%b"' % line.split(b'"digest":"')[1][:64], b"")
    ),
    "nothing": lambda line: b"",
    "no object": lambda line: b"[]",
    "null": lambda line: b"null",
}


def upper(line: bytes, after: bytes) -> bytes:
    start = line.index(after) + len(after)
    return line[:start] + line[start : start + 64].upper() + line[start + 64 :]


@pytest.mark.parametrize("version", [1, 6, 40, LINES])
@pytest.mark.parametrize("writing", WRITINGS.values(), ids=WRITINGS)
def test_d15_another_way_of_writing_the_same_fails(
    honest: list[bytes], version: int, writing: Callable[[bytes], bytes]
) -> None:
    changed = writing(honest[version - 1])
    assert changed != honest[version - 1]
    report = audit([*honest[: version - 1], changed, *honest[version:]])
    assert not report.ok
    assert failing(report)["chain"] == version


# --- lines moved about


@pytest.mark.parametrize("version", range(1, LINES, 5))
def test_lines_left_out_swapped_or_repeated_fail_where_they_are(
    honest: list[bytes], version: int
) -> None:
    before, here, after = honest[: version - 1], honest[version - 1], honest[version:]
    assert failing(audit(before + after))["chain"] == version
    assert failing(audit([*before, here, here, *after]))["chain"] == version + 1
    assert failing(audit([*before, after[0], here, *after[1:]]))["chain"] == version


@pytest.mark.parametrize("left", [1, 4, 10, 40, LINES - 2, LINES - 1])
def test_d13_a_log_without_its_end_is_not_revealed_and_never_ok(
    honest: list[bytes], left: int
) -> None:
    report = audit(honest[:left])
    assert not report.ok
    assert report.verdict("commitment").status == "not-revealed"
    assert report.verdict("rules").status == "not-revealed"


def test_a_log_of_nothing_fails() -> None:
    assert audit([]).status == "failed"
    assert audit([b""]).status == "failed"


def test_lines_of_another_game_fail(honest: list[bytes]) -> None:
    other = files.log("hearts-bots")
    assert failing(audit([*honest[:9], *other[9:]]))["chain"] == 10


def test_lines_after_the_end_fail(honest: list[bytes]) -> None:
    def edit(log: Forgery) -> None:
        log.entries.append(log.entries[-2] | {"version": len(honest) + 1})

    assert failing(audit(forged(honest, edit)))["commitment"] == len(honest) + 1


# --- forgeries: digests and seals are right again, and something else is not


def first(log: Forgery, kind: str) -> dict[str, Any]:
    return log.of_type(kind)


def version_of(lines: list[bytes], kind: str) -> int:
    version: int = Forgery(lines).of_type(kind)["version"]
    return version


def test_a_log_chained_again_without_a_change_is_the_same(honest: list[bytes]) -> None:
    assert forged(honest, lambda log: None) == honest


def two_cards_swapped(log: Forgery) -> None:
    dealt = first(log, "hearts.dealt")
    hands = [list(log.known(dealt, f"/hands/{seat}")) for seat in range(4)]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    for seat in (0, 1):
        log.state(dealt, f"/hands/{seat}", list(FRENCH.listed(FRENCH.set_of(hands[seat]))))


def test_a_forged_deal_fails_as_a_draw(honest: list[bytes]) -> None:
    """Seals, salts, openings and digests are all right: only the draw is not."""
    report = audit(forged(honest, two_cards_swapped))
    assert report.verdict("chain").status == "ok"
    assert report.verdict("seals").status == "ok"
    assert failing(report)["draws"] == version_of(honest, "hearts.dealt")
    assert report.verdict("draws").expected["hands"] != report.verdict("draws").found["hands"]


@pytest.mark.parametrize("name", ["hamlet-play-four", "hamlet-play-scripted"])
def test_endings_exchanged_fail_as_a_draw(name: str) -> None:
    """They are drawn from the root, or written down; no draw of the chain is theirs."""

    def edit(log: Forgery) -> None:
        dealt = first(log, "hamlet_play.endings-dealt")
        one, other = (log.known(dealt, f"/endings/{seat}") for seat in (0, 1))
        log.state(dealt, "/endings/0", other)
        log.state(dealt, "/endings/1", one)

    lines = files.log(name)
    report = audit(forged(lines, edit))
    assert report.verdict("seals").status == "ok"
    dealt = first(Forgery(lines), "hamlet_play.endings-dealt")
    assert failing(report)["draws"] == dealt["version"]


def test_d02_a_deal_by_another_shuffle_fails_as_a_draw(honest: list[bytes]) -> None:
    """Swap with any place, the biased shuffle of old, instead of with one not yet settled."""

    def edit(log: Forgery) -> None:
        dealt = first(log, "hearts.dealt")
        entropy = [bytes.fromhex(e or "") for e in first(log, "game.started")["data"]["entropy"]]
        stream = words(log.chain.links[1], "draw", log.game, "d1.deal", *entropy)
        deck = list(FRENCH.codes)
        for i in range(52):
            j = below(52, stream)
            deck[i], deck[j] = deck[j], deck[i]
        for seat in range(4):
            hand = FRENCH.listed(FRENCH.set_of(deck[seat::4]))
            log.state(dealt, f"/hands/{seat}", list(hand))

    assert failing(audit(forged(honest, edit)))["draws"] == version_of(honest, "hearts.dealt")


def test_d06_the_commitment_tells_nothing_of_the_deal() -> None:
    """A deal derived from the commitment agrees with the real one no better than chance."""
    agreeing = 0
    for number in range(200):
        chain = Chain.derive(f"game-{number}", number.to_bytes(32))
        real, _ = ChainChance(chain, 1, (), dict).shuffle("d1.deal", FRENCH.codes)
        guess = Chain(chain.game, (b"", chain.commitment))
        guessed, _ = ChainChance(guess, 1, (), dict).shuffle("d1.deal", FRENCH.codes)
        agreeing += sum(a == b for a, b in zip(real, guessed, strict=True))
    assert 140 < agreeing < 260, "by chance one card of each deck stands in the same place"


def test_d07_the_audit_needs_no_network(
    table: Table, honest: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_network(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("the audit opens a socket")

    monkeypatch.setattr(socket, "socket", no_network)
    assert audit(honest, receipts=table.receipts, keys=table.keys).ok


def flipped(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


STEPS: dict[str, tuple[Edit, str]] = {
    "root": (
        lambda log: first(log, "game.finished")["data"].update(
            root=flipped(first(log, "game.finished")["data"]["root"])
        ),
        "commitment",
    ),
    "no root": (lambda log: first(log, "game.finished")["data"].pop("root"), "commitment"),
    "commitment": (
        lambda log: first(log, "game.opened")["data"].update(
            commitment=flipped(first(log, "game.opened")["data"]["commitment"])
        ),
        "commitment",
    ),
    "length of the chain": (
        lambda log: first(log, "game.opened")["data"].update(links=512),
        "commitment",
    ),
    "endless chain": (
        lambda log: first(log, "game.opened")["data"].update(links=2**52),
        "commitment",
    ),
    "link": (
        lambda log: first(log, "game.deal-revealed")["data"].update(
            link=flipped(first(log, "game.deal-revealed")["data"]["link"])
        ),
        "commitment",
    ),
    "order": (two_cards_swapped, "draws"),
    "number of a draw": (
        lambda log: first(log, "hearts.dealt")["data"]["draw"].update(number=2),
        "draws",
    ),
    "purpose of a draw": (
        lambda log: first(log, "hearts.dealt")["data"]["draw"].update(purpose="d2.deal"),
        "draws",
    ),
    "a draw that says it was scripted": (
        lambda log: first(log, "hearts.dealt")["data"]["draw"].update(scripted=True),
        "draws",
    ),
    "whom a part is for": (
        lambda log: first(log, "hearts.dealt")["data"]["hands"][0].update(to=[0, 1]),
        "seals",
    ),
    "until when a part is sealed": (
        lambda log: first(log, "hearts.dealt")["data"]["hands"][0].update(until="game"),
        "seals",
    ),
    "a secret in the clear": (
        lambda log: first(log, "hearts.cards-passed")["data"].update(cards=["2C", "3C", "4C"]),
        "seals",
    ),
    "a known part left out": (lambda log: first(log, "hearts.dealt")["known"].pop(), "seals"),
    "known parts in another order": (
        lambda log: first(log, "hearts.dealt")["known"].reverse(),
        "chain",
    ),
    "a command id in capitals": (
        lambda log: log.entries[3].update(command=log.entries[3]["command"].upper()),
        "chain",
    ),
    "a member name that is not ASCII": (
        lambda log: first(log, "game.opened")["data"]["options"].update({"é": 1}),
        "chain",
    ),
    "a number that is too large": (
        lambda log: first(log, "hearts.dealt")["data"].update(deal=2**53),
        "chain",
    ),
    "a draw that is none": (lambda log: first(log, "hearts.dealt")["data"].update(draw=1), "draws"),
    "a reveal of another draw": (
        lambda log: first(log, "game.deal-revealed")["data"].update(draw=7),
        "draws",
    ),
    "a move under the command of the move before": (
        lambda log: log.of_type("hearts.card-played", 1).update(
            command=first(log, "hearts.card-played")["command"]
        ),
        "rules",
    ),
    "a known part too many": (
        lambda log: first(log, "hearts.card-played")["known"].append(
            {"path": "/card", "salt": "00" * 32, "value": "2C"}
        ),
        "seals",
    ),
    "a salt": (
        lambda log: first(log, "hearts.dealt")["known"][2].update(salt="ab" * 32),
        "seals",
    ),
    "a value known": (
        lambda log: first(log, "hearts.cards-passed")["known"][0].update(value=["2C"]),
        "seals",
    ),
    "an opened part left out": (
        lambda log: first(log, "game.deal-revealed")["data"]["parts"].pop(),
        "seals",
    ),
    "an opened part twice": (
        lambda log: first(log, "game.deal-revealed")["data"]["parts"].append(
            first(log, "game.deal-revealed")["data"]["parts"][0]
        ),
        "seals",
    ),
    "an opened value": (
        lambda log: first(log, "game.deal-revealed")["data"]["parts"][0].update(value=["2C"]),
        "seals",
    ),
    "the frozen entropy": (
        lambda log: first(log, "game.started")["data"]["entropy"].__setitem__(1, "ab" * 16),
        "entropy",
    ),
    "entropy left out": (
        lambda log: first(log, "game.started")["data"].update(entropy=[None] * 4),
        "entropy",
    ),
    "entropy of a seat": (
        lambda log: log.entries[2]["data"].update(entropy="cd" * 16),
        "entropy",
    ),
    "entropy in capitals": (
        lambda log: log.entries[2]["data"].update(
            entropy=str(log.entries[2]["data"]["entropy"]).upper()
        ),
        "entropy",
    ),
    "entropy too short": (lambda log: log.entries[2]["data"].update(entropy="ab"), "entropy"),
    "who takes a trick": (
        lambda log: first(log, "hearts.trick-taken")["data"].update(
            seat=(first(log, "hearts.trick-taken")["data"]["seat"] + 1) % 4
        ),
        "rules",
    ),
    "points of a trick": (
        lambda log: first(log, "hearts.trick-taken")["data"].update(points=5),
        "rules",
    ),
    "hearts broken": (
        lambda log: first(log, "hearts.card-played")["data"].update(breaks_hearts=True),
        "rules",
    ),
    "a field more": (
        lambda log: first(log, "hearts.card-played")["data"].update(aside="alas"),
        "rules",
    ),
    "a null where nothing belongs": (
        lambda log: first(log, "hearts.card-played")["actor"].update(bot=None),
        "rules",
    ),
    "another player": (
        lambda log: first(log, "hearts.card-played")["actor"].update(id="yorick", kind="player"),
        "rules",
    ),
    "another seat": (
        lambda log: first(log, "hearts.cards-passed")["actor"].update(seat=3),
        "rules",
    ),
    "a bot of another level": (
        lambda log: next(e for e in log.entries if e["actor"]["kind"] == "bot")["actor"].update(
            level="hard"
        ),
        "rules",
    ),
    "a consequence that somebody caused": (
        lambda log: first(log, "hearts.trick-taken")["actor"].update(kind="player", id="hamlet"),
        "rules",
    ),
    "another cause": (
        lambda log: first(log, "hearts.trick-taken").update(causation=2),
        "rules",
    ),
    "a move with a cause": (
        lambda log: first(log, "hearts.card-played").update(causation=2),
        "rules",
    ),
    "a consequence under a command of its own": (
        lambda log: first(log, "hearts.trick-taken").update(command="ab" * 16),
        "rules",
    ),
    "a command id that comes back": (
        lambda log: first(log, "hearts.card-played").update(command=log.entries[1]["command"]),
        "rules",
    ),
    "another time within a command": (
        lambda log: first(log, "hearts.trick-taken").update(at="2031-01-01T00:00:00.000Z"),
        "rules",
    ),
    "a question of another trick": (
        lambda log: first(log, "hearts.card-played")["data"].update(answers="d1.t2"),
        "rules",
    ),
    "who sat down": (lambda log: log.entries[1]["data"].update(player="yorick"), "rules"),
    "who opened": (
        lambda log: first(log, "game.opened")["data"].update(opener="yorick"),
        "rules",
    ),
    "an option": (
        lambda log: first(log, "game.opened")["data"]["options"].update(target_score=100),
        "rules",
    ),
    "an option that is none": (
        lambda log: first(log, "game.opened")["data"]["options"].update(target_score=0),
        "rules",
    ),
    "the reason of the end": (
        lambda log: first(log, "game.finished")["data"].update(reason="closed"),
        "rules",
    ),
    "the winner": (
        lambda log: first(log, "game.finished")["data"]["outcome"].update(winners=[3]),
        "rules",
    ),
    "the final totals": (
        lambda log: first(log, "game.finished")["data"]["outcome"]["standings"].update(
            totals=[1, 2, 3, 4]
        ),
        "scores",
    ),
    "a total": (
        lambda log: first(log, "hearts.deal-scored")["data"].update(totals=[1, 2, 3, 4]),
        "scores",
    ),
    "no seat for who sits down": (lambda log: log.entries[1]["actor"].pop("seat"), "rules"),
    "a seat for who opens": (lambda log: log.entries[0]["actor"].update(seat=0), "rules"),
    "the game as a sender": (
        lambda log: first(log, "hearts.card-played").update(actor={"kind": "table"}),
        "chain",
    ),
    "an auditor": (
        lambda log: first(log, "hearts.card-played").update(actor={"kind": "auditor", "id": "x"}),
        "chain",
    ),
    "a bot without a program": (
        lambda log: next(e for e in log.entries if e["actor"]["kind"] == "bot")["actor"].pop("bot"),
        "chain",
    ),
    "no fallback, it says": (
        lambda log: next(e for e in log.entries if e["actor"]["kind"] == "bot")["actor"].update(
            fallback=False
        ),
        "chain",
    ),
    "a field less": (lambda log: first(log, "hearts.dealt")["data"].pop("leader"), "chain"),
    "opened twice": (lambda log: log.entries[1].update(type="game.opened"), "chain"),
    "a game id of another length": (lambda log: log.entries[3].update(game="a"), "chain"),
    "a schema below the first": (lambda log: log.entries[1].update(schema=0), "chain"),
    "no scheme": (lambda log: log.entries[0].update(scheme=None), "chain"),
    "a link with a draw that is secret": (
        lambda log: first(log, "hearts.dealt")["data"]["draw"].update(link="00" * 32),
        "commitment",
    ),
    "not scripted, it says": (
        lambda log: first(log, "hearts.dealt")["data"]["draw"].update(scripted=False),
        "draws",
    ),
    "another direction": (
        lambda log: first(log, "hearts.dealt")["data"].update(direction="right"),
        "draws",
    ),
    "a draw where none is due": (
        lambda log: log.entries.insert(
            first(log, "hearts.dealt")["version"], dict(first(log, "hearts.dealt"))
        ),
        "draws",
    ),
    "no draw where one is due": (
        lambda log: log.entries.remove(first(log, "hearts.dealt")),
        "draws",
    ),
    "a script of no deals": (
        lambda log: log.entries[0]["data"].update(script={"deals": 0, "first_deal": 1}),
        "draws",
    ),
    "fewer scripted deals than it says": (
        lambda log: log.entries[0]["data"].update(script={"deals": 1, "first_deal": 1}),
        "seals",
    ),
    "a sealed part where none belongs": (
        lambda log: log.entries[0]["data"]["options"].update(
            x={"sealed": "00" * 32, "to": [], "until": 1}
        ),
        "seals",
    ),
    "true for 1": (
        lambda log: first(log, "hearts.dealt")["data"]["hands"][1].update(to=[True]),
        "seals",
    ),
    "opened parts in another order": (
        lambda log: first(log, "game.deal-revealed")["data"]["parts"].reverse(),
        "seals",
    ),
    "an opened part with more to it": (
        lambda log: first(log, "game.deal-revealed")["data"]["parts"][0].update(more=1),
        "seals",
    ),
    "a bot's entropy": (
        lambda log: log.entries[2]["data"].update(player=None, level="easy"),
        "entropy",
    ),
    "entropy of no seat": (lambda log: log.entries[2]["data"].update(seat=7), "entropy"),
    "started twice": (
        lambda log: log.entries.insert(
            first(log, "hearts.dealt")["version"], dict(first(log, "game.started"))
        ),
        "entropy",
    ),
    "a pass that is not in card order": (
        lambda log: log.state(
            first(log, "hearts.cards-passed"),
            "/cards",
            log.known(first(log, "hearts.cards-passed"), "/cards")[::-1],
        ),
        "rules",
    ),
    "the time": (lambda log: log.entries[3].update(at="2026-03-01 12:00:00.000Z"), "chain"),
}


@pytest.mark.parametrize(("edit", "verdict"), STEPS.values(), ids=STEPS)
def test_d07_a_forged_step_fails_by_its_name(honest: list[bytes], edit: Edit, verdict: str) -> None:
    changed = forged(honest, edit)
    assert changed != honest
    report = audit(changed)
    assert not report.ok
    found = report.verdict(verdict)
    assert found.status == "failed", report
    assert found.version is not None


def test_d07_the_game_id_is_in_every_hash(honest: list[bytes]) -> None:
    """All of a log moved to another game id, and chained again: link, seal and draw know it."""

    def edit(log: Forgery) -> None:
        log.game = "a" * 26
        for entry in log.entries:
            entry["game"] = log.game

    failed = failing(audit(forged(honest, edit)))
    assert {"commitment", "seals", "draws"} <= failed.keys()


def played(log: Forgery) -> list[dict[str, Any]]:
    return [entry for entry in log.entries if entry["type"] == "hearts.card-played"]


@pytest.mark.parametrize("number", range(0, 52, 3))
def test_another_card_played_fails_by_the_rules(honest: list[bytes], number: int) -> None:
    """A card that the seat plays later stands in its place; digests are right."""
    seat = played(Forgery(honest))[number]["data"]["seat"]

    def edit(log: Forgery) -> None:
        plays = played(log)
        plays[number]["data"]["card"] = next(
            (p["data"]["card"] for p in plays[number + 1 :] if p["data"]["seat"] == seat), "2C"
        )

    report = audit(forged(honest, edit))
    assert failing(report)["rules"] is not None
    assert report.verdict("chain").status == "ok"


def test_a21_a_card_played_twice_stops_the_replay_and_no_score_is_given(
    honest: list[bytes],
) -> None:
    def edit(log: Forgery) -> None:
        plays = played(log)
        again = next(p for p in plays[4:] if p["data"]["seat"] == plays[0]["data"]["seat"])
        again["data"]["card"] = plays[0]["data"]["card"]

    report = audit(forged(honest, edit))
    found = report.verdict("scores")
    assert found.status == "failed"
    assert found.detail.startswith("integrity-error: ")
    first_play = played(Forgery(honest))[0]["version"]
    assert found.version is not None
    assert found.version > first_play


def test_a21_a_hand_of_fourteen_cards_stops_the_replay(honest: list[bytes]) -> None:
    def edit(log: Forgery) -> None:
        dealt = first(log, "hearts.dealt")
        hands = [list(log.known(dealt, f"/hands/{seat}")) for seat in (0, 1)]
        hands[0].append(hands[1].pop())
        for seat in (0, 1):
            log.state(dealt, f"/hands/{seat}", list(FRENCH.listed(FRENCH.set_of(hands[seat]))))

    report = audit(forged(honest, edit))
    for name in ("rules", "scores"):
        found = report.verdict(name)
        assert (found.status, found.version) == ("failed", version_of(honest, "hearts.dealt"))
        assert found.detail.startswith("integrity-error: ")


def test_a_forged_score_fails_by_rules_and_scores(honest: list[bytes]) -> None:
    """Points moved to another seat, in the deal, the totals and the outcome alike."""

    def edit(log: Forgery) -> None:
        scored, finished = (
            first(log, kind)["data"] for kind in ("hearts.deal-scored", "game.finished")
        )
        for places in (scored["points"], scored["totals"]):
            places.reverse()
        final = finished["outcome"]["standings"]
        final["totals"].reverse()
        final["ranks"].reverse()
        finished["outcome"]["winners"] = [3 - w for w in finished["outcome"]["winners"]]

    failed = failing(audit(forged(honest, edit)))
    assert failed["rules"] == failed["scores"] == version_of(honest, "hearts.deal-scored")


def test_a_moon_denied_fails_by_scores() -> None:
    log = files.log("hearts-moon")

    def edit(forgery: Forgery) -> None:
        scored = forgery.of_type("hearts.deal-scored", -1)["data"]
        before = [t - p for t, p in zip(scored["totals"], scored["points"], strict=True)]
        scored.update(moon=None, points=scored["captured"])
        scored["totals"] = [b + p for b, p in zip(before, scored["points"], strict=True)]

    assert "scores" in failing(audit(forged(log, edit)))


def test_a_script_that_was_not_dealt_fails_as_a_draw() -> None:
    log = files.log("hearts-moon")

    def edit(forgery: Forgery) -> None:
        opened = forgery.entries[0]
        deal = forgery.known(opened, "/scripted_deals/0")
        deal["hands"][0], deal["hands"][2] = deal["hands"][2], deal["hands"][0]
        forgery.state(opened, "/scripted_deals/0", deal)

    report = audit(forged(log, edit))
    assert report.verdict("seals").status == "ok"
    assert failing(report)["draws"] == Forgery(log).of_type("hearts.dealt", -1)["version"]


def test_a_script_stands_in_card_order_however_it_was_written() -> None:
    scripted = Forgery(files.log("hearts-closed"))
    hands = scripted.known(scripted.entries[0], "/scripted_deals/0")["hands"]
    assert hands == [sorted(hand, key=FRENCH.codes.index) for hand in MOON_HANDS]
    assert hands != [list(hand) for hand in MOON_HANDS]
    turned = {"hands": [hand[::-1] for hand in hands]}
    changed = forged(
        files.log("hearts-closed"),
        lambda log: log.state(log.entries[0], "/scripted_deals/0", turned),
    )
    assert failing(audit(changed)) == {"rules": 1}


def test_the_seat_of_a_person_who_acts_is_the_one_they_have() -> None:
    actors = [line["actor"] for line in map(json.loads, files.log("hearts-bots"))][:6]
    assert [actor.get("seat") for actor in actors] == [None, 2, 3, 3, 0, 0]


def test_a_link_kept_back_fails_as_a_draw(honest: list[bytes]) -> None:
    """The entry that reveals the draw comes, but under a command of its own."""

    def edit(log: Forgery) -> None:
        for entry in log.entries[-2:]:
            entry.update(command="ef" * 16)

    assert failing(audit(forged(honest, edit)))["draws"] == version_of(honest, "hearts.deal-scored")


# --- receipts


def test_receipts_of_every_command_are_in_the_log(table: Table, honest: list[bytes]) -> None:
    assert (
        audit(honest, receipts=table.receipts, keys=table.keys).verdict("receipts").status == "ok"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "ab" * 32},
        {"version": 3},
        {"version": 0},
        {"version": 10_000},
        {"game": "b" * 26},
        {"key": "ab" * 8},
        {"signature": "ab" * 64},
        {"signature": "zz"},
        {"signature": None},
        {"digest": "AB" * 32},
        {"more": 1},
    ],
    ids=str,
)
def test_a_receipt_that_is_not_of_this_log_fails(
    table: Table, honest: list[bytes], change: dict[str, Any]
) -> None:
    receipt = {**msgspec.to_builtins(table.receipts[-1]), **change}
    report = audit(honest, receipts=[*table.receipts, receipt], keys=table.keys)
    assert list(failing(report)) == ["receipts"]


def test_a_signature_in_capitals_fails(table: Table, honest: list[bytes]) -> None:
    receipt = msgspec.to_builtins(table.receipts[-1])
    receipt["signature"] = receipt["signature"].upper()
    assert not audit(honest, receipts=[receipt], keys=table.keys).ok


def test_a_key_is_known_by_the_name_of_its_hash(table: Table, honest: list[bytes]) -> None:
    (key,) = table.keys.values()
    receipt = {**msgspec.to_builtins(table.receipts[-1]), "key": "ab" * 8}
    assert list(failing(audit(honest, receipts=[receipt], keys={"ab" * 8: key}))) == ["receipts"]


def test_a_receipt_proves_that_the_end_was_cut_off(table: Table, honest: list[bytes]) -> None:
    assert failing(audit(honest[:-1], receipts=table.receipts[-1:], keys=table.keys)) == {
        "receipts": len(honest)
    }


def test_a_receipt_without_its_key_fails(table: Table, honest: list[bytes]) -> None:
    assert list(failing(audit(honest, receipts=table.receipts))) == ["receipts"]


def test_a_receipt_for_a_digest_that_was_signed_and_rewritten_convicts(
    table: Table, honest: list[bytes]
) -> None:
    """A log rewritten as a whole is consistent; the receipt kept from before is not."""

    def edit(log: Forgery) -> None:
        for entry in log.entries:
            entry["correlation"] = "rewritten"

    rewritten = forged(honest, edit)
    assert audit(rewritten).ok
    report = audit(rewritten, receipts=table.receipts[-1:], keys=table.keys)
    assert failing(report) == {"receipts": len(honest)}


# --- three different answers, and a fourth


@pytest.mark.parametrize("name", NAMES)
def test_d13_ok_tampered_and_not_revealed_are_three_answers(name: str) -> None:
    log = files.log(name)
    tampered = [*log[:-1], log[-1].replace(b'"root":"', b'"root":"0', 1)]
    answers = [audit(lines).status for lines in (log, tampered, log[:-1])]
    assert answers == ["ok", "failed", "not-revealed"]


UNKNOWN: dict[str, Edit] = {
    "scheme": lambda log: log.entries[0].update(scheme="elsinore/2"),
    "rule set": lambda log: log.entries[0]["data"].update(ruleset="hearts@99"),
    "event type": lambda log: log.entries[20].update(type="hearts.card-eaten"),
    "newer schema": lambda log: log.entries[20].update(schema=2),
}


@pytest.mark.parametrize("left", range(1, LINES, 7))
def test_an_unfinished_log_is_sure_of_chain_and_frozen_entropy_alone(
    honest: list[bytes], left: int
) -> None:
    started = left >= version_of(honest, "game.started")
    sure = {v.name for v in audit(honest[:left]).verdicts if v.status == "ok"}
    assert sure == ({"chain", "entropy"} if started else {"chain"})


def test_a_line_without_its_form_leaves_nothing_to_say(table: Table, honest: list[bytes]) -> None:
    report = audit([*honest[:-1], b"{}"], receipts=table.receipts, keys=table.keys)
    assert {verdict.status for verdict in report.verdicts} == {"failed"}


@pytest.mark.parametrize("edit", UNKNOWN.values(), ids=UNKNOWN)
def test_d13_what_is_unknown_is_unsupported_and_never_ok(honest: list[bytes], edit: Edit) -> None:
    report = audit(forged(honest, edit))
    assert not report.ok
    assert report.status == "unsupported"
    answered = {v.name for v in report.verdicts if v.status != "unsupported"}
    assert answered <= {"chain", "receipts"}


# --- feeds


def feed(table: Table, viewer: Viewer, upto: int | None = None) -> list[bytes]:
    entries = table.store.read(table.game, last=upto)
    chain = fold(table.game, entries).chain
    return [line_for(entry, viewer, chain) for entry in entries]


VIEWERS = [Viewer(), Viewer(opener=True), *map(Viewer, range(4))]


@pytest.mark.parametrize("viewer", VIEWERS, ids=str)
def test_a_feed_is_never_failed_on_the_way_and_ok_at_the_end(table: Table, viewer: Viewer) -> None:
    whole = feed(table, viewer)
    for upto in range(1, len(whole)):
        report = audit_feed(whole[:upto])
        assert report.status == "not-revealed", report
        assert report.verdict("chain").status == "ok"
    assert audit_feed(whole).ok


def test_a_feed_redoes_a_draw_as_soon_as_it_is_revealed(table: Table, honest: list[bytes]) -> None:
    revealed = version_of(honest, "game.deal-revealed")
    for upto, redone in ((revealed - 1, "0 of 1"), (revealed, "1 of 1")):
        verdict = audit_feed(feed(table, Viewer(), upto)).verdict("draws")
        assert verdict.detail.startswith(redone)


def test_a_forged_deal_fails_in_a_feed_when_it_is_revealed(honest: list[bytes]) -> None:
    revealed = version_of(honest, "game.deal-revealed")

    def edit(log: Forgery) -> None:
        two_cards_swapped(log)
        for entry in log.entries:
            entry["known"] = []

    lines = forged(honest, edit)
    assert audit_feed(lines[: revealed - 1]).status == "not-revealed"
    assert failing(audit_feed(lines[:revealed]))["draws"] == version_of(honest, "hearts.dealt")


def test_a_forged_value_of_ones_own_fails_in_a_feed_at_once(
    table: Table, honest: list[bytes]
) -> None:
    lines = feed(table, Viewer(2), version_of(honest, "hearts.dealt"))
    lines[-1] = lines[-1].replace(b'"value":["', b'"value":["9S","', 1)
    assert failing(audit_feed(lines)) == {"seals": len(lines)}


def test_a_deal_without_its_draw_fails_in_a_feed(honest: list[bytes]) -> None:
    def edit(log: Forgery) -> None:
        for entry in log.entries:
            entry["known"] = []
        first(log, "hearts.dealt")["data"]["draw"] = None

    assert "draws" in failing(audit_feed(forged(honest, edit)))


def test_a_wrong_value_revealed_fails_in_a_feed(honest: list[bytes]) -> None:
    revealed = version_of(honest, "game.deal-revealed")

    def edit(log: Forgery) -> None:
        for entry in log.entries:
            entry["known"] = []
        first(log, "game.deal-revealed")["data"]["parts"][0]["value"] = ["2C"]

    assert failing(audit_feed(forged(honest, edit)[:revealed]))["seals"] == revealed


def test_a_scripted_draw_is_not_redone_before_the_script_is_out() -> None:
    table = hearts_moon()
    entries = table.store.read(table.game)[:-1]
    chain = fold(table.game, entries).chain
    spectator = [line_for(entry, Viewer(), chain) for entry in entries]
    opener = [line_for(entry, Viewer(opener=True), chain) for entry in entries]
    assert audit_feed(spectator).verdict("draws").detail.startswith("3 of 4")
    assert audit_feed(opener).verdict("draws").detail.startswith("4 of 4")


def test_a_feed_is_no_whole_log(table: Table) -> None:
    report = audit(feed(table, Viewer(1)))
    assert report.verdict("seals").status == "failed"
    assert not report.ok


# --- hostile input: an answer, whatever comes


HOSTILE = {
    "nothing": b"",
    "not utf-8": b'{"a":"\xff"}',
    "a lone surrogate": b'{"a":"\\ud800"}',
    "nested": b"[" * 100_000,
    "nested in known": b'{"digest":"","known":[{"path":"","salt":"","value":%b}]}'
    % (b"[" * 2000 + b"]" * 2000),
    "a huge number": b'{"digest":"%b","known":[],"version":%b}' % (b"0" * 64, b"9" * 5000),
    "a text": b'"alas"',
    "nul bytes": b"\0" * 100,
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("version", [1, 7])
def test_hostile_lines_are_answered_and_named(
    honest: list[bytes], line: bytes, version: int
) -> None:
    for check in (audit, audit_feed):
        report = check([*honest[: version - 1], line, *honest[version:]])
        assert failing(report)["chain"] == version


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.uncounted
@settings(max_examples=300, deadline=None)
@given(st.integers(0, LINES - 1), st.data())
def test_any_member_of_any_entry_may_be_anything(
    honest: list[bytes], place: int, data: st.DataObject
) -> None:
    """Chained again, so that every check has to read it. The answer may be ok only unchanged."""
    forgery = Forgery(honest)
    entry = forgery.entries[place]
    where: Any = entry
    name = data.draw(st.sampled_from(sorted(set(entry) - {"digest"})))
    if name == "data":
        where, name = entry["data"], data.draw(st.sampled_from(sorted(entry["data"])))
    where[name] = data.draw(JSON)
    try:
        lines = forgery.lines()
    except (ValueError, OverflowError):
        return
    for check in (audit, audit_feed):
        report = check(lines)
        harmless = (
            lines == honest or name == "correlation" or (check is audit_feed and name == "known")
        )
        assert harmless or not report.ok


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=80), max_size=4))
def test_any_bytes_are_answered(lines: list[bytes]) -> None:
    for check in (audit, audit_feed):
        report = check(lines, receipts=[{}], keys={"a": "b"})
        assert not report.ok
        assert len(report.verdicts) == 8


@pytest.mark.parametrize("writing", ["nothing", "no object", "a space at the end"])
def test_an_import_names_the_line_it_cannot_read(honest: list[bytes], writing: str) -> None:
    with pytest.raises(ValueError, match="line 3: "):
        import_log([*honest[:2], WRITINGS[writing](honest[0])])
