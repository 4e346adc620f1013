"""What the demo says of a game that does not go as it should."""

from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from domain.registry import RULESETS
from service.cli import demo
from service.cli.client import Client, Refused

VIEW = {"status": "playing", "version": 7, "question": None}


class Standing(Client):
    """A service that opens tables at which nobody ever moves."""

    def __init__(self) -> None:
        super().__init__("http://nowhere")
        self.bodies: list[Any] = []

    def call(self, method: str, path: str, body: Any = None) -> Any:
        if method == "POST":
            self.bodies.append(body)
        return {"id": "g", "view": VIEW, "receipt": {}}


class Closed(Client):
    def call(self, method: str, path: str, body: Any = None) -> Any:
        raise Refused(503, {"code": "busy", "detail": "later"})


def played(client: Client) -> demo.Played:
    with Progress(console=Console(quiet=True)) as progress:
        return demo._played(client, RULESETS["hearts@1"], progress)


def test_a_game_that_stands_still_is_told_and_is_not_well() -> None:
    game = played(Standing())

    assert "nothing happens after entry 7" in game.trouble
    assert not game.is_well


def test_a_refusal_is_told() -> None:
    assert played(Closed("http://nowhere")).trouble == "503 busy: later"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_a_table_has_as_many_seats_as_the_ruleset_wants(ruleset: Any) -> None:
    client = Standing()
    with Progress(console=Console(quiet=True)) as progress:
        demo._played(client, ruleset, progress)

    assert len(client.bodies[0]["seats"]) == ruleset.seat_counts[0]
