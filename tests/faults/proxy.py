"""What stands between processes and their server: it can kill who asks, stop passing on, and come
to stand for another server.

It knows who asks by the credentials of the socket, so it needs Linux and a socket with a path.
"""

import os
import signal
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self
from urllib.parse import unquote, urlsplit

from tests.cli.running import command_line

CHUNK = 1 << 16


@dataclass
class Trap:
    """Kills the first process of `part` that sends all of `words` in one piece.

    `before` its request is passed on, or `after` the server has answered, before it knows.
    """

    part: str
    words: tuple[bytes, ...]
    when: Literal["before", "after"]
    sprung: threading.Event = field(default_factory=threading.Event)
    killed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def catches(self, pid: int, request: bytes) -> bool:
        if self.killed != 0 or not all(word in request for word in self.words):
            return False
        with suppress(OSError), self.lock:
            if self.killed == 0 and self.part in command_line(pid):
                self.killed = pid
        return self.killed == pid

    def spring(self) -> None:
        os.kill(self.killed, signal.SIGKILL)
        self.sprung.set()


class Proxy:
    """Passes on between `url` and the server at `server`, until told otherwise."""

    def __init__(self, directory: Path, server: str) -> None:
        self.path = directory / "proxy.sock"
        self.url = f"unix://{self.path}"
        self._server = unquote(urlsplit(server).path)
        self._listener = socket.socket(socket.AF_UNIX)
        self._trap: Trap | None = None
        self._pairs: set[Pair] = set()
        self._passing = threading.Event()
        self._passing.set()

    def __enter__(self) -> Self:
        self._listener.bind(str(self.path))
        self._listener.listen(1024)
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for pair in list(self._pairs):
            pair.close()
        self._passing.set()

    def trap(self, part: str, *words: bytes, when: Literal["before", "after"] = "before") -> Trap:
        self._trap = Trap(part, words, when)
        return self._trap

    def switch(self, server: str) -> None:
        """New connections are to another server. Those that are open stay where they are."""
        self._server = unquote(urlsplit(server).path)

    def cut(self) -> None:
        """Passes nothing on any more, and says so to nobody; new connections hear nothing too."""
        self._passing.clear()
        for pair in list(self._pairs):
            pair.dead = True

    def mend(self) -> None:
        """New connections are served again. Those that were open stay as they are: half."""
        self._passing.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._passing.wait()
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self._server)
        except OSError:
            client.close()
            return
        pair = Pair(client, server, lambda: self._trap)
        self._pairs.add(pair)
        pair.run()
        self._pairs.discard(pair)


class Pair:
    """One connection, in two halves."""

    def __init__(
        self, client: socket.socket, server: socket.socket, trap: Callable[[], Trap | None]
    ) -> None:
        self.dead = False
        self._client, self._server = client, server
        self._trap = trap
        self._caught: Trap | None = None
        self._pid = _credentials(client)

    def run(self) -> None:
        """Returns when it is closed on both sides."""
        back = threading.Thread(target=self._pass, args=(self._server, self._client), daemon=True)
        back.start()
        self._pass(self._client, self._server)
        back.join()

    def close(self) -> None:
        for side in (self._client, self._server):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
            side.close()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(CHUNK):
                if self.dead:
                    continue
                if source is self._client:
                    self._look(data)
                elif self._caught is not None:
                    self._caught.spring()
                    break
                target.sendall(data)
        self.close()

    def _look(self, request: bytes) -> None:
        trap = self._trap()
        if trap is not None and trap.catches(self._pid, request):
            if trap.when == "before":
                trap.spring()
                raise OSError
            self._caught = trap


def _credentials(client: socket.socket) -> int:
    """The id of the process on the other side."""
    pid: int = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    return pid
