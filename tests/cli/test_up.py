"""The whole service under one parent, as a newcomer starts it."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from events.audit.audit import audit, lines_of
from service.cli.ops.embedded_valkey import DataDirectoryInUse, EmbeddedServer
from service.cli.up import is_ready
from tests.cli.running import (
    COMMAND,
    Person,
    Up,
    children,
    clean_environment,
    is_alive,
    until,
)
from tests.docs.shown import typed

pytestmark = [pytest.mark.processes, pytest.mark.timeout(180)]

ONE_DEAL = {"target_score": 1}


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words],
        capture_output=True,
        text=True,
        timeout=120,
        env=clean_environment() | environment,
        check=False,
    )


def verdict(person: Person) -> str:
    keys = {key["id"]: key["public_key"] for key in person.client.call("GET", "/v1/keys")["keys"]}
    lines = lines_of(person.client.fetch("GET", f"{person.path}/log"))
    return audit(lines, receipts=person.receipts, keys=keys).status


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A service for the tests that leave it running."""
    with Up(tmp_path_factory.mktemp("running") / "data") as service:
        yield service


def test_a_person_plays_a_game_with_three_bots_to_the_end(running: Up) -> None:
    with Person(running.address) as person:
        person.open(**ONE_DEAL)
        person.play()

        assert verdict(person) == "ok"
        for view in person.views:
            seen = person.client.call("GET", f"{person.path}?at={view['version']}")
            assert seen["view"] == view
        docs = person.client.fetch("GET", "/docs/")
    assert b"swagger" in docs.lower()


def test_scoresheet_record_and_lobby_follow_the_game(running: Up) -> None:
    data = running.data
    with Person(running.address) as person:
        call = person.client.call
        person.open(**ONE_DEAL)
        person.play()
        until(lambda: waiting(data) == {"bots' turns": "0", "projections": "0"})

        view, sheet = person.view(), call("GET", f"{person.path}/scoresheet")
        assert (sheet["version"], sheet["totals"]) == (view["version"], view["totals"])
        assert not sheet["scores_disagree"]
        record = call("GET", f"/v1/players/{person.client.player}")["record"]["hearts@1"]
        assert record == {"played": 1, "finished": 1, "won": int(0 in view["outcome"]["winners"])}
        [row] = call("GET", "/v1/games?mine=true&status=finished")["games"]
        assert row["version"] == view["version"]
        rebuilt = run("rebuild", "--data", str(data)).stdout
        assert re.search(r"\b([1-9]\d*) of \1 games rebuilt", rebuilt), rebuilt
        assert call("GET", f"{person.path}/scoresheet") == sheet
        assert call("GET", f"/v1/players/{person.client.player}")["record"]["hearts@1"] == record


def waiting(data: Path) -> dict[str, str]:
    """What `elsinore status` says of the service that runs on `data`."""
    said = run("status", "--data", str(data))
    assert said.returncode == 0, said.stderr
    cells = [re.split(r"\s*│\s*", line.strip(" │")) for line in said.stdout.splitlines()]
    rows = {row[0]: row[1] for row in cells if len(row) == 3}
    assert rows["jobs in the queue"].isdecimal()
    return {name: rows[name] for name in ("bots' turns", "projections")}


def test_a_game_goes_on_after_the_service_was_ended_and_started_again(tmp_path: Path) -> None:
    with Up(tmp_path / "data") as service, Person(service.address) as person:
        person.open(**ONE_DEAL)
        person.play(moves=6)
        before = person.view()
        assert service.end()[0] == 0

    with Up(tmp_path / "data") as service, person:
        person.back_at(service.address)
        assert person.client.call("GET", f"{person.path}?at={before['version']}")["view"] == before
        person.play()
        assert verdict(person) == "ok"


def test_the_end_does_not_wait_for_open_streams(tmp_path: Path) -> None:
    with (
        Up(tmp_path / "data") as service,
        Person(service.address) as person,
        ExitStack() as stack,
    ):
        person.open(**ONE_DEAL)
        streams = [stack.enter_context(person.stream()) for _ in range(3)]

        status, seconds = service.end()

        assert status == 0
        assert seconds < 5
        for stream in streams:
            stream.read()
        assert "killed" not in service.log.read_text()


def test_the_end_does_not_wait_for_half_a_request_nor_for_fifty_streams(tmp_path: Path) -> None:
    with (
        Up(tmp_path / "data", ELSINORE_STREAMS_PER_PLAYER="60") as service,
        Person(service.address) as person,
        ExitStack() as stack,
    ):
        person.open(**ONE_DEAL)
        streams = [stack.enter_context(person.stream()) for _ in range(50)]
        half = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
        head = f"POST {person.path}/moves HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n"
        half.sendall(f"{head}Authorization: Bearer {person.client.token}\r\n\r\n{{".encode())
        barely = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
        barely.sendall(b"GET /healthz HTTP/1.1\r\nHo")
        assert is_ready("127.0.0.1", service.port)

        status, seconds = service.end()

        assert status == 0
        assert seconds < 5
        for stream in streams:
            stream.read()
    said = service.log.read_text()
    assert "killed" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize("name", ["with a space", "50% + more?#"])
