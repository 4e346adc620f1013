"""Whist as pip installs it: people and bots play it over HTTP, it is replayed, proved and told."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from domain.laws.all_laws import LAWS, name_of
from elsinore_whist.bot import VERSION
from service.cli.client import Client, Refused
from service.cli.main import main
from tests.cli.running import Up, until
from tests.docs.shown import asked, typed
from tests.examples.environment import ROOT, Environment
from workers.bots.uniform import choose

pytestmark = [pytest.mark.processes, pytest.mark.timeout(180)]

PAGE = (ROOT / "docs" / "a-game-of-your-own.md").read_text(encoding="utf-8")
PAIRS = [[0, 2], [1, 3]]


class Party:
    """Persons at one table, in the order of their seats."""

    def __init__(self, address: str, persons: int) -> None:
        self.clients = [Client.registered(address, f"Person {n}") for n in range(persons)]
        self.path = ""
        self.seats: dict[Client, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self.clients:
            client.close()

    def sit(self, table: dict[str, Any]) -> None:
        """Opens it; each person takes the next seat that is for one."""
        game = self.clients[0].call(*asked("POST /v1/games"), table)["id"]
        self.path = f"/v1/games/{game}"
        theirs = [str(seat) for seat, plan in enumerate(table["seats"]) if plan in ("me", "open")]
        self.seats = dict(zip(self.clients, theirs, strict=False))
        for client, seat in self.seats.items():
            client.call("PUT", f"{self.path}/seats/{seat}", {})

    def view(self, client: Client | None = None) -> dict[str, Any]:
        found: dict[str, Any] = (client or self.clients[0]).call("GET", self.path)["view"]
        return found

    def play(self) -> dict[str, Any]:
        """To the end; the last view."""
        while (view := self.view())["status"] != "finished":
            if client := next((c for c in self.clients if self.seats[c] in view["to_act"]), None):
                own = self.view(client)
                move = choose(own, own["legal_moves"], str(own["version"]).encode())
                client.call("POST", f"{self.path}/moves", move)
            else:
                self.clients[0].call("GET", f"{self.path}/events?after={view['version']}&wait=5")
        return view


def record(client: Client) -> dict[str, int]:
    told = client.call("GET", f"/v1/players/{client.player}")["record"]
    found: dict[str, int] = told.get("whist@1", {"finished": 0, "won": 0})
    return found


@pytest.fixture(scope="module")
def party(service: Up) -> Iterator[Party]:
    """Two people who have played a game against two bots, opened as the page shows."""
    [body] = re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    with Party(service.address, 2) as found:
        found.sit(json.loads(body))
        found.play()
        yield found


@pytest.fixture
def log(party: Party, tmp_path: Path) -> Path:
    path = tmp_path / "game.ndjson"
    path.write_bytes(party.clients[0].fetch(*asked("GET …/log", of=party.path)))
    return path


def test_it_is_listed_and_described_with_rules_and_rulings_in_both_languages(service: Up) -> None:
    listed = got(service.address, *asked("GET /v1/rulesets"))["rulesets"]
    assert [found["title"] for found in listed if found["id"] == "whist@1"] == ["Whist"]
    for language, title in (("en", "# Whist\n"), ("ja", "# ホイスト\n")):
        page = got(service.address, *asked("GET /v1/rulesets/whist"), language)
        assert page["rules"].startswith(title)
        assert [ruling["id"] for ruling in page["rulings"]] == [f"WH-{n}" for n in range(1, 8)]
        assert all(ruling["title"] and ruling["text"] for ruling in page["rulings"])


def got(address: str, method: str, path: str, language: str = "en") -> dict[str, Any]:
    request = Request(address + path, method=method, headers={"Accept-Language": language})
    with urlopen(request) as response:
        found: dict[str, Any] = json.load(response)
    return found


def test_the_pair_that_has_won_is_named_to_everybody(party: Party) -> None:
    for client in party.clients:
        view = party.view(client)
        outcome = view["outcome"]
        assert view["teams"] == PAIRS
        assert outcome["result"] == "win"
        assert outcome["teams"] == [outcome["winners"]]
        assert outcome["winners"] in PAIRS
        assert all(view["totals"][seat] >= 5 for seat in outcome["winners"])


def test_its_log_is_told_as_a_story_that_names_the_pairs(
    environment: Environment, party: Party, log: Path
) -> None:
    told = environment.elsinore(*typed("elsinore replay game.ndjson", **{"game.ndjson": log}))
    assert "Together: seats 0 and 2\nTogether: seats 1 and 3\n" in told
    one, other = party.view()["outcome"]["winners"]
    assert f"Won by seats {one} and {other} (higher wins)" in told


def test_its_log_is_proof_and_its_bots_were_its_own(
    environment: Environment, log: Path, tmp_path: Path
) -> None:
    words = typed("elsinore verify game.ndjson", **{"game.ndjson": log})
    assert "audit: ok" in environment.elsinore(*words)
    bots = re.findall(rb'"bot":"([^"]*)"', log.read_bytes())
    assert set(bots) == {VERSION.encode()}


def test_both_partners_have_won_in_their_records(service: Up) -> None:
    with Party(service.address, 4) as four:
        four.sit({"ruleset": "whist", "options": {"target": 1}, "seats": ["me", *["open"] * 3]})
        winners = four.play()["outcome"]["winners"]
        until(lambda: all(record(client)["finished"] for client in four.clients))
        won = [seat for seat, client in enumerate(four.clients) if record(client)["won"]]
    assert won == winners
    assert won in PAIRS


def test_it_keeps_every_law_of_the_house(environment: Environment) -> None:
    told = environment.elsinore(*typed("elsinore ruleset check whist"))
    verdicts = dict(re.findall(r"^│ (\S+) +│ (\S+) ", told, re.MULTILINE))
    assert verdicts == dict.fromkeys(map(name_of, LAWS), "ok")


def test_bots_play_games_of_it_whose_logs_are_kept(
    environment: Environment, tmp_path: Path
) -> None:
    play = typed("elsinore play whist --games 5 --logs games", **{"5": 2, "games": tmp_path})
    assert "2 games of whist" in environment.elsinore(*play)
    for kept in tmp_path.iterdir():
        assert "audit: ok" in environment.elsinore("verify", kept)


def test_who_writes_on_installs_it_once(environment: Environment, tmp_path: Path) -> None:
    words = typed("pip install --no-deps --editable ./examples/whist")
    environment.run(environment.program("pip"), *words, "--prefix", tmp_path)
    [installed] = tmp_path.rglob("elsinore_whist-*.dist-info/direct_url.json")
    source = environment.folder / "examples" / "whist"
    assert json.loads(installed.read_text()) == {
        "url": source.as_uri(),
        "dir_info": {"editable": True},
    }


def test_the_service_runs_the_code_that_is_installed(environment: Environment) -> None:
    """And none of the checkout that the tests run in."""
    look = "import domain, elsinore_whist; print(domain.__file__, elsinore_whist.__file__)"
    places = environment.run(environment.program("python"), "-Pc", look).split()
    assert all(Path(place).is_relative_to(environment.programs.parent) for place in places)


def test_a_service_without_it_says_so_and_its_games_are_there_again_with_it(
    environment: Environment, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    environment.elsinore("play", "whist", "--keep", "--data", data, "--logs", tmp_path / "games")
    [game] = [path.stem for path in (tmp_path / "games").iterdir()]
    with Up(data) as up, Party(up.address, 1) as one:
        one.path = f"/v1/games/{game}"
        with pytest.raises(Refused, match=r"500 unknown-schema: There is no rule set whist@1\."):
            one.view()
        with pytest.raises(Refused, match=r"422 unknown-ruleset: There is no rule set whist\."):
            one.sit({"ruleset": "whist", "seats": ["me", *["open"] * 3]})
    assert "whist@1" in environment.elsinore("replay", game, "--data", data)


def test_commands_without_it_say_so(log: Path) -> None:
    for words, said in (
        (("play", "whist"), "There is no rule set whist."),
        (("ruleset", "check", "whist"), "There is no rule set whist."),
        (("replay", log), "There is no rule set whist@1."),
        (("verify", log), "unknown rule set 'whist@1'"),
    ):
        done = CliRunner().invoke(main, [str(word) for word in words], env={"COLUMNS": "200"})
        assert done.exit_code != 0
        assert said in done.output
