"""People at tables who play over HTTP, send again what was not answered, and keep every answer."""

import http.client
import itertools
import json
import random
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from workers.bots.uniform import choose

ANSWER_SECONDS = 8.0
PATIENCE = 40.0
PAUSE = 0.05
REPEATED = 0.05
"""How often somebody sends a command again although it was answered."""

ONE_DEAL = {"target_score": 1}
BOTS: Sequence[dict[str, str]] = ({"bot": "easy"}, {"bot": "normal"}, {"bot": "hard"})
UNANSWERED = (OSError, http.client.HTTPException)


@dataclass
class Sent:
    """A command, and how it was answered in the end."""

    player: str
    key: str
    tries: int = 0
    answer: dict[str, Any] | None = None

    @property
    def receipt(self) -> dict[str, Any]:
        assert self.answer is not None, f"{self} was never answered"
        receipt: dict[str, Any] = self.answer["receipt"]
        return receipt


class Player:
    """A person who asks again, with the same key, until there is an answer that says something."""

    def __init__(self, address: str, name: str) -> None:
        self._host = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(self._host, timeout=ANSWER_SECONDS)
        self._token = ""
        self.sent: list[Sent] = []
        made = self._insist("POST", "/v1/players", {"name": name}, Sent("", secrets.token_hex(8)))
        self.id, self._token = made["id"], made["token"]

    def close(self) -> None:
        self._connection.close()

    def get(self, path: str) -> Any:
        return self._insist("GET", path, None, Sent(self.id, ""))

    def fetch(self, path: str) -> bytes:
        status, body = self._once("GET", path, None, "")
        assert status == http.HTTPStatus.OK, body
        return body

    def command(self, method: str, path: str, body: Any, rng: random.Random) -> Any:
        sent = Sent(self.id, secrets.token_hex(16))
        self.sent.append(sent)
        sent.answer = self._insist(method, path, body, sent)
        if rng.random() < REPEATED:
            again = self._insist(method, path, body, Sent(self.id, sent.key))
            assert again["receipt"] == sent.receipt, "the second answer is not the first"
            assert again.get("events") == sent.answer.get("events")
        return sent.answer

    def _insist(self, method: str, path: str, body: Any, sent: Sent) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            sent.tries += 1
            with suppress(*UNANSWERED):
                status, answer = self._once(method, path, body, sent.key)
                if status < http.HTTPStatus.BAD_REQUEST:
                    return json.loads(answer)
                assert status >= 500, f"{method} {path} {body}: {status} {answer!r}"
            assert time.monotonic() < deadline, f"{method} {path} is never answered"
            threading.Event().wait(PAUSE)

    def _once(self, method: str, path: str, body: Any, key: str) -> tuple[int, bytes]:
        headers = {"Accept": "application/json, application/x-ndjson"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key:
            headers |= {"Idempotency-Key": key, "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, sent, headers)
            with self._connection.getresponse() as response:
                return response.status, response.read()
        except UNANSWERED:
            self._connection.close()
            raise


@dataclass
class Played:
    """A game, and every command that was ever sent about it."""

    id: str
    sent: list[Sent]


@dataclass
class Table:
    """`people` of the four seats are persons, who play one game after the other; bots the rest."""

    address: str
    people: int
    rng: random.Random
    stopping: threading.Event
    thinks: float
    games: list[Played] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    version: tuple[int, int] = (0, 0)
    moved: float = 0.0
    error: BaseException | None = None

    def run(self) -> None:
        try:
            self.players = [Player(self.address, f"P{seat}") for seat in range(self.people)]
            while not self.stopping.is_set():
                self._play_one()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the table raises it
            self.error = error

    def _play_one(self) -> None:
        for player in self.players:
            player.sent = []
        opener, *others = self.players
        seats = ["me", *("open" for _ in others), *itertools.islice(BOTS, 4 - self.people)]
        plan = {"ruleset": "hearts", "options": ONE_DEAL, "seats": seats}
        game = opener.command("POST", "/v1/games", plan, self.rng)["id"]
        path = f"/v1/games/{game}"
        for seat, player in enumerate(self.players):
            player.command("PUT", f"{path}/seats/{seat}", {}, self.rng)
        while (view := opener.get(path)["view"])["status"] != "finished":
            self._note(view["version"])
            due = [self.players[int(seat)] for seat in view["to_act"] if int(seat) < self.people]
            for player in due:
                self._move(player, path)
            if not due:
                opener.get(f"{path}/events?after={view['version']}&wait=2")
        self._note(view["version"])
        self.games.append(Played(game, [sent for p in self.players for sent in p.sent]))

    def _move(self, player: Player, path: str) -> None:
        view = player.get(path)["view"]
        if view["question"] is not None:
            self.stopping.wait(self.thinks)
            move = choose(view, view["legal_moves"], self.rng.randbytes(8))
            self._note(player.command("POST", f"{path}/moves", move, self.rng)["version"])

    def _note(self, version: int) -> None:
        if (len(self.games), version) > self.version:
            self.version, self.moved = (len(self.games), version), time.monotonic()


class Crowd:
    """Tables that play all the time, each in a thread of its own. A person `thinks` so many
    seconds about a move until the crowd is to finish."""

    def __init__(self, address: str, people: Sequence[int], seed: int, thinks: float) -> None:
        self.stopping = threading.Event()
        self.tables = [
            Table(address, count, random.Random(f"{seed} {number}"), self.stopping, thinks)
            for number, count in enumerate(people)
        ]
        self._threads = [threading.Thread(target=t.run, daemon=True) for t in self.tables]
        for thread in self._threads:
            thread.start()

    @property
    def games(self) -> list[Played]:
        return [game for table in self.tables for game in table.games]

    def slowest(self, since: float) -> float:
        """Seconds from `since` until the last of the tables had moved; endless before that."""
        self.check()
        moved = min(table.moved for table in self.tables)
        return moved - since if moved > since else float("inf")

    def check(self) -> None:
        for table in self.tables:
            if table.error is not None:
                raise table.error

    def finish(self) -> None:
        """Every table ends the game it has begun."""
        self.stopping.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        self.check()
        assert not any(thread.is_alive() for thread in self._threads), "a game does not end"

    def close(self) -> None:
        self.stopping.set()
        for table in self.tables:
            for player in table.players:
                player.close()
