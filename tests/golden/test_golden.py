"""Golden games: what was written once is what is written now, entry for entry, byte for byte."""

from typing import Any

import msgspec
import pytest

from domain.registry import RULESETS
from events.audit.audit import audit, import_log, lines_of
from events.log.entry import whole_line
from events.log.loader import fold
from events.transcript import transcript
from tests.golden import files, views
from tests.golden.games import Table
from tests.golden.recipes import GAMES

NAMES = files.names()


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {name: played() for name, played in GAMES.items()}


def test_every_registered_ruleset_has_a_golden_log() -> None:
    pinned = {str(audit(files.log(name)).ruleset) for name in NAMES}
    missing = set(RULESETS) - pinned
    assert not missing, f"no golden log of {missing}: a recipe in tests/games, then make golden"


def test_every_recipe_is_written_down() -> None:
    assert set(GAMES) <= set(NAMES), "make golden"


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_played_again_gives_the_same_bytes(
    name: str, tables: dict[str, Table]
) -> None:
    assert tables[name].log == files.log(name)
    again = files.content(tables[name])
    for suffix in (".receipts", ".key", ".txt"):
        assert again[suffix] == (files.HERE / f"{name}{suffix}").read_bytes()


@pytest.mark.uncounted
@pytest.mark.parametrize("name", NAMES)
def test_everyone_sees_at_every_version_what_was_recorded(name: str) -> None:
    fields, _ = views.recorded_views(views.ruleset_of(name))
    then, now = views.recorded_digests(name), views.digests(name, fields)
    changed = [" ".join(key) for key in then | now if then.get(key) != now.get(key)]
    assert not changed, f"to see it: python -m tests.golden.write {name} {changed[0]}"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_ten_whole_views_of_every_rule_set_are_as_recorded(ruleset: str) -> None:
    fields, then = views.recorded_views(ruleset)
    assert len(then) == 10
    for was, now in zip(then, views.whole_views(ruleset), strict=True):
        assert views.only(now["view"], fields) == was["view"], was["shows"]
        assert now | {"view": None} == was | {"view": None}


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_has_the_recorded_verdicts(name: str) -> None:
    report = audit(files.log(name), receipts=files.receipts(name), keys=files.keys(name))
    assert report.ok
    found = msgspec.to_builtins(report)
    assert recorded(files.written(f"{name}.verdicts.json"), found)


@pytest.mark.parametrize("name", NAMES)
def test_c01_d09_an_export_is_imported_and_exported_again_unchanged(name: str) -> None:
    lines = files.log(name)
    entries = import_log(lines)
    loaded = fold(str(audit(lines).game), entries)
    assert [whole_line(entry, loaded.chain) for entry in entries] == lines
    assert (files.HERE / f"{name}.ndjson").read_bytes() == b"".join(
        line + b"\n" for line in lines_of(b"\n".join(lines))
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_log_has_the_recorded_transcript(name: str) -> None:
    told = "".join(f"{line}\n" for line in transcript(import_log(files.log(name))))
    assert told == (files.HERE / f"{name}.txt").read_text()


def recorded(then: Any, now: Any) -> bool:
    """Whether all that was recorded is still there and the same; fields may have been added."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(
            key in now and recorded(value, now[key]) for key, value in then.items()
        )
    if isinstance(then, list):
        return len(then) == len(now) and all(map(recorded, then, now))
    return bool(then == now)
