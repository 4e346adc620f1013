"""Copying the files of a log while a server writes them, or puts others in their place."""

import threading
from pathlib import Path
from typing import Any

import pytest

from events.redis.client import connect
from service.cli import backup
from service.cli.ops.aof import MANIFEST
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.docs.shown import typed

pytestmark = pytest.mark.processes


def numbers(url: str) -> list[int]:
    client: Any = connect(url)
    return [int(value) for value in client.lrange("numbers", 0, -1)]


class Writer(threading.Thread):
    """Appends numbers, and has the server rewrite its files over and over."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.client: Any = connect(url)
        self.acknowledged = 0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            self.client.rpush("numbers", self.acknowledged)
            self.acknowledged += 1
            if self.acknowledged % 50 == 0 and not self.rewriting():
                self.client.bgrewriteaof()

    def rewriting(self) -> bool:
        return bool(self.client.info("persistence")["aof_rewrite_in_progress"])


def test_a_copy_holds_all_that_was_acknowledged_before_and_no_gap(
    elsinore: Any, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    with EmbeddedServer(data / "log", appendfsync="everysec") as server:
        writer = Writer(server.url)
        writer.start()
        try:
            for number in range(5):
                before = writer.acknowledged
                copied = typed("elsinore backup DIR", DIR=tmp_path / f"copy{number}")
                done = elsinore(*copied, "--data", data)
                assert done.exit_code == 0, done.stderr
                with EmbeddedServer(tmp_path / f"copy{number}" / "log") as copy:
                    found = numbers(copy.url)
                assert len(found) >= before
                assert found == list(range(len(found)))
        finally:
            writer.over.set()
            writer.join()


def test_what_was_rewritten_meanwhile_is_copied_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = tmp_path / MANIFEST
    manifest.write_text("file a.incr.aof seq 1 type i\nfile old.base.aof seq 1 type h\n")
    (tmp_path / "a.incr.aof").write_text("commands")

    backup.copy_log(tmp_path, tmp_path / "to")
    assert {path.name for path in (tmp_path / "to").iterdir()} == {manifest.name, "a.incr.aof"}

    manifest.write_text("file gone.aof seq 2 type i\n")
    with pytest.raises(backup.Rewritten):
        backup.copy_log(tmp_path, tmp_path / "to")


def test_nothing_is_overwritten(elsinore: Any, tmp_path: Path) -> None:
    elsinore("token", "Cat", "--data", tmp_path / "data")
    (tmp_path / "there").mkdir()

    done = elsinore("backup", tmp_path / "there", "--data", tmp_path / "data")

    assert done.exit_code == 1
    assert "is there already" in done.stderr


def test_another_server_is_not_ours_to_back_up(
    elsinore: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1")

    assert elsinore("backup", tmp_path / "to").exit_code == 2
