"""A game from outside in the service as it runs: the API, the workers, the commands."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from events.audit.audit import audit, lines_of
from events.plugins import load_rulesets
from tests.cli.running import COMMAND, Person, Up, clean_environment, until
from tests.outside.installing import PAIRS, Shelf

pytestmark = [pytest.mark.processes, pytest.mark.timeout(180)]

REFUSED = "elsinore.rulesets: poker of broken-game is refused: "
BOT = """
VERSION = "first-1"
def choose(view, legal, seed):
    return legal[0]
"""


@pytest.fixture
def path(shelf: Shelf) -> str:
    """What PYTHONPATH is to be for a game, its bot, and a game that is broken."""
    shelf.install("elsinore-pairs", PAIRS, {"pairs": "first_bot"}, {"first_bot": BOT})
    shelf.install("broken-game", {"poker": "none_such:GAME"})
    return str(shelf.path)


def test_a_game_is_played_where_all_processes_have_it_and_a_broken_one_stops_none(
    path: str, tmp_path: Path
) -> None:
    with Up(tmp_path / "data", PYTHONPATH=path) as service, Person(service.address) as person:
        call = person.client.call
        listed = [one["id"] for one in call("GET", "/v1/rulesets")["rulesets"]]
        assert "pairs@1" in listed
        assert not any("poker" in one for one in listed)
        opened = call(
            "POST", "/v1/games", {"ruleset": "pairs", "seats": ["me", *[{"bot": "hard"}] * 3]}
        )
        person.path = f"/v1/games/{opened['id']}"
        call("PUT", f"{person.path}/seats/0", {})
        person.play()
        lines = lines_of(person.client.fetch("GET", f"{person.path}/log"))

        def record() -> Any:
            return call("GET", f"/v1/players/{person.client.player}")["record"].get("pairs@1")

        until(lambda: record() is not None and record()["finished"] == 1)
        assert record()["won"] == int(0 in person.view()["outcome"]["winners"])
    assert sum(b'"bot":"first-1"' in line for line in lines) == 3 * 2 * (1 + 3)
    assert load_rulesets()[0].name == "poker"
    assert audit(lines).ok
    said = service.log.read_text()
    assert REFUSED in said
    assert said.count('"plugin-refused"') == 2, "by the API and by the worker"


def test_commands_know_it_and_tell_of_the_broken_one(path: str) -> None:
    done = subprocess.run(
        [*COMMAND, "play", "pairs"],
        capture_output=True,
        text=True,
        timeout=120,
        env=clean_environment() | {"PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 games of pairs" in done.stdout
    assert done.stderr.count(REFUSED) == 1
