"""Handlers with a fixed clock and root, and games with bots in some seats."""

from collections.abc import Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.card_games.tricks import PlayCard
from domain.game.model import Actor, OpenGame, SeatPlan, Sit
from domain.rulesets.hearts.model import PassCards
from domain.visibility import Viewer
from events.commands import CommandResult
from events.handler import Handler
from events.log.entry import Envelope, envelope
from events.log.memory import MemoryStore
from events.log.store import LogStore
from events.queries import view_with_head
from events.receipts import Signer
from tests.tables import request
from workers.bot_turns import Turns

PERSON = "p_someone"
LATEST = 2**53
"""A version that no log has come to: a job for it is never too late."""


def handler_on(store: LogStore, root: bytes = b"r" * 32) -> Handler:
    signer = Signer(Ed25519PrivateKey.from_private_bytes(b"k" * 32))
    return Handler(store, signer, lambda: 1_700_000_000_000, lambda: root)


def open_table(
    handler: Handler,
    seats: Sequence[str] = ("easy", "normal", "hard", "normal"),
    *,
    target: int = 1,
    key: str = "open",
) -> str:
    """The id of a game of Hearts. A seat is a bot's level, or `person`, who sits down at once."""
    plans = [
        SeatPlan(kind="reserved", player=PERSON)
        if seat == "person"
        else SeatPlan(kind="bot", level=seat)  # type: ignore[arg-type]
        for seat in seats
    ]
    command = OpenGame(
        opener=PERSON, ruleset="hearts", options={"target_score": target}, seats=tuple(plans)
    )
    game = handler.open(command, key, "c").game
    if "person" in seats:
        seat = list(seats).index("person")
        actor = Actor(kind="player", id=PERSON, seat=seat)
        handler.handle(game, Sit(player=PERSON, seat=seat), actor, "sit", "c")
    return game


def answer(handler: Handler, game: str, seat: int) -> CommandResult:
    """The person in `seat` plays the first legal move."""
    view = view_with_head(handler.loader.current(game), Viewer(seat))
    legal: dict[str, Any] = view["legal_moves"][0]
    move: PassCards | PlayCard
    if "choose" in legal:
        move = PassCards(answers=legal["answers"], cards=tuple(legal["of"][: legal["choose"]]))
    else:
        move = PlayCard(answers=legal["answers"], card=legal["card"])
    actor = Actor(kind="player", id=PERSON, seat=seat)
    return handler.handle(game, request(move), actor, legal["answers"], "c")


def head(handler: Handler, game: str) -> int:
    return handler.loader.current(game).head.version


def is_over(handler: Handler, game: str) -> bool:
    return handler.loader.current(game).game.status == "finished"


def envelopes(store: LogStore, game: str) -> list[Envelope]:
    return [envelope(entry) for entry in store.read(game)]


def bots_table(**options: Any) -> tuple[MemoryStore, Handler, Turns, list[tuple[str, int]]]:
    """A store, its handler, and turns that note in the list what they hand on."""
    store = MemoryStore()
    handler = handler_on(store)
    handed_on: list[tuple[str, int]] = []
    turns = Turns(handler, lambda game, version: handed_on.append((game, version)), **options)
    return store, handler, turns, handed_on
