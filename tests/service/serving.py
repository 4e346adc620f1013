"""gunicorn with two workers, on a socket of its own, spoken to over HTTP."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx


class Server:
    """`settings` are added to its environment."""

    def __init__(self, url: str, directory: Path, **settings: str) -> None:
        self.socket = directory / "api.sock"
        self.clients: list[httpx.Client] = []
        environment = os.environ | {
            "REDIS_URL": url,
            "ELSINORE_DATA": str(directory),
            "ELSINORE_BIND": f"unix:{self.socket}",
            "ELSINORE_API_PROCESSES": "2",
            "ELSINORE_ALLOW_VOLATILE": "yes",
            "ELSINORE_STREAMS_PER_PLAYER": "100",
            **settings,
        }
        command = ["gunicorn", "-c", "python:service.server.config", "service.server.wsgi:app()"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log: list[str] = []
        listening = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(listening,))
        self._reader.start()
        listening.wait(20)

    def _read(self, listening: threading.Event) -> None:
        """Reads what it logs to the end: nobody else does, and a full pipe holds it up."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if "Listening at" in line:
                listening.set()
        listening.set()

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        transport = httpx.HTTPTransport(uds=str(self.socket))
        made = httpx.Client(
            transport=transport, base_url="http://elsinore", headers=headers, timeout=30
        )
        self.clients.append(made)
        return made

    def person(self, name: str) -> httpx.Client:
        """A client with the token of somebody new."""
        with self.client() as client:
            made = client.post("/v1/players", json={"name": name}).json()
        return self.client(made["token"])

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)
        return self.process.returncode

    def end(self) -> None:
        """Closes the clients and the processes, whatever state they are in."""
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(20)
        assert self.process.stderr is not None
        self.process.stderr.close()
