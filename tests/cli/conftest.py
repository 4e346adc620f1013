"""The commands run in this process, and a log to run them on."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service.cli.main import main


@pytest.fixture
def elsinore(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("REDIS_URL", "QUEUE_REDIS_URL", "ELSINORE_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "250")

    def run(*words: object) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words])

    return run


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a game of one deal."""
    folder = tmp_path_factory.mktemp("logs")
    words = ["play", "--option", "target_score=1", "--logs", str(folder)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    [path] = folder.iterdir()
    return path
