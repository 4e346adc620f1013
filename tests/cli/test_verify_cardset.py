"""`elsinore verify --cardset`: logs of a set of one's own, each judged in a new process."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from domain import registry
from tests.cli.running import COMMAND, clean_environment
from tests.domain.hamlet_play.given import TINY_DIRECTORY
from tests.golden.files import HERE

LOGS = [HERE / f"hamlet-play-{name}.ndjson" for name in ("four", "scripted")]

pytestmark = pytest.mark.processes


def verified(log: Path, *words: object) -> subprocess.CompletedProcess[str]:
    environment = clean_environment() | {"COLUMNS": "250"}
    command = [*COMMAND, "verify", str(log), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_a_log_is_ok_by_the_card_set_it_was_played_with(log: Path) -> None:
    done = verified(log, "--cardset", TINY_DIRECTORY)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "audit: ok"


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_without_the_set_it_is_said_which_one_is_missing(log: Path) -> None:
    done = verified(log)
    assert done.returncode == 1
    assert "card-set-missing: The card set tiny@1" in done.stdout
    assert done.stdout.splitlines()[-1] == "audit: unsupported"


def test_another_set_of_the_same_name_does_not_do(tmp_path: Path) -> None:
    other = tmp_path / "tiny"
    shutil.copytree(TINY_DIRECTORY, other)
    card = other / "personae" / "hamlet.toml"
    card.write_text(card.read_text(encoding="utf-8").replace("boxes = 2", "boxes = 3"), "utf-8")

    done = verified(LOGS[0], "--cardset", other)
    assert done.returncode == 1
    assert "card-set-missing: The card set tiny@1" in done.stdout

    shutil.copytree(TINY_DIRECTORY, tmp_path / "right")
    done = verified(LOGS[0], "--cardset", tmp_path)
    assert done.stdout.splitlines()[-1] == "audit: ok"


def test_what_a_log_is_judged_by_opens_no_games(elsinore: Any) -> None:
    before = registry.find("hamlet_play@1")
    assert elsinore("verify", LOGS[0], "--cardset", TINY_DIRECTORY).exit_code == 0
    assert registry.find("hamlet_play@1") is before


def test_a_directory_without_a_card_set_is_said(tmp_path: Path) -> None:
    done = verified(LOGS[0], "--cardset", tmp_path)
    assert done.returncode == 1
    assert "there is no card set in it" in done.stderr
