"""What a power cut or a full disk leaves in the files of the log's server, rehearsed on copies."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.redis.client import connect
from service.cli.ops.aof import AOF, MANIFEST
from service.cli.ops.embedded_valkey import EmbeddedServer, ServerFailed
from tests.cli.running import until
from tests.docs.shown import typed

WRITTEN = 300
CUT_SHORT = b"*3\r\n$4\r\nXADD\r\n$1\r\ns\r\n$900\r\nhalf"
GARBLED = b"*5\r\n$4\r\nXADD\r\n$1\r\ns\r\n$5\r\n301-0\r\n$1\r\ne\r\n$900\r\n"
WHOLE = b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n"

Harm = Callable[[Path], object]

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a server that has rewritten its files once, and written on."""
    data = tmp_path_factory.mktemp("written") / "data"
    with EmbeddedServer(data / "log") as server, connect(server.url) as client:
        add(client, 1, WRITTEN // 2)
        client.bgrewriteaof()
        until((data / "log" / AOF / "appendonly.aof.2.base.rdb").exists)
        until(lambda: not info(client)["aof_rewrite_in_progress"])
        add(client, WRITTEN // 2 + 1, WRITTEN)
    return data


@pytest.fixture
def data(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "data"))


def add(client: Any, first: int, last: int) -> None:
    for number in range(first, last + 1):
        client.xadd("s", {"e": "*1\r\n$1 in the midst"}, id=f"{number}-0")


def info(client: Any) -> Any:
    return client.info("persistence")


def commands(data: Path) -> Path:
    return data / "log" / AOF / "appendonly.aof.2.incr.aof"


def base(data: Path) -> Path:
    return data / "log" / AOF / "appendonly.aof.2.base.rdb"


def manifest(data: Path) -> Path:
    return data / "log" / AOF / MANIFEST


def check_all_is_there(data: Path, more: int = 0) -> None:
    """Everything that was acknowledged, and what is written from now on."""
    for last in (WRITTEN + more, WRITTEN + more + 1):
        with EmbeddedServer(data / "log") as server, connect(server.url) as client:
            assert client.xlen("s") == last
            add(client, last + 1, last + 1)


def append(path: Path, what: bytes) -> None:
    with path.open("ab") as file:
        file.write(what)


def add_zeros(data: Path) -> None:
    append(commands(data), bytes(4096))


def lose_manifest(data: Path) -> None:
    manifest(data).unlink()


def lose_base(data: Path) -> None:
    base(data).unlink()


HARMLESS: dict[str, Harm] = {
    "nothing": lambda data: None,
    "half a command": lambda data: append(commands(data), CUT_SHORT),
    "a transaction that was begun": lambda data: append(
        commands(data), b"*1\r\n$5\r\nMULTI\r\n" + WHOLE
    ),
    "half a manifest beside it": lambda data: (
        manifest(data).with_name(f"temp_{MANIFEST}").write_text("file app")
    ),
    "half a rewrite": lambda data: (data / "log" / "temp-rewriteaof-bg-7.aof").write_bytes(b"x"),
    "a file for the commands after a rewrite": lambda data: (
        commands(data).with_name("appendonly.aof.3.incr.aof").touch()
    ),
    "no address and no id": lambda data: [
        (data / "log" / name).write_bytes(b"") for name in ("lock", "server.pid")
    ],
}


@pytest.mark.parametrize("damage", HARMLESS)
def test_a_server_starts_by_itself_over(data: Path, damage: str) -> None:
    HARMLESS[damage](data)
    check_all_is_there(data)


MENDED: dict[str, Harm] = {
    "zeros at the end": add_zeros,
    "half a command and zeros": lambda data: append(commands(data), CUT_SHORT + bytes(4096)),
    "zeros in the midst of the last command": lambda data: append(
        commands(data), GARBLED + bytes(900) + b"\r\n"
    ),
    "something else": lambda data: append(commands(data), b"\xff" * 100),
    "an empty manifest": lambda data: os.truncate(manifest(data), 0),
    "half a manifest": lambda data: os.truncate(manifest(data), 70),
    "the first line of a manifest": lambda data: os.truncate(
        manifest(data), manifest(data).read_text().index("\n") + 1
    ),
    "zeros for a manifest": lambda data: manifest(data).write_bytes(bytes(88)),
    "no manifest": lose_manifest,
    "no manifest, and zeros at the end": lambda data: [
        harm(data) for harm in (lose_manifest, add_zeros)
    ],
}


UNNOTICED = {"the first line of a manifest", "zeros in the midst of the last command"}
"""By the server; a game shows the second as broken at an entry that was never acknowledged."""


@pytest.mark.parametrize("damage", MENDED)
def test_repair_mends(elsinore: Any, data: Path, damage: str) -> None:
    MENDED[damage](data)
    found = {path.name: path.read_bytes() for path in (data / "log" / AOF).iterdir()}
    if damage not in UNNOTICED:
        with pytest.raises(ServerFailed, match="elsinore repair"):
            EmbeddedServer(data / "log").start()

    done = elsinore(*typed("elsinore repair --data var", var=data))

    assert done.exit_code == 0, done.stderr
    [kept] = (data / "log").glob(f"{AOF}.before-repair-*")
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == found
    assert str(kept) in done.stdout
    again = elsinore("repair", "--data", data)
    assert again.stdout == "There is nothing to repair.\n"
    check_all_is_there(data)


def test_a_manifest_lost_in_mid_rewrite_is_made_of_all_there_is(
    elsinore: Any, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    files = data / "log" / AOF
    with EmbeddedServer(data / "log") as server, connect(server.url) as client:
        add(client, 1, 200)
        old = {path.name: path.read_bytes() for path in files.iterdir()}
        client.bgrewriteaof()
        until((files / "appendonly.aof.2.base.rdb").exists)
        until(lambda: not info(client)["aof_rewrite_in_progress"])
        add(client, 201, WRITTEN)
    for name, content in old.items():
        (files / name).write_bytes(content)
    manifest(data).unlink()

    assert elsinore("repair", "--data", data).exit_code == 0

    check_all_is_there(data)


REFUSED: dict[str, tuple[Harm, str]] = {
    "a hole with commands after it": (
        lambda data: append(commands(data), bytes(512) + WHOLE),
        "goes on after that",
    ),
    "no base": (lose_base, "restore a backup"),
    "an empty base": (lambda data: os.truncate(base(data), 0), "restore a backup"),
    "no base and no manifest": (
        lambda data: [harm(data) for harm in (lose_manifest, lose_base)],
        "restore a backup",
    ),
    "no commands": (lambda data: commands(data).unlink(), "restore a backup"),
}


@pytest.mark.parametrize("damage", REFUSED)
def test_what_no_power_cut_leaves_is_not_made_to_look_whole(
    elsinore: Any, data: Path, damage: str
) -> None:
    harm, said = REFUSED[damage]
    harm(data)
    found = {path.name: path.read_bytes() for path in (data / "log" / AOF).iterdir()}
    done = elsinore("repair", "--data", data)
    assert done.exit_code == 1
    assert said in done.stderr
    assert {path.name: path.read_bytes() for path in (data / "log" / AOF).iterdir()} == found
    with pytest.raises(ServerFailed):
        EmbeddedServer(data / "log").start()


def test_the_rest_is_cut_off_where_that_is_wanted(elsinore: Any, data: Path) -> None:
    append(commands(data), bytes(512) + WHOLE)
    done = elsinore(*typed("elsinore repair --cut"), "--data", data)
    assert (done.exit_code, f"{512 + len(WHOLE)} bytes" in done.stdout) == (0, True)
    check_all_is_there(data)


def test_files_in_use_are_not_touched(elsinore: Any, data: Path) -> None:
    with EmbeddedServer(data / "log"):
        done = elsinore("repair", "--data", data)
    assert (done.exit_code, "already runs" in done.stderr) == (1, True)


def test_repair_where_there_is_no_log(
    elsinore: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no data in" in elsinore("repair", "--data", tmp_path / "nowhere").stderr
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1")
    assert "by its own means" in elsinore("repair", "--data", tmp_path).stderr
