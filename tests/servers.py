"""Servers that only tests need: another maker's, and a cluster of one node."""

import os
import random
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import redis

from service.cli.ops import embedded_valkey

CLUSTER_PORTS = range(20_000, 45_000)
"""A node needs a second port, 10,000 higher."""


def redis_binary() -> Path | None:
    """A redis-server on PATH that is new enough to keep the log."""
    found = shutil.which("redis-server")
    return Path(found) if found and embedded_valkey._major_version(found) >= 7 else None


@contextmanager
def cluster_of_one(directory: Path, port: int | None = None) -> Iterator[str]:
    """The URL of a node in cluster mode that has all slots; it refuses what spans two of them."""
    port = port or free_cluster_port()
    settings = {
        "bind": "127.0.0.1",
        "port": port,
        "dir": directory,
        "logfile": directory / "server.log",
        "cluster-enabled": "yes",
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
    }
    command = [str(embedded_valkey.find_binary())]
    command += [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    if embedded_valkey.HAS_PDEATHSIG:
        command = [
            sys.executable,
            "-ISc",
            embedded_valkey.DIE_WITH_PARENT,
            str(os.getpid()),
            *command,
        ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            with redis.Redis(port=port) as node:
                _make_ready(node)
            yield f"redis+cluster://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def free_cluster_port() -> int:
    while True:
        port = random.choice(CLUSTER_PORTS)
        with (
            suppress(OSError),
            socket.create_server(("127.0.0.1", port)),
            socket.create_server(("127.0.0.1", port + 10_000)),
        ):
            return port


def _make_ready(node: Any) -> None:
    pause = threading.Event()
    for _ in range(1000):
        with suppress(redis.ConnectionError):
            if node.cluster("INFO")["cluster_state"] == "ok":
                return
            if node.cluster("INFO")["cluster_slots_assigned"] == "0":
                node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        pause.wait(0.01)
    raise AssertionError("the cluster does not come up")
