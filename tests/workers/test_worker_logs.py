"""What a worker process says on standard error: lines of JSON, and nothing that is hidden."""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.running import clean_environment, until
from workers.queue.untrusted_jobs import KEY
from workers.queue.work_queue import WorkQueue

pytestmark = pytest.mark.processes

SECRET = "the QS is in seat 2"


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Raises where one of them is no JSON object."""
    whole = path.read_bytes().rpartition(b"\n")[0]
    return [msgspec.json.decode(line, type=dict) for line in whole.splitlines()]


def begun(path: Path, log: str, queue: str) -> subprocess.Popen[bytes]:
    own = {"REDIS_URL": log, "QUEUE_REDIS_URL": queue, "ELSINORE_DATA": str(path.parent)}
    with path.open("wb") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.workers.telling"],
            stdout=errors,
            stderr=errors,
            env=clean_environment() | own,
        )


def test_every_line_is_json_and_none_has_the_text_of_an_exception(
    valkey: str, log_redis: Any, tmp_path: Path
) -> None:
    path = tmp_path / "stderr"
    queue = WorkQueue(log_redis)
    queue.bot_turn("a-game", 1)
    queue.project("a-game", 1)
    queue.rq.enqueue_call("os.system", args=("true",))
    log_redis.rpush(KEY, b"\xff\xfe")

    def said() -> Counter[str]:
        return Counter(line["event"] for line in lines_of(path))

    worker = begun(path, valkey, valkey)
    try:
        until(lambda: said()["jobs-unknown"] == 2 and said()["jobs-failed"] == 6)
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait(30)

    assert SECRET.encode() not in path.read_bytes()
    assert b"Traceback" not in path.read_bytes()
    met = [line for line in lines_of(path) if line["event"] in {"unexpected", "it went wrong"}]
    assert [(line["error"], line["level"]) for line in met] == [("ZeroDivisionError", "error")] * 2
    assert all("telling.py" in line["where"][-1] for line in met)
    kept = b"".join(log_redis.dump(key) or b"" for key in log_redis.scan_iter("rq:*"))
    assert b"ZeroDivision" not in kept


def test_a_worker_that_cannot_begin_says_so_in_a_line(valkey: str, tmp_path: Path) -> None:
    path = tmp_path / "stderr"

    worker = begun(path, valkey, f"unix://{tmp_path}/nowhere")

    assert worker.wait(30) == 1
    [line] = lines_of(path)
    assert (line["event"], line["level"]) == ("process-ends", "error")
    assert line["detail"].startswith("The server does not answer")
