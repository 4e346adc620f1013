"""B26: a Python client generated from openapi.yaml, and nothing else, plays every game."""

import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx
import pytest
from flask import Flask

from domain.registry import RULESETS
from events.audit.audit import audit, lines_of
from service.app import create_app
from tests.games.parts import part
from tests.service.described import check_answer
from tests.service.tables import memory_services

FILE = Path(__file__).parents[2] / "openapi.yaml"
TABLES = [
    pytest.param(ruleset.id, seats, id=f"{ruleset.id}-{seats}")
    for ruleset in RULESETS.values()
    for seats in ruleset.seat_counts
]

JSON_KINDS = {"application/json", "application/problem+json"}

Generated = Callable[[str], ModuleType]
"""A module of the client by its name."""


class Checked(httpx.WSGITransport):
    """Answers from the app itself, each held against openapi.yaml."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self.service = app

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        body = response.read()
        kind = response.headers["Content-Type"].partition(";")[0]
        answer: Any = SimpleNamespace(
            mimetype=kind,
            status_code=response.status_code,
            data=body,
            json=response.json() if kind in JSON_KINDS else None,
        )
        check_answer(self.service, request.method, request.url.path, answer)
        response.headers.pop("Content-Encoding", None)
        return httpx.Response(response.status_code, headers=response.headers, content=body)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generated]:
    folder = tmp_path_factory.mktemp("generated")
    config = folder / "config.yaml"
    config.write_text("post_hooks: []\n")
    where = folder / "elsinore_client"
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    command += ["--path", str(FILE), "--config", str(config), "--output-path", str(where)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    # A log is lines of JSON and the description YAML: neither is a body that a client is given.
    assert "Unable to process" not in said, said
    assert said.count("WARNING") == said.count("Unsupported content_type application/"), said
    sys.path.insert(0, str(folder))
    try:
        yield lambda name: importlib.import_module(f"elsinore_client.{name}")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.startswith("elsinore_client")]:
            del sys.modules[name]


class Person:
    """A player who has a client, and knows what it returns and nothing of the wire."""

    def __init__(self, generated: Generated, app: Flask, name: str) -> None:
        self.module = generated
        self.models = generated("models")
        transport = {"transport": Checked(app)}
        client = generated("client")
        anybody = client.Client("http://elsinore", httpx_args=transport)
        create = generated("api.players.create_player")
        made = create.sync(client=anybody, body=self.models.NewPlayer(name=name))
        assert isinstance(made, self.models.NewPlayerAnswer)
        self.client = client.AuthenticatedClient(
            "http://elsinore", token=made.token, httpx_args=transport
        )

    def call(self, operation: str, *path: Any, **rest: Any) -> Any:
        return self.module(f"api.{operation}").sync(*path, client=self.client, **rest)

    def view(self, game: str) -> Any:
        return self.call("games.get_game", game).view

    def move(self, view: Any) -> Any:
        """The first legal move; of a described one, the first cards."""
        legal = view.legal_moves[0]
        if not isinstance(legal, self.models.Choice):
            return legal
        name = "".join(word.capitalize() for word in re.split("[._]", legal.type_))
        return getattr(self.models, name)(
            type_=getattr(self.models, f"{name}Type")(legal.type_),
            answers=legal.answers,
            cards=legal.of[: legal.choose],
        )


@pytest.mark.uncounted
@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_b26_a_generated_client_plays_a_whole_game(
    generated: Generated, ruleset_id: str, seats: int
) -> None:
    app, ruleset = create_app(memory_services()), RULESETS[ruleset_id]
    people = [Person(generated, app, f"Person {seat}") for seat in range(seats)]
    models = people[0].models
    body = models.NewGame(
        ruleset=ruleset_id,
        seats=[models.NewGamePersonSeat.ME, *[models.NewGamePersonSeat.OPEN] * (seats - 1)],
        options=models.NewGameOptions.from_dict(part(ruleset.name, "tables").SHORT),
    )
    opened = people[0].call("games.open_game", body=body)
    assert isinstance(opened, models.OpenedGame)
    for seat, person in enumerate(people):
        sat = person.call("seats.take_seat", opened.id, seat, body=models.Sitting())
        assert isinstance(sat, models.Answer)
    moves = 0
    while (view := people[0].view(opened.id)).to_act.additional_properties:
        assert type(view).__name__ == type(opened.view).__name__
        seat = int(min(view.to_act.additional_properties))
        person = people[seat]
        done = person.call("moves.make_move", opened.id, body=person.move(person.view(opened.id)))
        assert isinstance(done, models.Answer), done
        moves += 1
    assert view.status == "finished"
    assert view.outcome.standings.totals == view.totals
    assert moves > 20
    log = generated("api.log.get_log").sync_detailed(opened.id, client=people[0].client)
    assert audit(lines_of(log.content)).ok


def test_b26_a_refusal_is_a_typed_problem(generated: Generated) -> None:
    person = Person(generated, create_app(memory_services()), "Ann")
    problem = person.call("games.get_game", "a" * 26)
    assert isinstance(problem, person.models.Problem)
    assert (problem.status, problem.code) == (404, "unknown-game")
