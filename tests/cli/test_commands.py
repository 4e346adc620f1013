"""The commands that need no service, run in this process."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from events.audit import lines_of
from service.cli.main import main


@pytest.fixture
def elsinore(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("REDIS_URL", "QUEUE_REDIS_URL", "ELSINORE_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "250")

    def run(*words: str) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words])

    return run


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a game of one deal."""
    folder = tmp_path_factory.mktemp("logs")
    words = ["play", "--option", "target_score=1", "--logs", str(folder)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    [path] = folder.iterdir()
    return path


def test_the_description_is_the_same_each_time(elsinore: Any) -> None:
    first, second = elsinore("openapi"), elsinore("openapi")

    assert first.exit_code == 0
    assert first.stdout == second.stdout
    assert yaml.safe_load(first.stdout)["openapi"].startswith("3.")


def test_games_among_bots_are_summed_up(elsinore: Any) -> None:
    done = elsinore(
        "play", "hearts", "--games", "3", "--level", "hard", "--option", "target_score=1"
    )

    assert done.exit_code == 0
    assert "3 games of hearts" in done.stdout
    assert done.stdout.count("hard") == 4


def test_an_unknown_game_cannot_be_played(elsinore: Any) -> None:
    done = elsinore("play", "bridge")

    assert done.exit_code == 2
    assert "bridge" in done.stderr


@pytest.mark.parametrize("option", ["target_score=0", "target_score=many", "speed=3"])
def test_options_that_the_rules_refuse_are_said(elsinore: Any, option: str) -> None:
    done = elsinore("play", "--option", option)

    assert done.exit_code == 2
    assert option.partition("=")[0] in done.stderr


def test_d07_an_honest_log_is_verified_offline(elsinore: Any, log: Path) -> None:
    done = elsinore("verify", log)

    assert done.exit_code == 0
    assert "audit: ok" in done.stdout


def test_d07_a_changed_log_is_told_where_it_broke(elsinore: Any, log: Path, tmp_path: Path) -> None:
    lines = lines_of(log.read_bytes())
    changed = tmp_path / "changed.ndjson"
    lines[9] = lines[9].replace(b'"seat":', b'"seat": ', 1)
    changed.write_bytes(b"\n".join(lines) + b"\n")

    done = elsinore("verify", changed)

    assert done.exit_code == 1
    assert "breaks at entry 10" in done.stdout
    assert "audit: failed" in done.stdout


def test_receipts_and_keys_that_are_none_are_said(elsinore: Any, log: Path, tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish"
    rubbish.write_text("{")
    empty = tmp_path / "empty"
    empty.write_text("[]")

    assert "not JSON" in elsinore("verify", log, "--receipts", rubbish).stderr
    assert "no keys" in elsinore("verify", log, "--keys", empty).stderr


def test_a_receipt_by_an_unknown_key_is_not_ok(elsinore: Any, log: Path, tmp_path: Path) -> None:
    last = json.loads(lines_of(log.read_bytes())[-1])
    receipts, keys = tmp_path / "receipts", tmp_path / "keys"
    receipt = {
        "game": last["game"],
        "version": last["version"],
        "digest": last["digest"],
        "key": "00" * 8,
        "signature": "00" * 64,
    }
    receipts.write_text(json.dumps(receipt) + "\n")
    keys.write_text('{"keys": []}')

    done = elsinore("verify", log, "--receipts", receipts, "--keys", keys)

    assert done.exit_code == 1
    assert re.search(r"receipts\W+failed", done.stdout)


def test_a_log_is_replayed_to_any_version(elsinore: Any, log: Path) -> None:
    done = elsinore("replay", log, "--at", "20", "--table-only")

    assert done.exit_code == 0
    assert "hearts@1, version 20, playing" in done.stdout
    assert "hidden" not in done.stdout


def test_a_log_is_read_as_a_transcript(elsinore: Any, log: Path) -> None:
    done = elsinore("replay", log)

    assert done.exit_code == 0
    assert "Hearts (hearts@1), game" in done.stdout
    assert "finished" in done.stdout


@pytest.mark.parametrize("at", ["0", "100000"])
def test_a_version_the_game_does_not_have_is_refused(elsinore: Any, log: Path, at: str) -> None:
    assert elsinore("replay", log, "--at", at).exit_code != 0


def test_what_is_no_log_is_not_replayed(elsinore: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no log\n")

    done = elsinore("replay", file)

    assert done.exit_code == 1
    assert "is not a log" in done.stderr


@pytest.mark.parametrize("command", ["serve", "work"])
def test_without_a_server_it_is_said_what_is_missing(elsinore: Any, command: str) -> None:
    done = elsinore(command)

    assert done.exit_code == 2
    assert "REDIS_URL is not set" in done.stderr


def test_a_setting_that_cannot_be_read_is_named(
    elsinore: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELSINORE_STREAMS", "many")

    assert "ELSINORE_STREAMS" in elsinore("serve").stderr


@pytest.mark.processes
def test_a_log_that_nobody_serves_is_opened_for_as_long_as_it_takes(
    elsinore: Any, tmp_path: Path
) -> None:
    played = elsinore("play", "--option", "target_score=1", "--keep", "--data", tmp_path)
    game = played.stdout.split()[-1]
    exported = elsinore("export", game, "--data", tmp_path, "--output", tmp_path / "game.ndjson")

    assert exported.exit_code == 0
    assert elsinore("verify", tmp_path / "game.ndjson").exit_code == 0
    assert "finished" in elsinore("replay", game, "--data", tmp_path, "--table-only").stdout
    assert elsinore("export", "nobody", "--data", tmp_path).exit_code == 1


@pytest.mark.processes
def test_a_named_server_is_used_instead_of_one_of_our_own(
    elsinore: Any, valkey: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDIS_URL", valkey)

    done = elsinore("token", "Cat", "--data", tmp_path)

    assert done.exit_code == 0
    assert re.fullmatch(r"p_\w+ elt_\S+\n", done.stdout)
    assert not list(tmp_path.iterdir())
