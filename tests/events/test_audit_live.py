"""The audit of a game still played: what depends on nothing hidden is judged at once."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain import registry
from domain.game.model import SeatPlan
from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.visibility import Viewer
from events.audit.audit import Report, audit, audit_feed, import_log
from events.cardsets import read_card_set
from events.log.entry import line_for
from tests.events.forging import Forgery, forged
from tests.games.hamlet_play.golden import TINY
from tests.golden import files
from tests.golden.games import PERSONS, Table

NAMES = files.names()
PLAYS = [name for name in NAMES if name.startswith("hamlet-play-")]
WATCHING = [Viewer(), Viewer(0), Viewer(1)]


def seen(lines: list[bytes], viewer: Viewer) -> list[bytes]:
    """The feed of a finished log as one viewer had it, without the last line: still played."""
    chain = Forgery(lines).chain
    return [line_for(entry, viewer, chain) for entry in import_log(lines)][:-1]


def changed(name: str, edit: Callable[[Forgery], int]) -> tuple[list[bytes], int]:
    """A golden log with the entry changed whose version `edit` says, every digest right."""
    forgery = Forgery(files.log(name))
    version = edit(forgery)
    return forgery.lines(), version


def statuses(report: Report) -> set[str]:
    return {verdict.status for verdict in report.verdicts}


def draws_that_are_out(feed: list[bytes], *, script: bool) -> tuple[int, int]:
    """How many draws can be redone, their link and result being out, and how many there are."""
    drawn, out = dict[int, Any](), set[int]()
    for entry in map(json.loads, feed):
        draw = entry["data"].get("draw")
        if isinstance(draw, int):
            out.add(draw)
        elif draw is not None:
            drawn[draw["number"]] = draw
            out |= {draw["number"]} if "link" in draw else set()
    redone = [k for k in out if script or not drawn[k].get("scripted")]
    return len(redone), len(drawn)


# --- honest games


@pytest.mark.parametrize("viewer", [Viewer(), Viewer(1), Viewer(opener=True)], ids=str)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "hearts-closed"])
def test_every_draw_whose_link_is_out_is_redone_while_the_game_goes_on(
    name: str, viewer: Viewer
) -> None:
    """A new game has nothing to do for it; it fails here if a draw waits for what is hidden."""
    whole = seen(files.log(name), viewer)
    for upto in (len(whole) // 3, 2 * len(whole) // 3, len(whole)):
        feed = whole[:upto]
        redone, count = draws_that_are_out(feed, script=viewer.opener)
        report = audit_feed(feed)
        assert statuses(report) <= {"ok", "not-revealed", "not-given"}, report
        assert report.verdict("draws").detail.startswith(f"{redone} of {count} draws redone")


@pytest.mark.uncounted
@pytest.mark.parametrize("viewer", WATCHING, ids=str)
@pytest.mark.parametrize("name", PLAYS)
def test_at_any_moment_of_a_play_nothing_fails(name: str, viewer: Viewer) -> None:
    whole = seen(files.log(name), viewer)
    for upto in (*range(1, len(whole), 3), len(whole)):
        report = audit_feed(whole[:upto])
        assert report.status == "not-revealed", report


@pytest.fixture
def dicey(tmp_path: Path) -> Iterator[None]:
    with registry.using(hamlet_play(CardSets((tiny_with_a_die_at_the_end_of_each_act(tmp_path),)))):
        yield


@pytest.mark.usefixtures("dicey")
def test_a_die_at_the_end_of_an_act_waits_for_no_ending() -> None:
    """The Act ends right after it, and who has won then is known at the end of the game only."""
    table = Table("live")
    table.open("hamlet_play", [SeatPlan(kind="open")] * 2, {"card_set": "dicey"})
    for seat, player in enumerate(PERSONS[:2]):
        table.sit(player, seat, entropy=16)
    table.play()
    lines = [json.loads(line) for line in table.log]
    ended = next(e["version"] for e in lines if e["type"] == "hamlet_play.act-ended")
    assert lines[ended - 2]["data"]["draw"]["purpose"] == "a1.end.die1"
    for viewer in WATCHING:
        feed = seen(table.log, viewer)
        redone, count = draws_that_are_out(feed, script=False)
        assert redone == count
        report = audit_feed(feed)
        assert report.status == "not-revealed", report
        assert report.verdict("draws").detail.startswith(f"{count} of {count} draws redone")


def tiny_with_a_die_at_the_end_of_each_act(folder: Path) -> CardSet:
    cards = folder / "dicey"
    shutil.copytree(TINY, cards)
    head, effects = cards / "set.toml", cards / "effects.toml"
    head.write_text(head.read_text().replace('name = "tiny"', 'name = "dicey"'))
    with effects.open("a") as more:
        more.write(
            """
