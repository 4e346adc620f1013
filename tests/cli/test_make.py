"""The service as `make run` starts it, and as whoever started it ends it."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.cli.running import Up, descendants, is_alive, until

ROOT = Path(__file__).parents[2]
MAKE = shutil.which("make")

pytestmark = [
    pytest.mark.processes,
    pytest.mark.timeout(180),
    pytest.mark.skipif(MAKE is None, reason="there is no make"),
]


class MakeRun(Up):
    """`make run` with what is installed for these tests: the virtual environment is not made."""

    @staticmethod
    def command(data: Path, port: int, workers: int) -> list[str]:
        installed = f"BIN={Path(sys.executable).parent}"
        here = ("--silent", "--directory", str(ROOT), "--old-file", ".venv/ready-run")
        return [str(MAKE), *here, "run", installed, f"PORT={port}", f"DATA={data}"]


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
