"""The commands that need no service, run in this process."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from events.accounts.players import RedisPlayers
from events.accounts.tokens import SCOPES, Identity
from events.audit.audit import lines_of
from events.redis.client import connect
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.docs.shown import typed


def test_the_description_is_the_same_each_time(elsinore: Any) -> None:
    first, second = (elsinore(*typed("elsinore openapi")) for _ in range(2))

    assert first.exit_code == 0
    assert first.stdout == second.stdout
    assert yaml.safe_load(first.stdout)["openapi"].startswith("3.")


def test_games_among_bots_are_summed_up(elsinore: Any) -> None:
    hearts = typed("elsinore play RULESET", RULESET="hearts")
    done = elsinore(*hearts, "--games", "3", "--level", "hard", "--option", "target_score=1")

    assert done.exit_code == 0
    assert "3 games of hearts" in done.stdout
    assert done.stdout.count("hard") == 4


def test_games_have_as_many_seats_as_asked_for(elsinore: Any) -> None:
    done = elsinore("play", "hamlet", "--seats", "4", "--option", "deals=1", "--level", "easy")
    assert done.stdout.count("easy") == 4

    done = elsinore("play", "hamlet", "--seats", "5")
    assert done.exit_code == 2
    assert "3 or 4 seats" in done.stderr


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
    done = elsinore(*typed("elsinore verify FILE", FILE=log))

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
    done = elsinore(*typed("elsinore replay FILE", FILE=log))

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


@pytest.mark.parametrize("words", ["export x", "status", "serve", "work", "up --port 0"])
@pytest.mark.parametrize(
    "url",
    [
        "garbage",
        "http://127.0.0.1",
        "unix://",
        "redis://:secret@127.0.0.1:99999",
        "redis://:secret@127.0.0.1:1?no=such",
        "redis+cluster://:secret@127.0.0.1:99999",
    ],
)
def test_an_address_that_is_none_is_said_in_a_line(
    elsinore: Any, monkeypatch: pytest.MonkeyPatch, words: str, url: str
) -> None:
    monkeypatch.setenv("REDIS_URL", url)

    done = elsinore(*words.split())

    assert done.exit_code == 2
    assert "REDIS_URL is no address of a server" in done.stderr
    assert "secret" not in done.output


@pytest.mark.parametrize("words", ["export x", "replay x", "status", "rebuild", "token Cat"])
def test_a_server_that_is_away_is_said_in_a_line(
    elsinore: Any, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1")

    done = elsinore(*words.split())

    assert done.exit_code == 1
    assert done.stderr.startswith("Error: The server does not answer: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["\u200b", "\u3164", "a\x00b", "Ann\n", "x" * 41], ids=ascii)
def test_a_token_is_for_a_name_that_can_be_read(elsinore: Any, tmp_path: Path, name: str) -> None:
    done = elsinore("token", name, "--data", tmp_path)

    assert done.exit_code == 2
    assert "A name has" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.processes
def test_a_player_who_has_lost_their_token_is_issued_another(
    elsinore: Any, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", valkey)
    tokens = RedisPlayers(connect(valkey)).tokens
    player, lost = elsinore("token", "Cat").stdout.split()

    again, issued = elsinore(*typed("elsinore token --for PLAYER", PLAYER=player)).stdout.split()

    assert again == player
    assert tokens.identify(lost) is None
    assert tokens.identify(issued) == Identity(player, SCOPES)
    _, narrow = elsinore("token", "--for", player, "--scope", "audit").stdout.split()
    assert tokens.identify(narrow) == Identity(player, frozenset({"audit"}))
    player, narrow = elsinore("token", "Dog", "--scope", "play").stdout.split()
    assert tokens.identify(narrow) == Identity(player, frozenset({"play"}))


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--for p_nobody", "There is no such player"),
        ("", "Say either NAME or --for PLAYER"),
        ("Cat --for p_nobody", "Say either NAME or --for PLAYER"),
        ("Cat --scope root", "'root' is not one of"),
    ],
)
def test_a_token_for_nobody_is_refused(
    elsinore: Any, valkey: str, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    monkeypatch.setenv("REDIS_URL", valkey)
    done = elsinore("token", *words.split())
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_queue_on_a_cluster_is_refused(elsinore: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis+cluster://127.0.0.1:1")

    done = elsinore("work")

    assert done.exit_code == 2
    assert "QUEUE_REDIS_URL" in done.stderr


def test_a_server_that_would_lose_entries_is_said_before_anything_starts(
    elsinore: Any, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", valkey)

    done = elsinore("serve", "--port", "0")

    assert done.exit_code == 1
    assert done.stderr.startswith("Error: appendfsync is everysec")


def test_a_port_that_is_none_is_refused(elsinore: Any, tmp_path: Path) -> None:
    for command in ("up", "serve"):
        done = elsinore(command, "--port", "99999")
        assert done.exit_code == 2
        assert "'--port'" in done.stderr


@pytest.mark.parametrize("words", ["up --port 0", "token Cat", "play --keep", "import LOG"])
def test_a_place_where_no_data_can_be_is_said_in_a_line(
    elsinore: Any, tmp_path: Path, log: Path, words: str
) -> None:
    file = tmp_path / "file"
    file.write_text("plain")

    done = elsinore(*words.replace("LOG", str(log)).split(), "--data", file / "below")

    assert done.exit_code == 1
    assert "Not a directory" in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "words",
    ["replay typo.ndjson", "export nosuch", "status", "rebuild", "dead list", "backup copy"],
)
def test_commands_that_read_leave_nothing_behind_where_nothing_is(
    elsinore: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)

    done = elsinore(*words.split())

    assert done.exit_code == 1
    assert re.search("o data in var: .* --data or ELSINORE_DATA, .*$", done.stderr)
    assert not list(tmp_path.iterdir())


@pytest.mark.processes
def test_commands_that_read_make_no_key(elsinore: Any, tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "log"):
        for words in ("replay x", "export x", "status"):
            elsinore(*words.split(), "--data", tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@pytest.mark.processes
def test_what_is_no_file_and_no_game_is_said_to_be_neither(elsinore: Any, tmp_path: Path) -> None:
    assert elsinore("token", "Cat", "--data", tmp_path).exit_code == 0

    done = elsinore("replay", "typo.ndjson", "--data", tmp_path)

    assert done.stderr == "Error: There is no file and no game typo.ndjson.\n"


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
    nobody = elsinore("export", "nobody", "--data", tmp_path)
    assert (nobody.exit_code, nobody.stderr) == (1, "Error: There is no game nobody.\n")


@pytest.mark.processes
def test_a_named_server_is_used_instead_of_one_of_our_own(
    elsinore: Any, valkey: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDIS_URL", valkey)

    done = elsinore("token", "Cat", "--data", tmp_path)

    assert done.exit_code == 0
    assert re.fullmatch(r"p_\w+ elt_\S+\n", done.stdout)
    assert not list(tmp_path.iterdir())
