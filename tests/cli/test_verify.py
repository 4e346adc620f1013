"""`elsinore verify` with what it may be given: receipts, and card sets, in a new process each."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from domain import registry
from events.audit.audit import lines_of
from tests.cli.running import COMMAND, clean_environment
from tests.docs.shown import typed
from tests.domain.hamlet_play.given import TINY_DIRECTORY
from tests.events.forging import Forgery
from tests.golden.files import HERE

LOGS = [HERE / f"hamlet-play-{name}.ndjson" for name in ("four", "scripted")]

pytestmark = pytest.mark.processes


def verified(*words: str) -> subprocess.CompletedProcess[str]:
    environment = clean_environment() | {"COLUMNS": "250"}
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, env=environment, check=False
    )


def verified_with(log: Path, cards: Path) -> subprocess.CompletedProcess[str]:
    return verified(*typed("elsinore verify LOG --cardset DIR", LOG=log, DIR=cards))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_log_is_ok_by_the_card_set_it_was_played_with(log: Path) -> None:
    done = verified_with(log, TINY_DIRECTORY)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "audit: ok"


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_without_the_set_it_is_said_which_one_is_missing(log: Path) -> None:
    done = verified("verify", str(log))
    assert done.returncode == 1
    assert "card-set-missing: The card set tiny@1" in done.stdout
    assert done.stdout.splitlines()[-1] == "audit: unsupported"


def test_another_set_of_the_same_name_does_not_do(tmp_path: Path) -> None:
    other = tmp_path / "tiny"
    shutil.copytree(TINY_DIRECTORY, other)
    card = other / "personae" / "hamlet.toml"
    card.write_text(card.read_text(encoding="utf-8").replace("boxes = 2", "boxes = 3"), "utf-8")

    done = verified_with(LOGS[0], other)
    assert done.returncode == 1
    assert "card-set-missing: The card set tiny@1" in done.stdout

    shutil.copytree(TINY_DIRECTORY, tmp_path / "right")
    done = verified_with(LOGS[0], tmp_path)
    assert done.stdout.splitlines()[-1] == "audit: ok"


def test_what_a_log_is_judged_by_opens_no_games(elsinore: Any) -> None:
    before = registry.find("hamlet_play@1")
    assert elsinore("verify", LOGS[0], "--cardset", TINY_DIRECTORY).exit_code == 0
    assert registry.find("hamlet_play@1") is before


def test_a_directory_without_a_card_set_is_said(tmp_path: Path) -> None:
    done = verified_with(LOGS[0], tmp_path)
    assert done.returncode == 1
    assert "there is no card set in it" in done.stderr


def test_receipts_prove_which_of_two_logs_was_acknowledged(elsinore: Any, tmp_path: Path) -> None:
    log = HERE / "hearts-bots.ndjson"
    other = Forgery(lines_of(log.read_bytes()))
    for entry in other.entries:
        entry["at"] = "2001-01-01T00:00:00.000Z"
    forged = tmp_path / "other.ndjson"
    forged.write_bytes(b"\n".join(other.lines()) + b"\n")
    assert elsinore("verify", forged).exit_code == 0

    for file, status, answer in ((log, 0, "ok"), (forged, 1, "failed")):
        places = {"FILE": file, "R": log.with_suffix(".receipts"), "K": log.with_suffix(".key")}
        done = elsinore(*typed("elsinore verify FILE --receipts R --keys K", **places))
        assert done.exit_code == status
        assert re.search(rf"receipts\W+{answer}", done.stdout)
