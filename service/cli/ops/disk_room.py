"""Room on the disk of an embedded server. It ends when it cannot write, and would again and again:
so while there is little room it is told to take no writes, and answers reads.
"""

import os
import shutil
from pathlib import Path

from events.redis.health import NO_ROOM
from service.cli.ops.probes import ask

RESERVE = 32 << 20
"""Bytes that are left free: more than is written until the next look."""

TRIED = 1 << 16
"""Bytes that are written to see whether a quota allows them, which the free bytes do not show."""

SETTING = "min-replicas-to-write"


def is_low(directory: Path) -> bool:
    return shutil.disk_usage(directory).free < RESERVE


def has_room(directory: Path) -> bool:
    """Whether it is not low, and something can be written."""
    tried = directory / "room"
    try:
        tried.write_bytes(os.urandom(TRIED))
    except OSError:
        return False
    finally:
        tried.unlink(missing_ok=True)
    return not is_low(directory)


def setting(*, writes: bool) -> dict[str, str]:
    """What a server is started with."""
    return {} if writes else {SETTING: str(NO_ROOM)}


def allow(socket: Path, *, writes: bool) -> bool:
    """Tells the server at `socket`; whether it took it."""
    return (
        ask(socket, f"CONFIG SET {SETTING} {0 if writes else NO_ROOM}\r\n".encode()) == b"+OK\r\n"
    )
