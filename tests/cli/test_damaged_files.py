"""A log that suffered on its way is told what happened to it; a file is replaced whole or not."""

import gzip
import os
import resource
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from events.audit.transport import damage
from events.files import put_file
from events.receipts import Signer
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.domain.hamlet_play.given import TINY_DIRECTORY
from tests.golden.files import HERE

LOG = (HERE / "hearts-bots.ndjson").read_bytes()

SUFFERED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "CR LF": (lambda log: log.replace(b"\n", b"\r\n"), "Its lines end with CR LF"),
    "mark": (lambda log: b"\xef\xbb\xbf" + log, "It begins with a byte order mark"),
    "UTF-16": (lambda log: log.decode().encode("utf-16"), "It is UTF-16 text"),
    "UTF-16 without a mark": (lambda log: log.decode().encode("utf-16-le"), "It is UTF-16 text"),
    "gzip": (gzip.compress, "It is packed by gzip"),
    "blank line": (lambda log: log + b"\n", "It ends with a blank line"),
    "cut": (lambda log: log[:-200], "It is cut off in its last line"),
    "cut in the first line": (lambda log: log[:100], "It is cut off in its last line"),
}


@pytest.mark.parametrize(("suffer", "said"), SUFFERED.values(), ids=SUFFERED)
def test_e23_a_log_that_suffered_on_its_way_is_not_called_a_forgery(
    elsinore: Any,
    tmp_path: Path,
    suffer: Callable[[bytes], bytes],
    said: str,
) -> None:
    file = tmp_path / "log.ndjson"
    file.write_bytes(suffer(LOG))
    for words in (
        ["verify", file],
        ["replay", file],
        ["import", file, "--data", tmp_path / "data"],
    ):
        done = elsinore(*words)
        assert done.exit_code == 1
        assert f"{file} is not as it was exported. {said}" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert "audit" not in done.stdout


@pytest.mark.parametrize("log", sorted(HERE.glob("*.ndjson")), ids=lambda log: log.stem)
def test_e23_a_log_that_is_as_it_was_exported_has_suffered_nothing(log: Path) -> None:
    whole = log.read_bytes()
    assert damage(whole) is None
    assert damage(whole.removesuffix(b"\n")) is None


def test_e23_what_is_forged_or_no_log_is_left_to_the_audit() -> None:
    changed = LOG.replace(b"\n", b"\r\n", 1)
    for log in (b"", b"hello", changed, LOG.replace(b"\n", b"\n\n", 1), LOG.replace(b"}", b"")):
        assert damage(log) is None


# --- files


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """This process can write no file of more bytes, as where the disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.processes
def test_e25_an_export_for_which_there_is_no_room_leaves_the_good_file(
    elsinore: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    kept = folder / "keep.ndjson"
    with EmbeddedServer(tmp_path / "log") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        data = ["--data", tmp_path / "data"]
        played = elsinore("play", "--option", "target_score=1", "--keep", *data)
        game = played.stdout.split()[-1]
        assert elsinore("export", game, "--output", kept, *data).exit_code == 0
        good = kept.read_bytes()
        with no_file_beyond(4096):
            done = elsinore("export", game, "--output", kept, *data)

    assert done.exit_code == 1
    assert "File too large" in done.stderr
    assert kept.read_bytes() == good
    assert damage(good) is None
    assert list(folder.iterdir()) == [kept]


def test_e25_every_file_that_is_written_over_another_keeps_it_until_it_is_whole(
    elsinore: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Wherever a command writes a file, it does so beside what is there."""
    lines = tmp_path / "lines.json"
    lines.write_text("good")
    check = ["cardset", "check", TINY_DIRECTORY, "--seats", "4", "--scenes", 0, "--lines", lines]
    with no_file_beyond(16):
        done = elsinore(*check)
    assert (done.exit_code, lines.read_text()) == (1, "good")
    key = tmp_path / "receipt.key"
    with no_file_beyond(16), pytest.raises(OSError, match="File too large"):
        Signer.at(key)
    assert list(tmp_path.iterdir()) == [lines]
    assert len(Signer.at(key).key_id) == 16


def test_e25_a_new_file_is_synced_before_it_is_put_in_its_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done: list[str] = []

    def noting(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any) -> Any:
            done.append(name)
            return own(*args)

        return noted

    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, noting(name, getattr(os, name)))
    put_file(tmp_path / "file", b"new")
    assert done == ["fsync", "replace", "fsync"]


def test_a_file_keeps_its_mode_and_a_link_its_file(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    put_file(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    pipe, taken = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: taken.append(pipe.read_bytes()))
    reader.start()
    put_file(pipe, b"log")
    reader.join()
    assert taken == [b"log"]
