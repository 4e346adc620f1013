"""Every number of seats and every option of the games, played to the end over HTTP, request by
request as curl would send them; the audit then counts each deal again, from the log."""

import http.client
import json
import random
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from domain.kernel import Ruleset
from domain.registry import RULESETS
from events.audit.audit import audit, lines_of
from tests.cli.running import Up
from tests.games.parts import part, parts

pytestmark = pytest.mark.processes

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    (game, *table) for game, found in parts("tables").items() for table in found.TABLES
]
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gil", "Hal")


class Caller:
    """A token, and a connection for each request."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address.removeprefix("http://")
        self.token = ""
        self.token = self.json("POST", "/v1/players", {"name": name})["token"]

    def send(self, method: str, path: str, body: Any = None) -> bytes:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        with closing(http.client.HTTPConnection(self.address, timeout=60)) as connection:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            text = answer.read()
        assert answer.status < 300, (method, path, answer.status, text)
        return text

    def json(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self.send(method, path, body))


@pytest.fixture(scope="module")
def callers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Caller]]:
    with Up(tmp_path_factory.mktemp("tables") / "data") as up:
        yield [Caller(up.address, name) for name in NAMES]


def played(callers: list[Caller], ruleset: str, options: dict[str, Any]) -> list[bytes]:
    """The log of a game in which each caller answers by chance with what is legal."""
    rng = random.Random(f"{ruleset} {len(callers)} {options}")
    body = {"ruleset": ruleset, "options": options, "seats": ["me", *["open"] * len(callers[1:])]}
    game = callers[0].json("POST", "/v1/games", body)["id"]
    path = f"/v1/games/{game}"
    for seat, caller in enumerate(callers):
        caller.json("PUT", f"{path}/seats/{seat}", {"entropy": f"{seat:02x}" * 16})
    while asked := callers[0].json("GET", path)["view"]["to_act"]:
        for seat in sorted(map(int, asked)):
            view = callers[seat].json("GET", path)["view"]
            move = rng.choice(view["legal_moves"])
            if "choose" in move:
                cards = rng.sample(move["of"], move["choose"])
                move = {"answers": move["answers"], "type": move["type"], "cards": cards}
            callers[seat].json("POST", f"{path}/moves", move)
    return lines_of(callers[0].send("GET", f"{path}/log"))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_number_of_seats_is_played(ruleset: Ruleset[Any]) -> None:
    missing = set(ruleset.seat_counts) - {n for n, _ in part(ruleset.name, "tables").TABLES}
    assert not missing, f"tests/games/{ruleset.name}/tables.py has no table of {missing} seats"


@pytest.mark.uncounted
@pytest.mark.parametrize(
    ("ruleset", "seats", "options"),
    TABLES,
    ids=[f"{name}-{seats}-{'-'.join(map(str, o.values()))}" for name, seats, o in TABLES],
)
def test_a_game_is_played_to_its_end_and_every_deal_is_counted_again(
    callers: list[Caller], ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    lines = played(callers[:seats], ruleset, options)
    assert audit(lines).ok
    facts = [json.loads(line) for line in lines]
    scored = [fact for fact in facts if fact["type"] == f"{ruleset}.deal-scored"]
    assert len(scored) == facts[0]["data"]["options"].get("deals", len(scored))
    if scored:
        standings = facts[-1]["data"]["outcome"]["standings"]
        assert standings["totals"] == scored[-1]["data"]["totals"]