def test_commands_find_the_service_that_runs_on_any_directory(tmp_path: Path, name: str) -> None:
    data = tmp_path / name
    with Up(data) as service, Person(service.address) as person:
        person.open(**ONE_DEAL)
        game = person.path.rpartition("/")[2]
        for words in (["token", "Ben"], ["replay", game], ["rebuild"], ["dead", "list"]):
            done = run(*words, "--data", str(data))
            assert done.returncode == 0, done.stderr
        assert waiting(data)["projections"] in {"0", "1"}
        assert run("backup", str(tmp_path / "a copy %"), "--data", str(data)).returncode == 0


def test_ctrl_c_ends_it_as_well(tmp_path: Path) -> None:
    with Up(tmp_path / "data") as service:
        status, seconds = service.end(signal.SIGINT)

    assert status == 0
    assert seconds < 5


def test_a_second_start_on_the_same_directory_says_so(running: Up) -> None:
    second = run("up", "--port", "0", "--data", str(running.data))
    assert second.returncode != 0
    assert "Another process already runs" in second.stderr
    assert str(running.data) in second.stderr
    assert is_ready("127.0.0.1", running.port)


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("up", "--port", str(port), "--data", str(tmp_path / "data"))

    assert done.returncode != 0
    assert f"127.0.0.1:{port}" in done.stderr


def test_a_server_that_would_lose_entries_is_said_before_anything_starts(
    valkey: str, tmp_path: Path
) -> None:
    done = run("up", "--port", "0", "--data", str(tmp_path), REDIS_URL=valkey)

    assert done.returncode == 1
    assert done.stderr.startswith("Error: appendfsync is everysec")
    assert not list(tmp_path.iterdir())


def test_tokens_replays_and_exports_of_a_running_service(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Up(data) as service, ExitStack() as stack:
        made = run(*typed("elsinore token NAME", NAME="Ben"), "--data", str(data))
        player, token = made.stdout.split()
        person = stack.enter_context(Person(service.address))
        person.client.player, person.client.token = player, token
        person.open(**ONE_DEAL)
        game = person.path.rpartition("/")[2]
        person.play(moves=3)
        during = run("replay", game, "--data", str(data), COLUMNS="300")
        early = run("export", game, "--data", str(data))
        person.play()
        log = person.client.fetch("GET", f"{person.path}/log")
        running = run("export", game, "--data", str(data))
    stopped = run("export", game, "--data", str(data))

    assert "hidden" in during.stdout
    assert early.returncode != 0
    assert early.stderr == "Error: The whole log opens when the game is finished.\n"
    assert running.stdout.encode() == stopped.stdout.encode() == log


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds children in /proc")
class TestKilled:
    @pytest.mark.parametrize(
        "command",
        [
            "service.cli.ops.processes worker",
            "service.cli.ops.processes dispatcher",
            "gunicorn",
            "/queue/server.sock",
            "/log/server.sock",
        ],
    )
    def test_c15_what_is_killed_is_replaced_and_the_game_goes_on(
        self, running: Up, command: str
    ) -> None:
        with Person(running.address) as person:
            person.open(**ONE_DEAL)
            person.play(moves=3)
            killed = running.child(command)
            below = children(killed)
            os.kill(killed, signal.SIGKILL)
            until(lambda: is_replaced(running, command, killed))
            until(lambda: not any(map(is_alive, below)))  # a process of the old API still answers
            until(lambda: is_ready("127.0.0.1", running.port))
            person.back_at(running.address)
            person.play()
            assert verdict(person) == "ok"

    def test_after_the_parent_was_killed_the_next_start_takes_over(self, tmp_path: Path) -> None:
        with Up(tmp_path / "data") as first, Person(first.address) as person:
            person.open(**ONE_DEAL)
            person.play(moves=3)
            first.end(signal.SIGKILL)
            until(lambda: is_free(first.port))
            until(lambda: can_be_locked(tmp_path / "data" / "log"))
            with Up(tmp_path / "data", first.port) as second:
                person.back_at(second.address)
                person.play()
                assert verdict(person) == "ok"


def is_replaced(service: Up, name: str, killed: int) -> bool:
    try:
        return service.child(name) != killed
    except (LookupError, FileNotFoundError):
        return False


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def can_be_locked(directory: Path) -> bool:
    try:
        with EmbeddedServer(directory):
            return True
    except DataDirectoryInUse:
        return False


def test_the_demo_plays_replays_and_audits() -> None:
    done = run("demo", COLUMNS="200")

    assert done.returncode == 0, done.stderr
    assert "audit: ok" in done.stdout
    assert "3 moments: ok" in done.stdout


def test_people_play_while_the_queue_is_away(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        queue = f"redis://127.0.0.1:{nobody.getsockname()[1]}"
    with Up(tmp_path / "data", QUEUE_REDIS_URL=queue) as service:
        until(lambda: '"event":"keeps-ending"' in service.log.read_text(), 60)
        assert service.process.poll() is None
        with Person(service.address) as person:
            person.open(**ONE_DEAL)
            assert person.view()["status"] == "playing"
