"""`elsinore import`: what was exported is put back as it was, or not at all."""

from pathlib import Path
from typing import Any

import pytest

from events.audit.audit import lines_of
from tests.docs.shown import typed
from tests.events.forging import Forgery

pytestmark = pytest.mark.processes

GOLDEN = Path(__file__).parents[1] / "golden"


def game_of(file: Path) -> str:
    return Forgery(lines_of(file.read_bytes())).game


@pytest.mark.parametrize("name", ["hearts-default", "hearts-bots", "hearts-closed"])
def test_what_is_imported_is_exported_with_the_same_bytes(
    elsinore: Any, tmp_path: Path, name: str
) -> None:
    file, again = GOLDEN / f"{name}.ndjson", tmp_path / "again.ndjson"
    game = game_of(file)

    data = ("--data", tmp_path / "data")
    done = elsinore(*typed("elsinore import FILE", FILE=file), *data)
    exported = elsinore(*typed("elsinore export GAME", GAME=game), *data, "--output", again)

    assert (done.exit_code, done.stdout) == (0, f"{game} imported\n")
    assert exported.exit_code == 0, exported.stderr
    assert again.read_bytes() == file.read_bytes()
    assert elsinore("import", again, "--data", tmp_path / "data").stdout.endswith("already\n")


def test_what_is_imported_has_its_projections(elsinore: Any, tmp_path: Path) -> None:
    elsinore("import", GOLDEN / "hearts-bots.ndjson", "--data", tmp_path)

    assert "1 of 1 games rebuilt" in elsinore("rebuild", "--data", tmp_path).stdout
    lines = elsinore("status", "--data", tmp_path).stdout.splitlines()
    waiting = next(line for line in lines if "projections" in line)
    assert waiting.split()[3] == "0"


def test_a_log_that_is_not_ok_is_refused_and_the_others_are_imported(
    elsinore: Any, tmp_path: Path
) -> None:
    whole = GOLDEN / "hearts-bots.ndjson"
    lines = lines_of(whole.read_bytes())
    changed, cut, rubbish = (tmp_path / name for name in ("changed", "cut", "rubbish"))
    changed.write_bytes(b"\n".join([*lines[:9], lines[9].replace(b"2", b"3", 1), *lines[10:]]))
    cut.write_bytes(b"\n".join(lines[:-1]) + b"\n")
    rubbish.write_bytes(b"[/x]\x1b[2J\n")
    other = GOLDEN / "hearts-closed.ndjson"

    done = elsinore("import", changed, cut, rubbish, other, "--data", tmp_path / "data")

    assert done.exit_code == 1
    assert done.stderr.count("is not imported. audit: ") == 3
    assert "\x1b" not in done.stderr
    assert done.stdout == f"{game_of(other)} imported\n"
    assert elsinore("export", game_of(whole), "--data", tmp_path / "data").exit_code == 1


def test_a_game_that_is_there_with_another_log_is_refused(elsinore: Any, tmp_path: Path) -> None:
    file, other = GOLDEN / "hearts-bots.ndjson", tmp_path / "other"
    forgery = Forgery(lines_of(file.read_bytes()))
    for entry in forgery.entries:
        entry["at"] = "2001-01-01T00:00:00.000Z"
    other.write_bytes(b"\n".join(forgery.lines()) + b"\n")
    elsinore("import", file, "--data", tmp_path / "data")

    done = elsinore("import", other, "--data", tmp_path / "data")
    exported = elsinore("export", forgery.game, "--data", tmp_path / "data")

    assert done.exit_code == 1
    assert "is there with another log" in done.stderr
    assert exported.stdout_bytes == file.read_bytes()
