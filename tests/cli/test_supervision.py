"""Children that end when they should not, and that do not end when they should."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from events.redis.health import NO_ROOM
from service.cli.ops import disk_room, supervision
from service.cli.ops.embedded_valkey import ServerFailed
from service.cli.ops.supervision import Child, Server, Stop, supervise

pytestmark = pytest.mark.processes


@pytest.fixture
def stop() -> Iterator[Stop]:
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield Stop()
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(supervision, "LONGEST_PAUSE", 0.02)


def python(code: str, name: str = "it") -> Child:
    return Child(name, (sys.executable, "-c", code), os.environ)


def lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_a_child_that_fails_over_and_over_ends_the_whole(
    stop: Stop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "starts"
    failing = python(f"open({str(file)!r}, 'a').write('x\\n'); raise SystemExit(3)")
    lasting = python("import time; time.sleep(60)", "the other")

    assert supervise([lasting, failing], stop) == 1

    assert lines(file) == supervision.RESTARTS + 1
    said = capsys.readouterr().err
    assert said.count("it ended with status 3.") == supervision.RESTARTS + 1
    assert "it will not run; giving up." in said


def test_what_nothing_rests_upon_is_started_again_for_ever(stop: Stop, tmp_path: Path) -> None:
    file = tmp_path / "starts"
    code = f"open({str(file)!r}, 'a').write('x\\n'); raise SystemExit(3)"
    failing = Child("it", (sys.executable, "-c", code), os.environ, given_up=False)
    lasting = python("import time; time.sleep(60)", "the other")

    def when_ready() -> None:
        stop.requested = True

    with structlog.testing.capture_logs() as said:
        status = supervise(
            [lasting, failing],
            stop,
            ready=lambda: lines(file) == supervision.RESTARTS + 3,
            when_ready=when_ready,
        )

    assert status == 0
    times = [line["times"] for line in said if line["event"] == "keeps-ending"]
    assert times[:2] == [supervision.RESTARTS + 1, supervision.RESTARTS + 2]
    assert {(line["process"], line["status"], line["log_level"]) for line in said} == {
        ("it", 3, "error")
    }


def test_pauses_stay_within_their_bounds_however_often_it_ends() -> None:
    patience = supervision.Patience()
    for _ in range(5000):
        patience.note_end()
    assert patience.failures == 5000
    assert not patience.has_waited


def test_a_child_that_could_not_be_started_is_tried_again(
    stop: Stop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = subprocess.Popen
    refusals = iter([BlockingIOError(errno.EAGAIN, "no process to be had")])

    def begin(*command: Any, **options: Any) -> Any:
        for refusal in refusals:
            raise refusal
        return begun(*command, **options)

    monkeypatch.setattr(subprocess, "Popen", begin)
    child = python("import time; time.sleep(60)")

    def when_ready() -> None:
        stop.requested = True

    ready = lambda: child._process is not None  # noqa: E731
    assert supervise([child], stop, ready=ready, when_ready=when_ready) == 0
    assert "it did not start: no process to be had" in capsys.readouterr().err


class Broken:
    """A server that does not start."""

    pid, has_ended, starts = None, False, 0

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.more: dict[str, str] = {}

    def start(self) -> None:
        self.starts += 1
        raise ServerFailed("its file is broken")


def test_a_server_that_does_not_start_is_given_up_after_a_few_times_only(
    stop: Stop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken: Any = Broken(tmp_path)
    assert supervise([Server("the queue", broken)], stop) == 1
    assert broken.starts == supervision.RESTARTS + 1
    assert "the queue did not start: its file is broken" in capsys.readouterr().err


def test_e16_a_server_is_not_given_up_while_there_is_no_room(
    stop: Stop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_room, "RESERVE", 2**60)
    broken: Any = Broken(tmp_path)

    def when_ready() -> None:
        monkeypatch.setattr(disk_room, "RESERVE", 0)

    ready = lambda: broken.starts == 2 * supervision.RESTARTS  # noqa: E731
    assert supervise([Server("the log", broken)], stop, ready=ready, when_ready=when_ready) == 1
    assert broken.starts == 2 * supervision.RESTARTS
    assert broken.more == {"min-replicas-to-write": str(NO_ROOM)}


def test_a_child_that_ends_is_started_again(stop: Stop, tmp_path: Path) -> None:
    file = tmp_path / "starts"
    child = python(
        f"open({str(file)!r}, 'a').write('x\\n')\n"
        f"import time; time.sleep(0 if len(open({str(file)!r}).readlines()) < 3 else 60)"
    )

    def ready() -> bool:
        return lines(file) == 3

    def when_ready() -> None:
        stop.requested = True

    assert supervise([child], stop, ready=ready, when_ready=when_ready) == 0
    assert lines(file) == 3


def test_a_child_that_does_not_end_in_time_is_killed(
    stop: Stop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervision, "DRAIN_SECONDS", 0.2)
    file = tmp_path / "deaf"
    child = python(
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(file)!r}, 'a').write('x\\n')\n"
        "time.sleep(60)"
    )

    def when_ready() -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    began = time.monotonic()
    status = supervise([child], stop, ready=lambda: lines(file) == 1, when_ready=when_ready)

    assert status == 0
    assert time.monotonic() - began < 30
    assert "it did not end in time and is killed." in capsys.readouterr().err


def test_what_does_not_become_ready_is_given_up(
    stop: Stop, capsys: pytest.CaptureFixture[str]
) -> None:
    child = python("import time; time.sleep(60)")

    assert supervise([child], stop, ready=lambda: False, patience=0.1) == 1
    assert "did not become ready" in capsys.readouterr().err
