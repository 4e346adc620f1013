"""What operators are told: logs in one shape that hide hands, counts of all processes together."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from domain.card_games.cards import FRENCH
from domain.visibility import Part
from events.log.entry import Entry, canonical, entry_digest, salt_of, sealed
from events.log.memory import MemoryStore
from service.server import scratch
from service.server.scratch import counts_directory, remove_left
from service.services import Services
from tests.service.serving import Server
from tests.service.tables import Table

REQUESTS = 12


def broken_by(table: Table, card: str) -> None:
    """The log's deal, sealed and chained as it should be, with one card in it twice."""
    store = table.services.store
    assert isinstance(store, MemoryStore)
    loaded = table.services.loader.current(table.game)
    table.services.loader.drop(table.game)
    log = store.logs[table.game]
    at = next(n for n, entry in enumerate(log) if b'"hearts.dealt"' in entry.public)
    for n in range(at, len(log)):
        public, secrets = json.loads(log[n].public), json.loads(log[n].secrets or b"{}")
        if n == at:
            secrets["/hands/0"][:2] = [card, card]
            seal = public["data"]["hands"][0]
            part = Part("/hands/0", secrets["/hands/0"], tuple(seal["to"]), seal["until"])
            salt = salt_of(loaded.chain, n + 1, part)
            seal["sealed"] = sealed(table.game, salt, part.value)
        written = canonical(public)
        digest = entry_digest(table.game, log[n - 1].digest, written)
        log[n] = Entry(n + 1, written, digest, canonical(secrets) if secrets else b"")


def test_no_card_of_a_broken_log_is_told_or_logged(services: Services) -> None:
    table = Table(services).sit()
    broken_by(table, "QS")
    with capture_logs() as logged:
        answers = [person.get(table.path) for person in (*table.people, table.spectator)]
    assert {(a.status_code, a.json["code"]) for a in answers} == {(500, "log-broken")}
    (line, *others) = [entry for entry in logged if entry["event"] == "log"]
    assert (line["code"], line["game"]) == ("log-broken", table.game)
    assert line["version"] == 7
    assert len(others) == 4
    told = json.dumps([logged, [answer.json for answer in answers]])
    assert not [code for code in FRENCH.codes if f'"{code}' in told or f" {code} " in told]


def test_what_goes_wrong_unforeseen_is_logged_without_its_text(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = "QS".lower()

    def fails(*_: object) -> None:
        raise KeyError(card)

    monkeypatch.setattr(table.services.loader, "current", fails)
    with capture_logs() as logged:
        assert table.people[0].get(table.path).status_code == 500
    (line,) = logged
    assert (line["event"], line["error"]) == ("unexpected", "KeyError")
    assert any("fails" in where for where in line["where"])
    assert card not in json.dumps(line)


@pytest.fixture
def server(valkey: str, log_redis: redis.Redis, tmp_path: Path) -> Iterator[Server]:
    running = Server(valkey, tmp_path)
    try:
        yield running
    finally:
        running.end()


@pytest.mark.processes
def test_every_line_of_the_log_is_one_json_object(server: Server) -> None:
    ann = server.person("Ann")
    game = ann.post("/v1/games", json={"ruleset": "hearts", "seats": ["open"] * 4}).json()["id"]
    ticket = ann.post("/v1/tickets").json()["ticket"]
    with ann.stream("GET", f"/v1/games/{game}/stream?ticket={ticket}") as stream:
        assert stream.status_code == 200
    assert server.stop() == 0
    server.end()
    lines: list[dict[str, Any]] = [json.loads(line) for line in server.log]
    assert all({"event", "level", "timestamp"} <= line.keys() for line in lines)
    told = " ".join(line["event"] for line in lines)
    for part in ("Listening at", "Booting worker", "command", "Shutting down"):
        assert part in told
    assert not any(secret in "".join(server.log) for secret in (ticket, "elt_", "/stream"))


def value(text: str, name: str) -> float:
    (line,) = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(line.rsplit(" ", 1)[1])


@pytest.mark.processes
def test_metrics_are_of_all_processes_whichever_is_asked(server: Server, tmp_path: Path) -> None:
    clients = [server.client() for _ in range(REQUESTS)]
    for client in clients:
        assert client.get("/v1/rulesets").status_code == 200
    asked = 'elsinore_request_seconds_count{method="GET",route="/v1/rulesets"}'
    texts = [client.get("/metrics").text for client in clients]
    assert {value(text, asked) for text in texts} == {REQUESTS}
    assert {value(text, "elsinore_ready") for text in texts} == {1}
    ann = server.person("Ann")
    path = ann.post("/v1/games", json={"ruleset": "hearts", "seats": ["open"] * 4}).json()["id"]
    with ann.stream("GET", f"/v1/games/{path}/stream") as stream:
        news = stream.iter_lines()
        next(news)
        open_now = {
            value(client.get("/metrics").text, "elsinore_streams_open") for client in clients
        }
    assert open_now == {1}
    counts = counts_directory(tmp_path)
    assert len(list(counts.iterdir())) == 1
    assert server.stop() == 0
    assert not counts.exists()


def test_counts_are_kept_beside_the_data_where_memory_is_no_place_or_another_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "MEMORY", tmp_path / "nowhere")
    assert counts_directory(tmp_path) == tmp_path / "metrics"
    monkeypatch.setattr(scratch, "MEMORY", tmp_path)
    place = counts_directory(tmp_path)
    assert place.parent == tmp_path
    assert place.stat().st_mode & 0o777 == 0o700
    place.rmdir()
    place.symlink_to(tmp_path)
    assert counts_directory(tmp_path) == tmp_path / "metrics"


def test_what_a_killed_process_counted_is_removed_by_the_next(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    names = {f"host-{ended.pid}", f"host-{os.getpid()}", "host-x", f"other-{ended.pid}"}
    for name in names:
        (tmp_path / name).mkdir()
    remove_left(tmp_path / "host-1")
    assert {path.name for path in tmp_path.iterdir()} == names - {f"host-{ended.pid}"}
