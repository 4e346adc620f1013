"""Playing over HTTP: people with tokens, tables with scripted deals, moves by the view alone."""

import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from events.accounts.players import MemoryPlayers, PlayerStore
from events.log.memory import MemoryStore
from events.log.store import LogStore
from events.receipts import Signer
from service.app import create_app
from service.live.notifier import Notifier
from service.retries import Retries
from service.services import Services, build_services
from service.settings import Settings
from tests.service.described import check_answer

Answer = Any
"""A werkzeug TestResponse whose `json` is there."""

RANKS = "23456789TJQKA"
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]
ORIGIN = "https://table.example"
SETTINGS = Settings(cors_origins=frozenset({ORIGIN}), heartbeat=0.001, streams_per_player=3)


def memory_services(
    *,
    store: LogStore | None = None,
    players: PlayerStore | None = None,
    settings: Settings = SETTINGS,
    root: Callable[[], bytes] | None = None,
    retries: Retries | None = None,
) -> Services:
    """Services with a clock that ticks a second a call, and roots that count."""
    seconds = itertools.count(1_800_000_000)
    roots = itertools.count(1)
    return build_services(
        store or MemoryStore(),
        players or MemoryPlayers(),
        Signer(Ed25519PrivateKey.from_private_bytes(b"k" * 32)),
        settings,
        Notifier(),
        now=lambda: next(seconds) * 1000,
        root=root or (lambda: next(roots).to_bytes(32, "big")),
        retries=retries,
    )


class Person:
    """Someone with a token, and the calls they make."""

    def __init__(self, client: Any, name: str) -> None:
        self.client = client
        made = client.post("/v1/players", json={"name": name})
        assert made.status_code == 201, made.text
        self.id: str = made.json["id"]
        self.token: str = made.json["token"]

    def call(self, method: str, path: str, **options: Any) -> Answer:
        """The answer, which is as openapi.yaml describes it."""
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        answer = self.client.open(path, method=method, headers=headers, **options)
        check_answer(self.client.application, method, path, answer)
        return answer

    def get(self, path: str, **options: Any) -> Answer:
        return self.call("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Answer:
        data = json.dumps(body).encode()
        return self.call("POST", path, data=data, content_type="application/json", **options)

    def view(self, game: str, query: str = "") -> dict[str, Any]:
        answer = self.get(f"/v1/games/{game}{query}")
        assert answer.status_code == 200, answer.text
        return answer.json["view"]

    def move(self, game: str, move: dict[str, Any], key: str | None = None) -> Answer:
        headers = {} if key is None else {"Idempotency-Key": key}
        return self.post(f"/v1/games/{game}/moves", move, headers=headers)


NAMES = ("Ann", "Ben", "Cid", "Dot", "Fay", "Gus", "Hal", "Ida")


class Table:
    """A game of people, of Hearts with four of them where nothing is said, and a spectator."""

    def __init__(
        self,
        services: Services,
        *,
        ruleset: str = "hearts",
        seats: int = 4,
        options: dict[str, Any] | None = None,
        target: int = 100,
        script: Any = None,
    ) -> None:
        self.services = services
        self.app: Flask = create_app(services)
        self.client: Any = self.app.test_client()
        self.people = [Person(self.client, name) for name in NAMES[:seats]]
        self.spectator = Person(self.client, "Eve")
        body: dict[str, Any] = {
            "ruleset": ruleset,
            "options": options or ({"target_score": target} if ruleset == "hearts" else {}),
            "seats": ["me", *["open"] * (seats - 1)],
        }
        if script is not None:
            body["script"] = script
        opened = self.people[0].post("/v1/games", body, headers={"Idempotency-Key": "open"})
        assert opened.status_code == 201, opened.text
        self.opened = opened
        self.game: str = opened.json["id"]
        self.path = f"/v1/games/{self.game}"

    def sit(self) -> "Table":
        for seat, person in enumerate(self.people):
            sat = person.call("PUT", f"{self.path}/seats/{seat}", json={})
            assert sat.status_code == 200, sat.text
        return self

    def view(self, seat: int) -> dict[str, Any]:
        return self.people[seat].view(self.game)

    @property
    def waiting_for(self) -> list[int]:
        return [int(seat) for seat in self.spectator.view(self.game)["to_act"]]

    def step(self, rng: random.Random | None = None, seat: int | None = None) -> Answer:
        """One legal move of `seat`, or of the first that owes one: the first, or one by chance."""
        seat = self.waiting_for[0] if seat is None else seat
        move = some_move(self.view(seat), rng)
        answer = self.people[seat].move(self.game, move)
        assert answer.status_code == 201, answer.text
        return answer

    def pass_all(self) -> "Table":
        for _ in self.people:
            self.step()
        return self

    def play_to_the_end(self, rng: random.Random | None = None) -> int:
        moves = 0
        while waiting := self.waiting_for:
            self.step(rng, waiting[0])
            moves += 1
        return moves


def some_move(view: dict[str, Any], rng: random.Random | None = None) -> dict[str, Any]:
    legal = rng.choice(view["legal_moves"]) if rng else view["legal_moves"][0]
    if "choose" not in legal:
        return legal
    cards = rng.sample(legal["of"], legal["choose"]) if rng else legal["of"][: legal["choose"]]
    return {"answers": legal["answers"], "type": legal["type"], "cards": cards}


def frames(chunks: Iterator[bytes], count: int) -> list[dict[str, str]]:
    """The next `count` server-sent events, comments and retry hints left out."""
    found: list[dict[str, str]] = []
    while len(found) < count:
        for block in next(chunks).decode().strip().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n") if line[0] != ":")
            if "event" in fields:
                found.append(fields)
    return found


def answers_of(table: Table, person: Person, seat: int | None) -> list[str]:
    """The text of every GET, of the stream from its beginning, and of errors of many kinds."""
    paths = ["", "?at=3", "?at=7", "?seat=0", "?seat=9", "/events", "/events?after=5", "/log"]
    texts = [person.get(table.path + path).text for path in paths]
    texts += [person.get(p).text for p in ("/v1/games", "/v1/rulesets", "/metrics", "/readyz")]
    texts.append(
        person.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}).text
    )
    for resume in (None, "1", "bad"):
        headers = {} if resume is None else {"Last-Event-ID": resume}
        stream = person.get(f"{table.path}/stream", headers=headers)
        chunks = stream.iter_encoded()
        texts += [frame["data"] for frame in frames(chunks, 3 if resume == "1" else 1)]
        stream.close()
    moves: list[Any] = [None, {}, {"answers": "d1.t1", "type": "play_card", "card": "1Z"}]
    if seat is not None:
        moves += [refusal["move"] for refusal in table.view(seat)["refused"]]
    texts += [person.move(table.game, move).text for move in moves]
    return texts


def suits_script() -> dict[str, Any]:
    """Each seat holds one suit: seat 0 the clubs, then diamonds, hearts, spades."""
    return {"deals": [{"hands": [[r + suit for r in RANKS] for suit in "CDHS"]}]}
