"""`elsinore up` as a real process on a free port, and a person who plays there."""

import http.client
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from service.cli.client import Client
from tests.docs.shown import typed
from workers.bots.uniform import choose

COMMAND = (sys.executable, "-m", "service.cli.main")
PATIENCE = 30.0


class Up:
    """The service on `data`. Leaving the block ends it as a user would."""

    def __init__(self, data: Path, port: int = 0, workers: int = 1, /, **environment: str) -> None:
        self.data = data
        self.log = data.parent / f"{data.name}.stderr"
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                self.command(data, port, workers),
                stdout=subprocess.PIPE,
                stderr=errors,
                env=clean_environment() | environment,
                text=True,
            )
        self.address = self._address()

    @staticmethod
    def command(data: Path, port: int, workers: int) -> list[str]:
        words = typed("elsinore up --port P --data DIR", P=port, DIR=data)
        return [*COMMAND, *words, "--workers", str(workers)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()

    @property
    def port(self) -> int:
        return int(urlsplit(self.address).port or 0)

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """The exit status, and the seconds it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        return self.process.wait(PATIENCE), time.monotonic() - began

    def child(self, words: str) -> int:
        """The id of the child process whose command line has `words` in it (Linux)."""
        for child in children(self.process.pid):
            if words in command_line(child):
                return child
        raise LookupError(words)

    def _address(self) -> str:
        assert self.process.stdout
        readable, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if readable else ""
        if not line:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            raise AssertionError(f"not ready: {self.log.read_text()[-3000:]}")
        return line.split()[-1]


def children(pid: int) -> list[int]:
    """The ids of a process's children (Linux)."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def descendants(pid: int) -> list[int]:
    """The ids of a process's children, of their children, and so on (Linux)."""
    return [below for child in children(pid) for below in (child, *descendants(child))]


def is_alive(pid: int) -> bool:
    """Whether a process is there and has not ended (Linux)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def clean_environment() -> dict[str, str]:
    """The environment without what would point the service at other servers or data."""
    own = ("REDIS_URL", "QUEUE_REDIS_URL")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in own and not name.startswith("ELSINORE_")
    }


def until(done: Callable[[], bool], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "did not happen in time"
        select.select([], [], [], 0.02)


class Person:
    """Someone in seat 0 among three bots, who keeps every view and receipt."""

    def __init__(self, address: str) -> None:
        self.client = Client.registered(address, "Ada")
        self.receipts: list[dict[str, Any]] = []
        self.views: list[dict[str, Any]] = []
        self.path = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def open(self, **options: Any) -> None:
        seats = ["me", {"bot": "easy"}, {"bot": "normal"}, {"bot": "hard"}]
        body = {"ruleset": "hearts", "options": options, "seats": seats}
        opened = self.client.call("POST", "/v1/games", body)
        self.path = f"/v1/games/{opened['id']}"
        sat = self.client.call("PUT", f"{self.path}/seats/0", {"entropy": "0f" * 16})
        self.receipts += [opened["receipt"], sat["receipt"]]

    def back_at(self, address: str) -> None:
        """The same player, at a service that was started anew."""
        token, player = self.client.token, self.client.player
        self.client.close()
        self.client = Client(address)
        self.client.token, self.client.player = token, player

    def play(self, moves: int = 10_000) -> None:
        """Plays until the game is over, or for so many moves."""
        deadline = time.monotonic() + 2 * PATIENCE
        while (view := self.view())["status"] != "finished" and moves:
            assert time.monotonic() < deadline, "the game does not go on"
            if view["question"] is None:
                self.client.call("GET", f"{self.path}/events?after={view['version']}&wait=5")
                continue
            move = choose(view, view["legal_moves"], b"person" + bytes([moves % 256]))
            self.receipts.append(self.client.call("POST", f"{self.path}/moves", move)["receipt"])
            moves -= 1

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.client.call("GET", self.path)["view"]
        self.views.append(view)
        return view

    @contextmanager
    def stream(self) -> Iterator[http.client.HTTPResponse]:
        """The open feed of the game, its first line read."""
        with closing(http.client.HTTPConnection(self.client.host, timeout=PATIENCE)) as connection:
            token = {"Authorization": f"Bearer {self.client.token}"}
            connection.request("GET", f"{self.path}/stream", headers=token)
            with connection.getresponse() as response:
                assert response.status == 200
                assert response.readline()
                yield response
