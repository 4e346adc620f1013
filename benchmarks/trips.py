"""How far a request travels: the files of ours it visits, and its hops from one file to another.

`make trips` prints them for the requests that matter. They are counted by a profiler around Flask's
test client and the memory store, in the middle of a trick, so they are the same on every machine.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.console import Console
from rich.table import Table

from events.accounts.players import MemoryPlayers
from events.log.memory import MemoryStore
from events.receipts import Signer
from service.app import create_app
from service.live.notifier import Notifier
from service.services import build_services
from service.settings import Settings

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "events", "workers", "service")
PASSES, CARDS = 4, 5
AT = 12
"""The past that is looked at: a version in the first trick."""


class Trip(NamedTuple):
    """The files a request visits in the order it comes to them, each once, and how often it calls
    a function of one file from another."""

    files: tuple[str, ...]
    hops: int


def follow(call: Callable[[], Any]) -> Trip:
    """The trip of a call."""
    files: dict[str, None] = {}
    stack: list[str | None] = []
    hops = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal hops
        if event == "call":
            file = _file_of(frame.f_code)
            if file is not None:
                files.setdefault(file)
                hops += file != next((one for one in reversed(stack) if one is not None), None)
            stack.append(file)
        elif event == "return" and stack:
            stack.pop()

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Trip(tuple(files), hops)


def trips() -> dict[str, Trip]:
    """By what is requested; a request that is not answered as its name says is an error."""
    person, path = _in_a_trick()
    view = person.view(path)
    refused, legal = view["refused"][0]["move"], view["legal_moves"][0]
    requests: dict[str, tuple[int, str, str, Any]] = {
        "view": (200, "GET", path, None),
        f"view at={AT}": (200, "GET", f"{path}?at={AT}", None),
        "scoresheet": (404, "GET", f"{path}/scoresheet", None),
        "refused move": (409, "POST", f"{path}/moves", refused),
        "move": (201, "POST", f"{path}/moves", legal),
    }
    return {name: _trip(person, *request) for name, request in requests.items()}


def _trip(person: "_Player", status: int, method: str, path: str, body: Any) -> Trip:
    answers = []
    trip = follow(lambda: answers.append(person.call(method, path, body)))
    if answers[0].status_code != status:
        raise AssertionError(answers[0].text)
    return trip


class _Player:
    """Somebody with a token, who calls the service by the test client."""

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self._token = client.post("/v1/players", json={"name": name}).json["token"]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self._token}"}
        return self._client.open(path, method=method, headers=headers, json=body)

    def view(self, path: str) -> dict[str, Any]:
        view: dict[str, Any] = self.call("GET", path).json["view"]
        return view


def _in_a_trick() -> tuple[_Player, str]:
    """Who is to play the second card of the second trick of a game of Hearts, and its address.

    Every cache is warm.
    """
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    signer = Signer(Ed25519PrivateKey.from_private_bytes(b"k" * 32))
    services = build_services(MemoryStore(), MemoryPlayers(), signer, Settings(), Notifier())
    client = create_app(services).test_client()
    people = [_Player(client, name) for name in ("Ann", "Ben", "Cid", "Dot")]
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    random.Random(1).shuffle(deck)  # noqa: S311 - the same deal on every run
    deal = {"hands": [deck[seat::4] for seat in range(4)]}
    opening = {
        "ruleset": "hearts",
        "seats": ["me", "open", "open", "open"],
        "script": {"deals": [deal]},
    }
    path = f"/v1/games/{people[0].call('POST', '/v1/games', opening).json['id']}"
    for seat, person in enumerate(people):
        person.call("PUT", f"{path}/seats/{seat}", {})
    for _ in range(PASSES + CARDS):
        person = _to_act(people, path)
        move = person.view(path)["legal_moves"][0]
        if "choose" in move:
            move |= {"cards": move.pop("of")[: move.pop("choose")]}
        person.call("POST", f"{path}/moves", move)
    return _to_act(people, path), path


def _to_act(people: list[_Player], path: str) -> _Player:
    return next(person for person in people if person.view(path)["question"] is not None)


def _file_of(code: CodeType) -> str | None:
    path = Path(code.co_filename)
    if not path.is_relative_to(ROOT):
        return None
    inside = path.relative_to(ROOT)
    return str(inside) if inside.parts[0] in PACKAGES else None


def main() -> None:
    table = Table("request", "files", "hops")
    for name, trip in trips().items():
        table.add_row(name, str(len(trip.files)), str(trip.hops))
    Console().print(table)


if __name__ == "__main__":
    main()
