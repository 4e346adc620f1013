"""The operator's page: it names all there is to name, and what it says to do was done."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from domain.game.model import Actor
from domain.registry import find
from domain.rulesets.hearts.model import CardPlayed
from domain.visibility import Viewer
from events.audit.audit import audit, lines_of
from events.log import upcasting
from events.log.redis import RedisStore
from events.queries import view_with_head
from events.redis.client import connect
from service.cli.client import Client, Refused
from service.cli.ops.embedded_valkey import EmbeddedServer
from service.problems.codes import CODES
from service.settings import Settings
from service.telemetry.metrics import Metrics
from tests.cli.running import COMMAND, Person, Up, clean_environment, until
from tests.docs.shown import script, typed
from tests.tables import request
from tests.workers.playing import handler_on
from workers.bot_turns import bot_due
from workers.sweep import ALL

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text()
BOTS = [{"bot": level} for level in ("easy", "normal", "hard", "normal")]
CARD = "hearts.card-played"


class Noting(dict[str, str]):
    """An environment that remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return default


def test_every_setting_is_documented_and_no_other() -> None:
    environment = Noting()
    Settings.read(environment)
    variable = re.compile(r'"((?:ELSINORE|REDIS|QUEUE_REDIS)_[A-Z_]*[A-Z])"')
    sources = [*(ROOT / "service").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]
    named = {name for source in sources for name in variable.findall(source.read_text())}
    rows = set(re.findall(r"^\| `([A-Z_]+)` \|", PAGE, re.MULTILINE))

    assert rows == environment.asked
    assert named <= rows


def test_defaults_are_documented_as_they_are() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+?) \|", PAGE, re.MULTILINE))
    default = Settings()

    assert rows["ELSINORE_BODY_LIMIT"] == str(default.body_limit)
    assert rows["ELSINORE_OPENING_LIMIT"] == str(default.opening_limit)
    assert rows["ELSINORE_STREAMS"] == str(default.streams)
    assert rows["ELSINORE_STREAMS_PER_PLAYER"] == str(default.streams_per_player)
    assert rows["ELSINORE_LIMIT_MOVES"] == default.limit_moves
    assert rows["ELSINORE_LIMIT_LOBBY"] == default.limit_lobby
    assert rows["ELSINORE_LIMIT_READS"] == default.limit_reads
    assert rows["ELSINORE_LIMIT_REGISTRATIONS"] == default.limit_registrations
    assert rows["ELSINORE_BIND"] == f"`{default.bind}`"
    assert float(rows["ELSINORE_HEARTBEAT_SECONDS"]) == default.heartbeat
    assert float(rows["ELSINORE_LONGEST_WAIT_SECONDS"]) == default.longest_wait
    assert float(rows["ELSINORE_PRESENCE_SECONDS"]) == default.presence_window


def test_every_metric_is_documented() -> None:
    names = {family.name for family in Metrics().registry.collect()}

    assert names == set(re.findall(r"^\| `(elsinore_[a-z_]+)` \|", PAGE, re.MULTILINE))


def test_every_error_in_the_logs_is_documented() -> None:
    events = {
        name
        for folder in ("service", "workers", "events")
        for source in (ROOT / folder).rglob("*.py")
        for name in re.findall(r'_log\.error\(\s*"([a-z-]+)"', source.read_text())
    }

    assert {name for name in events if f"`{name}`" not in PAGE} == set()


def test_every_code_and_event_on_the_page_is_one() -> None:
    [refusals] = re.findall(r"^\| `elsinore_refusals` \| (.*) \|$", PAGE, re.MULTILINE)
    answered = {*re.findall(r"`([a-z-]+)`", refusals)}
    answered |= {*re.findall(r"^- \*\*`([a-z-]+)`\*\* \(\d+\)", PAGE, re.MULTILINE)}
    sources = [
        source.read_text()
        for folder in ("service", "workers", "events")
        for source in (ROOT / folder).rglob("*.py")
    ]
    said = {name for source in sources for name in re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source)}

    assert answered <= CODES.keys()
    assert {"too-many-requests", "log-missing", "unknown-schema"} <= answered
    assert {*re.findall(r"`([a-z]+(?:-[a-z]+)+)`", PAGE)} <= said


class Restored(Up):
    @staticmethod
    def command(data: Path, port: int, workers: int) -> list[str]:
        words = typed("elsinore up --data restored", restored=data)
        return [*COMMAND, *words, "--port", str(port), "--workers", str(workers)]


def run(script: str, folder: Path) -> str:
    """Of a script of the page, run where a reader would: beside the data."""
    installed = folder / ".venv"
    if not installed.exists():
        installed.symlink_to(sys.prefix)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        cwd=folder,
        env=clean_environment(),
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def verdict(client: Client, path: str, receipts: list[dict[str, Any]]) -> str:
    keys = {key["id"]: key["public_key"] for key in client.call("GET", "/v1/keys")["keys"]}
    lines = lines_of(client.fetch("GET", f"{path}/log"))
    return audit(lines, receipts=receipts, keys=keys).status


