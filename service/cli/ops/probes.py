"""Small questions to a server that may not be there, and to a lock that may be taken."""

import fcntl
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO


def ask(path: Path, command: bytes) -> bytes:
    """The first words of the answer; nothing where there is no server or it is silent."""
    with socket.socket(socket.AF_UNIX) as server, suppress(OSError):
        server.settimeout(1.0)
        server.connect(str(path))
        server.sendall(command)
        return server.recv(4096)
    return b""


def listens(path: Path) -> bool:
    """Whether a process has the socket open, though it may not answer."""
    with socket.socket(socket.AF_UNIX) as server, suppress(OSError):
        server.settimeout(1.0)
        server.connect(str(path))
        return True
    return False


def locks(file: IO[str]) -> bool:
    """Whether the lock on `file` is ours: it was free, or we have it already."""
    with suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    """Waits until it does, at most so long; asks at least once."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.005)
    return True


def last_words(directory: Path) -> str:
    """The end of what the server there has logged."""
    with suppress(FileNotFoundError):
        return "\n".join((directory / "server.log").read_text().splitlines()[-5:])
    return "it left no log"
