"""`elsinore status`, `dead` and `rebuild`, on a server of the tests."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from events.log.outbox import Outbox
from events.log.redis import RedisStore
from events.log.store import Task
from events.projections.redis import RedisProjections
from events.projections.store import PROJECTIONS, FailedProjection
from events.redis.keys import ALL_PARTITIONS
from service.cli.main import main
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.docs.shown import typed
from tests.workers.playing import LATEST, handler_on, open_table
from tests.workers.test_projector import check_equal_to_the_fold
from workers.bot_turns import Turns
from workers.composition import dispatcher
from workers.projections.projector import Projecting
from workers.queue.work_queue import WorkQueue

pytestmark = pytest.mark.processes


class Installation:
    def __init__(self, url: str, client: Any) -> None:
        self.url, self.client = url, client
        self.store, self.projections = RedisStore(client), RedisProjections(client)

    def run(self, *words: str, columns: int = 200) -> Result:
        environment = {"REDIS_URL": self.url, "COLUMNS": str(columns)}
        return CliRunner().invoke(main, words, env=environment)

    def played(self, key: str) -> str:
        """A finished game, projected."""
        handler = handler_on(self.store)
        game = open_table(handler, key=key)
        turns = Turns(handler, lambda game, version: None, seconds=60.0)
        turns.bot_turn(game, len(self.store.read(game)))
        Projecting(self.store, self.projections).project(game, LATEST)
        return game

    def rows(self) -> dict[str, str]:
        """The table of `status`: how many of what."""
        said = self.run(*typed("elsinore status"))
        assert said.exit_code == 0, said.output
        cells = [re.split(r"\s*│\s*", line.strip(" │")) for line in said.stdout.splitlines()]
        return {row[0]: row[1] for row in cells if len(row) == 3}


@pytest.fixture
def here(valkey: str, log_redis: Any) -> Installation:
    return Installation(valkey, log_redis)


def test_status_tells_what_waits(here: Installation) -> None:
    open_table(handler_on(here.store))
    WorkQueue(here.client).project("g", LATEST)

    rows = here.rows()

    assert rows["bots' turns"] == rows["projections"] == rows["jobs in the queue"] == "1"
    assert rows["dead letters"] == rows["dead projections"] == "0"


def test_status_counts_what_is_unknown_to_it(here: Installation) -> None:
    assert "work unknown to this release" not in here.rows()
    here.client.zadd(ALL_PARTITIONS[0].due, {"audit:g": 5})
    assert here.rows()["work unknown to this release"] == "1"


def test_c23_dead_projections_are_shown_with_entry_and_reason_and_tried_again(
    here: Installation,
) -> None:
    game = here.played("one")
    here.projections.mark_failed(
        FailedProjection(projection="lobby", game=game, version=41, reason="KeyError")
    )
    assert here.rows()["dead projections"] == "1"
    said = here.run("status").stdout
    assert f"{game}/lobby" in said
    assert "41" in said
    assert "KeyError" in said

    done = here.run("dead", "retry", f"{game}/lobby")

    assert "0 letters and 1 projections" in done.output
    [letter] = [
        letter
        for _ in range(2)
        for letter in Outbox(here.client, "a").read(1)
        if letter.task and letter.task.first > letter.task.last
    ]
    assert letter.task == Task(game, 42, 41, ("score",))


def test_dead_letters_are_listed_sent_again_and_dropped(here: Installation) -> None:
    post, _ = dispatcher(here.url, here.url)
    post.step(wait=1)
    for partition in ALL_PARTITIONS[:2]:
        here.client.xadd(partition.outbox, {"nonsense": "yes"})
    post.step(wait=1)
    listed = here.run(*typed("elsinore dead list")).stdout
    assert listed.count("nonsense=yes") == 2
    names = re.findall(r"0[01]/\d+-\d+", listed)

    assert here.run("dead", "retry").exit_code == 2
    assert here.run("dead", "drop", "00/1-1").exit_code == 1
    assert "1 letters" in here.run("dead", "retry", names[0]).output
    assert here.rows()["dead letters"] == "1"
    post.step(wait=1)
    assert here.rows()["dead letters"] == "2"
    assert "2 letters" in here.run(*typed("elsinore dead retry --all")).output
    assert here.rows()["dead letters"] == "0"
    post.step(wait=1)
    [name, _] = re.findall(r"0[01]/\d+-\d+", here.run("dead", "list").stdout)
    assert "1 letters" in here.run(*typed("elsinore dead drop NAME", NAME=name)).output
    assert here.rows()["dead letters"] == "1"
    assert "1 letters" in here.run("dead", "drop", "--all").output
    assert here.rows()["dead letters"] == "0"


def test_every_name_that_is_listed_can_be_copied_from_eighty_columns(here: Installation) -> None:
    game = open_table(handler_on(here.store))
    reason = "UnknownSchema at entry 123456: " + "of-a-newer-release" * 5
    for name in PROJECTIONS:
        here.projections.mark_failed(
            FailedProjection(projection=name, game=game, version=123456, reason=reason)
        )
    post, _ = dispatcher(here.url, here.url)
    post.step(wait=1)
    here.client.xadd(ALL_PARTITIONS[0].outbox, {"nonsense": "x" * 200})
    post.step(wait=1)

    listed = here.run("dead", "list", columns=80).stdout
    names = re.findall(r"^│ (\S+/\S+) +│", listed, re.MULTILINE)

    assert sorted(names)[1:] == sorted(f"{game}/{name}" for name in PROJECTIONS)
    assert max(map(len, listed.splitlines())) <= 80
    assert listed.count("x") >= 200
    assert "…" not in listed + here.run("status", columns=80).stdout
    assert "1 letters and 3 projections" in here.run("dead", "drop", *names).output


def test_all_is_rebuilt_and_equal_to_the_fold(here: Installation) -> None:
    games = [here.played(f"key-{number}") for number in range(3)]
    for pattern in ("*scoresheet*", "*lobby*", "*record*"):
        for key in here.client.scan_iter(match=pattern):
            here.client.delete(key)

    for _ in range(2):
        done = here.run(*typed("elsinore rebuild"))
        assert done.exit_code == 0, done.output
        assert "3 of 3 games rebuilt" in done.output
        check_equal_to_the_fold(here.store, here.projections, games)


def test_c23_one_game_and_one_projection_is_rebuilt(here: Installation) -> None:
    games = [here.played(f"key-{number}") for number in range(2)]
    for key in here.client.scan_iter(match="*scoresheet*"):
        here.client.delete(key)

    one = typed("elsinore rebuild --game GAME", GAME=games[0])
    done = here.run(*one, "--only", "scoresheet")

    assert "scoresheet: 1 of 1" in done.output
    assert here.projections.sheet(games[0]) is not None
    assert here.projections.sheet(games[1]) is None
    assert here.run("rebuild", "--game", "nosuch").exit_code == 1
    assert here.run("rebuild", "--only", "nonsense").exit_code == 2


def test_a_game_that_cannot_be_rebuilt_is_told(here: Installation) -> None:
    games = [here.played(f"key-{number}") for number in range(2)]
    key = next(iter(here.client.scan_iter(match=f"*:game:{games[0]}")))
    here.client.xdel(key, "5-0")

    done = here.run("rebuild")

    assert done.exit_code == 1
    assert "1 of 2 games rebuilt" in done.output
    assert here.rows()["dead projections"] == str(len(PROJECTIONS))
    check_equal_to_the_fold(here.store, here.projections, [games[1]])


def test_without_a_queue_status_says_so(tmp_path: Path) -> None:
    nowhere = {"REDIS_URL": "", "QUEUE_REDIS_URL": ""}
    with EmbeddedServer(tmp_path / "log"):
        said = CliRunner().invoke(main, ["status", "--data", str(tmp_path)], env=nowhere)
    assert said.exit_code == 0, said.output
    assert "no queue" in said.stdout


def test_what_a_dead_letter_says_styles_and_commands_nothing(here: Installation) -> None:
    post, _ = dispatcher(here.url, here.url)
    post.step(wait=1)
    here.client.xadd(ALL_PARTITIONS[0].outbox, {"[/x]": "\x1b[2J[red]"})
    post.step(wait=1)

    said = here.run("dead", "list")

    assert said.exit_code == 0
    assert "[/x]=\\x1b[2J[red]" in said.stdout