def is_finished(client: Client, path: str) -> bool:
    return bool(client.call("GET", path)["view"]["status"] == "finished")


@pytest.mark.processes
@pytest.mark.timeout(180)
def test_a_running_service_is_backed_up_and_restored(tmp_path: Path) -> None:
    with Up(tmp_path / "var") as service, Person(service.address) as person:
        call = person.client.call
        body = {"ruleset": "hearts", "options": {"target_score": 60}, "seats": BOTS}
        others = [f"/v1/games/{call('POST', '/v1/games', body)['id']}" for _ in range(4)]
        person.open(target_score=1)
        person.play(moves=5)
        known, receipts = person.view(), list(person.receipts)
        backup = shlex.join(typed("elsinore backup backups/today --data var"))
        run(f".venv/bin/elsinore {backup}", tmp_path)
        person.play(moves=3)

    said = run(script("cp -a backups/today restored"), tmp_path)
    assert "5 of 5 games rebuilt" in said
    restored = tmp_path / "restored"
    with Restored(restored) as service, person:
        person.back_at(service.address)
        assert person.client.call("GET", f"{person.path}?at={known['version']}")["view"] == known
        person.receipts = receipts
        person.play()
        for path in others:
            until(partial(is_finished, person.client, path), 60)
            assert verdict(person.client, path, []) == "ok"
        assert verdict(person.client, person.path, person.receipts) == "ok"

    run(script("rm restored/receipt.key"), tmp_path)
    with Up(restored) as service, person:
        person.back_at(service.address)
        first, second = person.client.call("GET", "/v1/keys")["keys"]
        assert second["id"] == receipts[0]["key"] != first["id"]
        assert verdict(person.client, person.path, person.receipts) == "ok"
        before, person.receipts = person.receipts, []
        person.open(target_score=1)
        assert {receipt["key"] for receipt in person.receipts} == {first["id"]}
        assert {receipt["key"] for receipt in before} == {second["id"]}


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """This process is of a release that writes cards played by schema 2, and reads both."""
    with monkeypatch.context() as release:
        release.setattr(CardPlayed, "schema", 2)
        release.setitem(upcasting.UPCASTERS, (CARD, 1), dict)
        yield release


@pytest.mark.processes
@pytest.mark.timeout(180)
def test_e22_an_upgrade_with_an_event_that_the_old_release_does_not_know(
    tmp_path: Path, newer: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    with Up(data) as old, Person(old.address) as ann, Person(old.address) as ben:
        for person in (ann, ben):
            person.open(target_score=1)
            person.play(moves=2)
        game = ann.path.rpartition("/")[2]
        until(lambda: ann.view()["question"] is not None)
        last = ann.view()["version"]
        url = EmbeddedServer.running_on(data / "log")
        assert url
        store = RedisStore(connect(url))
        new = handler_on(store)
        answer_in(new, game, ann.client.player)
        written = new.loader.current(game).head
        assert written.version > last

        for method, path, body in (
            ("GET", ann.path, None),
            ("GET", f"{ann.path}/events?after=1", None),
            ("POST", f"{ann.path}/moves", {"answers": "d1.t9", "type": "play_card", "card": "2C"}),
        ):
            with pytest.raises(Refused) as refused:
                ann.client.call(method, path, body)
            assert (refused.value.status, refused.value.problem["code"]) == (500, "unknown-schema")
        ben.play()
        assert verdict(ben.client, ben.path, ben.receipts) == "ok"
        assert {row["id"] for row in ben.client.call("GET", "/v1/games")["games"]} >= {
            ben.path.rpartition("/")[2]
        }
        old.end()

    with EmbeddedServer(data / "log") as server:
        upgraded = handler_on(RedisStore(connect(server.url)))
        kept = upgraded.loader.current(game)
        schemas = {
            int(schema)
            for entry in upgraded.store.read(game)
            if f'"type":"{CARD}"'.encode() in entry.public
            for schema in re.findall(rb'"schema":(\d)', entry.public)
        }
        assert schemas == {1, 2}
        assert view_with_head(kept, Viewer())["version"] == kept.head.version
        assert kept.head == written, "an old worker wrote behind what it cannot read"
        left = {work for one, work, _ in upgraded.store.due(ALL) if one == game}
        assert ("bot" in left) == (bot_due(kept) is not None), "what was due is lost"
        other = upgraded.loader.current(ben.path.rpartition("/")[2])
        assert other.game.status == "finished"


def answer_in(handler: Any, game: str, player: str) -> None:
    """The person in seat 0 plays the first legal card."""
    loaded = handler.loader.current(game)
    move: Any = find("hearts@1").legal_moves(loaded.game.state, 0).moves[0]
    actor = Actor(kind="player", id=player, seat=0)
    handler.handle(game, request(move), actor, "by the new release", "c")
