"""Commands that the pages show, and that no test elsewhere is about, do what the pages say."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from domain.registry import RULESETS
from events.redis.client import connect
from service.cli import demo
from service.cli.client import Client
from service.cli.main import main
from service.cli.ops.embedded_valkey import EmbeddedServer
from service.cli.up import free_port, is_ready
from tests.cli.running import COMMAND, clean_environment, until
from tests.docs.shown import ROOT, TESTS, typed
from tests.golden import files

CASES = (ROOT / "docs" / "field-cases.md").read_text()
BOTS = [{"bot": "easy"}] * 4


def bash(line: str, folder: Path) -> str:
    """What a line says to who types it where `.venv` is."""
    (folder / ".venv").symlink_to(sys.prefix)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", line],
        capture_output=True,
        text=True,
        cwd=folder,
        env=clean_environment(),
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.processes
def test_the_command_is_found_by_its_name_once_the_path_is_exported(tmp_path: Path) -> None:
    path = " ".join(typed('export PATH="$PWD/.venv/bin:$PATH"'))
    assert bash(f'export "{path}" && elsinore --version', tmp_path).startswith("elsinore, version")


@pytest.mark.processes
def test_commands_take_the_directory_that_is_exported(tmp_path: Path) -> None:
    [data] = typed("export ELSINORE_DATA=x")
    assert "no data in x:" in bash(f"export {data} && .venv/bin/elsinore status", tmp_path)


@pytest.mark.parametrize("name", files.names())
def test_a_golden_log_is_drawn(name: str) -> None:
    words = typed("elsinore replay tests/golden/<name>.ndjson", **{"<name>": name})
    done = CliRunner().invoke(main, [*words[:1], str(ROOT / words[1])])
    assert done.exit_code == 0, done.output
    assert (files.HERE / f"{name}.txt").read_text().splitlines()[0] in done.stdout
    assert re.search(r"@1, version \d+, finished", done.stdout)


@pytest.mark.processes
def test_a_case_from_the_field_is_run_by_its_number() -> None:
    """In the files that the page names for it, which saves reading all others."""
    [row] = re.findall(r"^\| a16 \|.*\|(.*)\|$", CASES, re.MULTILINE)
    named = [TESTS / f"{name}.py" for name in re.findall(r"`(.+?)`", row)]
    quick = ["-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *typed("pytest -k a16"), *quick, *named],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed, (\d+) deselected", done.stdout)
    assert passed
    assert int(passed[1]) >= len(named)


@pytest.mark.processes
def test_a_log_of_a_server_of_ones_own_is_copied_while_nothing_is_rewritten(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "own", appendfsync="always") as server:
        client: Any = connect(server.url)
        before = client.config_get("auto-aof-rewrite-percentage")
        set_off = typed("CONFIG SET auto-aof-rewrite-percentage 0")
        assert client.execute_command("CONFIG", *set_off)
        client.rpush("acknowledged", *range(100))
        until(lambda: not rewriting(client))
        shutil.copytree(tmp_path / "own" / "appendonlydir", tmp_path / "copy" / "appendonlydir")
        client.config_set("auto-aof-rewrite-percentage", *before.values())
    with EmbeddedServer(tmp_path / "copy") as server:
        copied: Any = connect(server.url)
        assert copied.llen("acknowledged") == 100


def rewriting(client: Any) -> bool:
    told = client.execute_command("INFO", *typed("INFO persistence"))
    return bool(told["aof_rewrite_in_progress"] or told["aof_rewrite_scheduled"])


@pytest.mark.processes
def test_the_demo_plays_replays_and_audits_a_game_of_every_ruleset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the two rule sets whose games are short; it takes them from the registry."""
    short = {name: RULESETS[name] for name in ("hamlet_play@1", "hearts_and_minds@1")}
    monkeypatch.setattr(demo, "RULESETS", short)
    monkeypatch.setenv("COLUMNS", "200")
    done = CliRunner().invoke(main, typed("elsinore demo"))
    assert done.exit_code == 0, done.output
    for name in short:
        [row] = [line for line in done.stdout.splitlines() if name in line]
        assert "3 moments: ok" in row
        assert "audit: ok" in row


# --- parts that are run apart


@contextmanager
def running(words: list[str], environment: dict[str, str], said: Path) -> Iterator[None]:
    with (
        said.open("wb") as log,
        subprocess.Popen([*COMMAND, *words], env=environment, stderr=log) as process,
    ):
        try:
            yield
        finally:
            process.terminate()
            assert process.wait(30) == 0, said.read_text()


@pytest.mark.processes
def test_api_and_workers_are_run_apart_on_servers_of_ones_own(tmp_path: Path) -> None:
    port = free_port("127.0.0.1", 0)
    with ExitStack() as stack:
        log = stack.enter_context(EmbeddedServer(tmp_path / "log"))
        queue = stack.enter_context(EmbeddedServer(tmp_path / "queue", appendfsync="everysec"))
        environment = clean_environment() | {
            "REDIS_URL": log.url,
            "QUEUE_REDIS_URL": queue.url,
            "ELSINORE_DATA": str(tmp_path / "data"),
        }
        serve = [*typed("elsinore serve"), "--port", str(port)]
        work = typed("elsinore work --workers N", N=1)
        stack.enter_context(running(serve, environment, tmp_path / "serve.log"))
        until(lambda: is_ready("127.0.0.1", port))
        person = stack.enter_context(Client.registered(f"http://127.0.0.1:{port}", "Ann"))
        table = {"ruleset": "hearts", "options": {"target_score": 1}, "seats": BOTS}
        game = person.call("POST", "/v1/games", table)["id"]
        before = person.call("GET", f"/v1/games/{game}")["view"]["version"]
        stack.enter_context(running(work, environment, tmp_path / "work.log"))
        until(lambda: status(person, game) == "finished")
        assert person.call("GET", f"/v1/games/{game}")["view"]["version"] > before


def status(person: Client, game: str) -> str:
    return str(person.call("GET", f"/v1/games/{game}")["view"]["status"])
