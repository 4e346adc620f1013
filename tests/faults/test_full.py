"""E16: no room: nothing is appended, what can be read is, and it is over by itself."""

import http.client
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import redis

from service.cli.ops.disk_room import RESERVE
from service.cli.up import amiss, is_ready
from tests.cli.running import Person, Up, until
from tests.faults.conftest import LIMITS, Play, end
from tests.faults.processes import Service, check_goes_on, wait_until_moved
from tests.service.serving import Server
from workers.bots.uniform import choose

DISK = RESERVE + (64 << 20)
"""Bytes of the disk that the tests fill."""

OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount", "--propagation", "private")

pytestmark = pytest.mark.timeout(180)


class Disk:
    """A small disk at `path`, seen by those alone who are started on it."""

    def __init__(self, path: Path) -> None:
        mount = 'mount -t tmpfs -o size="$0" none "$1" && echo mounted && exec sleep infinity'
        self._holder = subprocess.Popen(
            [*OWN_MOUNTS, "sh", "-c", mount, str(DISK), str(path)], stdout=subprocess.PIPE
        )
        assert self._holder.stdout
        self.is_mounted = self._holder.stdout.readline() == b"mounted\n"
        self.data = path
        self.path = Path(f"/proc/{self._holder.pid}/root{path}")
        self._filler = self.path / "something-else"

    def close(self) -> None:
        assert self._holder.stdout
        self._holder.stdout.close()
        self._holder.kill()
        self._holder.wait()

    def up(self, workers: int) -> Up:
        within = f"nsenter --user --mount --preserve-credentials --target {self._holder.pid}"

        class OnDisk(Up):
            @staticmethod
            def command(data: Path, port: int, workers: int) -> list[str]:
                return [*within.split(), *Up.command(data, port, workers)]

        return OnDisk(self.data, 0, workers, ELSINORE_API_PROCESSES="2", **LIMITS)

    def fill(self) -> None:
        """To the last byte."""
        with suppress(OSError), self._filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        assert shutil.disk_usage(self.path).free == 0

    def clear(self) -> None:
        self._filler.unlink()


@pytest.fixture
def disk() -> Iterator[Disk]:
    """Where paths are short: a socket's has at most 107 bytes."""
    with TemporaryDirectory(prefix="elsinore-") as place:
        data = Path(place) / "data"
        data.mkdir()
        disk = Disk(data)
        if not disk.is_mounted:
            disk.close()
            pytest.skip("nobody may mount a disk here")
        yield disk
        disk.close()


def post(person: Person, move: Any, key: str) -> tuple[int, dict[str, str], Any]:
    with closing(http.client.HTTPConnection(person.client.host, timeout=10)) as connection:
        headers = {"Authorization": f"Bearer {person.client.token}", "Idempotency-Key": key}
        headers["Content-Type"] = "application/json"
        connection.request("POST", f"{person.path}/moves", json.dumps(move), headers)
        with connection.getresponse() as response:
            return response.status, dict(response.headers), json.load(response)


def owed(person: Person) -> Any:
    """A move that it is the person's turn to make."""
    until(lambda: person.view()["question"] is not None)
    view = person.view()
    return choose(view, view["legal_moves"], b"seed")


def test_e16_a_full_disk_keeps_nobody_from_reading_and_is_over_when_there_is_room(
    disk: Disk,
) -> None:
    with disk.up(1) as up, Person(up.address) as person:
        person.open(target_score=1)
        person.play(moves=3)
        move, version = owed(person), person.view()["version"]
        with person.stream() as stream:
            disk.fill()
            until(lambda: amiss("127.0.0.1", up.port) == ["disk-full"], 5)
            for _ in range(3):
                status, headers, answer = post(person, move, "the-key")
                assert (status, answer["code"]) == (503, "busy")
                assert int(headers["Retry-After"]) >= 1
                assert person.view()["version"] == version
            disk.clear()
            until(lambda: is_ready("127.0.0.1", up.port), 5)
            status, _, answer = post(person, move, "the-key")
            assert status == 201
            assert post(person, move, "the-key")[2] == answer
            while not stream.readline().startswith(b"id: %d\n" % answer["version"]):
                pass
        person.play()


def test_e16_a_disk_that_fills_while_all_play_ends_nothing_for_good(disk: Disk, play: Play) -> None:
    with disk.up(2) as up:
        log, queue = (f"unix://{disk.path / name / 'server.sock'}" for name in ("log", "queue"))
        service = Service(up, log, queue)
        crowd = play(service)
        wait_until_moved(crowd)
        for _ in range(2):
            disk.fill()
            until(lambda: amiss("127.0.0.1", up.port) == ["disk-full"], 10)
            disk.clear()
            until(lambda: is_ready("127.0.0.1", up.port), 10)
            check_goes_on(crowd)
        end(crowd, service)
        assert "the log's server has ended." in up.log.read_text()


def test_e16_a_service_started_on_a_full_disk_waits_for_room(disk: Disk) -> None:
    with disk.up(1) as up, Person(up.address) as person:
        person.open(target_score=1)
        person.play(moves=1)
        before = person.view()
    disk.fill()
    with disk.up(1) as up, person:
        assert amiss("127.0.0.1", up.port) == ["disk-full"]
        person.back_at(up.address)
        assert person.client.call("GET", f"{person.path}?at={before['version']}")["view"] == before
        disk.clear()
        until(lambda: is_ready("127.0.0.1", up.port), 5)
        person.play()


def test_e16_a_server_whose_memory_is_full_takes_nothing_and_the_same_key_works_later(
    valkey: str, log_redis: redis.Redis, tmp_path: Path
) -> None:
    server = Server(valkey, tmp_path)
    try:
        ann = server.person("Ann")
        plan = {"ruleset": "hearts", "seats": ["me", *[{"bot": "easy"}] * 3]}
        path = f"/v1/games/{ann.post('/v1/games', json=plan).json()['id']}"
        assert ann.put(f"{path}/seats/0", json={}).status_code == 200
        before = ann.get(path).json()["view"]
        move = choose(before, before["legal_moves"], b"seed")
        key = {"Idempotency-Key": "the-key"}
        with ann.stream("GET", f"{path}/stream") as stream:
            lines = stream.iter_lines()
            log_redis.config_set("maxmemory", 1)
            answer = ann.post(f"{path}/moves", json=move, headers=key)
            assert (answer.status_code, answer.json()["code"]) == (503, "busy")
            assert int(answer.headers["Retry-After"]) >= 1
            refused = ann.get("/readyz")
            assert refused.status_code == 503
            assert "memory-full" in [one["name"] for one in refused.json()["problems"]]
            assert ann.get(path).json()["view"] == before
            log_redis.config_set("maxmemory", 0)
            assert ann.get("/readyz").status_code == 200
            done = ann.post(f"{path}/moves", json=move, headers=key)
            assert done.status_code == 201
            assert f"id: {done.json()['version']}" in lines
    finally:
        log_redis.config_set("maxmemory", 0)
        server.end()