[[end_of_act]]
id = "a-die"
name = { en = "A die", ja = "A die" }
results = [{ does = "roll", cases = [
  { faces = [6], results = [{ does = "move-track", track = "laertes.swordplay", by = 1 }] },
] }]
"""
        )
    return read_card_set(cards)


# --- and others


def another_face(log: Forgery) -> int:
    rolled = log.of_type("hamlet_play.die-rolled", -1)
    rolled["data"]["face"] = rolled["data"]["face"] % 6 + 1
    version: int = rolled["version"]
    return version


def another_first_player(log: Forgery) -> int:
    drawn = log.of_type("hamlet_play.first-player-drawn")
    drawn["data"]["first_player"] = (drawn["data"]["first_player"] + 1) % len(
        log.entries[0]["data"]["seats"]
    )
    version: int = drawn["version"]
    return version


def another_purpose(log: Forgery) -> int:
    drawn = log.of_type("hamlet_play.first-player-drawn")
    drawn["data"]["draw"]["purpose"] = "a1.s1.die1"
    version: int = drawn["version"]
    return version


DRAWS = [
    *((name, another_face) for name in PLAYS),
    ("hamlet-play-four", another_first_player),
    *((name, another_purpose) for name in PLAYS if name != "hamlet-play-scripted"),
]


@pytest.mark.parametrize("viewer", WATCHING, ids=str)
@pytest.mark.parametrize(("name", "edit"), DRAWS)
def test_a_changed_draw_of_a_play_fails_while_it_goes_on(
    name: str, edit: Callable[[Forgery], int], viewer: Viewer
) -> None:
    lines, version = changed(name, edit)
    feed = seen(lines, viewer)
    assert audit_feed(feed[: version - 1]).status == "not-revealed"
    for upto in (version, len(feed)):
        found = audit_feed(feed[:upto]).verdict("draws")
        assert (found.status, found.version) == ("failed", version), found


def another_value(log: Forgery) -> int:
    moved = log.of_type("hamlet_play.track-moved")
    moved["data"]["after"] += 1 if moved["data"]["after"] < moved["data"]["before"] else -1
    version: int = moved["version"]
    return version


def another_action(log: Forgery) -> int:
    taken = log.of_type("hamlet_play.action-taken")
    taken["data"]["action"] = "hamlet.no-such-action"
    version: int = taken["version"]
    return version


def nothing_more(log: Forgery) -> int:
    taken = next(e for e in log.entries if e["data"].get("goes_on") is True)
    taken["data"]["goes_on"] = False
    version: int = taken["version"]
    return version


def another_stage(log: Forgery) -> int:
    laid = log.of_type("hamlet_play.stage-set")
    laid["data"]["personae"].reverse()
    version: int = laid["version"]
    return version


@pytest.mark.parametrize("viewer", WATCHING, ids=str)
@pytest.mark.parametrize("name", PLAYS)
@pytest.mark.parametrize("edit", [another_action, nothing_more, another_stage])
def test_a_changed_fact_of_a_play_fails_by_the_rules_while_it_goes_on(
    name: str, edit: Callable[[Forgery], int], viewer: Viewer
) -> None:
    lines, version = changed(name, edit)
    found = audit_feed(seen(lines, viewer)[:version]).verdict("rules")
    assert (found.status, found.version) == ("failed", version), found


@pytest.mark.parametrize("name", PLAYS)
def test_endings_and_winners_wait_for_the_end(name: str) -> None:
    def edit(log: Forgery) -> int:
        dealt = log.of_type("hamlet_play.endings-dealt")
        one, other = (log.known(dealt, f"/endings/{seat}") for seat in (0, 1))
        log.state(dealt, "/endings/0", other)
        log.state(dealt, "/endings/1", one)
        return 0

    lines, _ = changed(name, edit)
    assert audit_feed(seen(lines, Viewer())).status == "not-revealed"


def test_without_the_card_set_a_play_is_unsupported_while_it_goes_on() -> None:
    feed = seen(files.log("hamlet-play-four"), Viewer())
    with registry.using(hamlet_play(CardSets())):
        report = audit_feed(feed)
    assert report.status == "unsupported"
    assert {report.verdict(name).status for name in ("draws", "rules")} == {"unsupported"}


@pytest.mark.parametrize("viewer", [Viewer(), Viewer(1)], ids=str)
def test_the_plays_of_a_deal_are_judged_when_it_is_revealed(viewer: Viewer) -> None:
    """Before that nobody knows all hands, and so what may be played."""

    def edit(log: Forgery) -> int:
        play = log.of_type("hearts.card-played")
        play["data"]["breaks_hearts"] = True
        version: int = play["version"]
        return version

    lines, version = changed("hearts-default", edit)
    feed = seen(lines, viewer)
    revealed = Forgery(lines).of_type("game.deal-revealed")["version"]
    assert audit_feed(feed[: revealed - 1]).status == "not-revealed"
    found = audit_feed(feed[:revealed]).verdict("rules")
    assert (found.status, found.version) == ("failed", version), found


@pytest.mark.parametrize(
    "line",
    [
        {"needs": "place", "place": "ghost.court"},
        {"needs": "track", "track": "hamlet.patience", "at_least": 1},
        {"needs": "counter", "counter": "hamlet.foo"},
        {"needs": "together", "personae": []},
        {"needs": "compare", "higher": "hamlet.swordplay", "lower": "ghost.swordplay"},
        {"needs": "box", "action": "hamlet.sleep", "at_least": 1},
    ],
    ids=lambda line: str(line["needs"]),
)
@pytest.mark.parametrize("common", [False, True])
def test_an_ending_about_what_is_not_on_the_stage_stops_the_replay(
    line: dict[str, Any],
    common: bool,
) -> None:
    def edit(forgery: Forgery) -> None:
        entry = forgery.of_type("hamlet_play.endings-dealt")
        if common:
            entry["data"]["common"]["lines"] = [line]
        else:
            ending = forgery.known(entry, "/endings/1")
            forgery.state(entry, "/endings/1", ending | {"lines": [line]})

    report = audit(forged(files.log("hamlet-play-four"), edit))
    for name in ("rules", "scores"):
        found = report.verdict(name)
        assert (found.status, found.version) == ("failed", 8), found
