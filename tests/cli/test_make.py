"""What `make` starts: the recipes themselves, on other tools or with less to do.

No recipe is left out. One whose command takes long is run with a tool that only says how it was
called, and that command has a test of its own; or with the tool itself, on one file or free port.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Up, clean_environment, descendants, is_alive, until
from tests.docs.shown import ROOT, typed

MAKE = shutil.which("make")
INSTALLED = Path(sys.executable).parent
READY = [f"--old-file=.venv/ready-{extra}" for extra in ("run", "test", "dev", "bench")]
"""What is installed for these tests is used: no virtual environment is made."""

pytestmark = [
    pytest.mark.processes,
    pytest.mark.timeout(180),
    pytest.mark.skipif(MAKE is None, reason="there is no make"),
]


class MakeRun(Up):
    @staticmethod
    def command(data: Path, port: int, workers: int) -> list[str]:
        words = [*typed("make run PORT=P DATA=DIR", P=port, DIR=data), f"BIN={INSTALLED}"]
        return [str(MAKE), "--silent", f"--directory={ROOT}", *READY, *words]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")
def test_a_make_that_is_told_to_end_leaves_no_process_behind(tmp_path: Path) -> None:
    with MakeRun(tmp_path / "data") as made:
        started = descendants(made.process.pid)
        assert len(started) > 3
        try:
            made.end(signal.SIGTERM)
            until(lambda: not any(map(is_alive, started)))
        finally:
            for process in filter(is_alive, started):
                os.kill(process, signal.SIGTERM)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Tools of which each says how it was called, and nothing more."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("elsinore", "ruff", "mypy", "lint-imports"):
        (folder / name).write_text('#!/bin/sh\necho "$(basename "$0")" "$@"\n')
        (folder / name).chmod(0o755)
    return folder


def make(*words: str, folder: Path = ROOT, **environment: str) -> list[str]:
    """The lines it says. A `make` that runs these tests hands nothing on to it."""
    where = [f"--file={ROOT / 'Makefile'}", f"--directory={folder}", "--no-print-directory"]
    done = subprocess.run(
        [str(MAKE), *where, *READY, *words],
        capture_output=True,
        text=True,
        env=clean_environment() | {"MAKEFLAGS": ""} | environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "started"),
    [
        (typed("make run"), "elsinore up --port 8000 --data var"),
        (typed("make run DATA=x"), "elsinore up --port 8000 --data x"),
        (typed("make run PORT=9000 DATA=somewhere"), "elsinore up --port 9000 --data somewhere"),
        (typed("make demo"), "elsinore demo"),
    ],
    ids=str,
)
def test_a_recipe_starts_the_command(tools: Path, words: list[str], started: str) -> None:
    assert make(*words, f"BIN={tools}")[-1] == started


def test_make_check_runs_the_import_contracts_and_all_else_that_is_checked(tools: Path) -> None:
    """Their tools are installed for `make check` alone; here each says that it was called."""
    (tools / "elsinore").unlink()
    (tools / "elsinore").symlink_to(INSTALLED / "elsinore")
    said = make(*typed("make check"), f"BIN={tools}")
    assert {"ruff format --check .", "ruff check .", "mypy", "lint-imports"} <= set(said)


def test_make_test_runs_the_tests(tmp_path: Path) -> None:
    """One file of them, its coverage kept apart from that of whoever runs this."""
    said = make(
        *typed("make test"),
        f"BIN={INSTALLED}",
        "WORKERS=0",
        PYTEST_ADDOPTS="tests/domain/test_scores.py --cov-fail-under=0 -p no:cacheprovider",
        COVERAGE_FILE=str(tmp_path / "coverage"),
    )
    assert re.search(r"^=+ \d+ passed in ", said[-1])
    assert any(line.startswith("domain/") for line in said)


def test_make_test_game_takes_all_kinds_of_tests_of_one_game_alone() -> None:
    asked = ["test-game", "GAME=hamlet", f"BIN={INSTALLED}", "WORKERS=0"]
    said = make(*asked, PYTEST_ADDOPTS="--collect-only -q --no-cov -p no:cacheprovider")
    tests = [line for line in said if "::" in line]
    assert not [test for test in tests if re.search("hearts|hamlet.play", test)]
    for kind in ("domain/hamlet/", "domain/test_every", "properties/", "games/", "golden/"):
        assert any(test.startswith(f"tests/{kind}") for test in tests), kind


def test_make_trips_counts_every_request() -> None:
    said = make(*typed("make trips"), f"BIN={INSTALLED}")
    rows = [line.split("│")[1].strip() for line in said if line.startswith("│")]
    assert rows == ["view", "view at=12", "scoresheet", "refused move", "move"]


def test_make_help_lists_every_target() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [line.split()[1] for line in make(*typed("make help"))] == targets


def test_make_clean_takes_what_was_made_and_no_data(tmp_path: Path) -> None:
    kept = ["var/log/appendonlydir/games.aof", "somewhere/receipt.key", "domain/kernel.py"]
    for name in (*kept, ".venv/bin/python", ".mypy_cache/x", "domain/__pycache__/kernel.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for name in ("events", "workers", "service", "benchmarks", "tests"):
        (tmp_path / name).mkdir()

    make(*typed("make clean"), folder=tmp_path)
    left = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(left) == sorted(kept)
