"""Whole games of Hearts for the measurements, played at random from fixed seeds."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.game.model import Actor, Game, OpenGame, SeatPlan, Sit
from domain.game.questions import questions
from domain.kernel import Choice, Move
from domain.registry import find
from events.commands import MoveRequest
from events.handler import Handler
from events.log.loader import Loader
from events.log.memory import MemoryStore
from events.receipts import Signer

SEATS = 4


def finished_game(deals: int) -> tuple[MemoryStore, str]:
    """A store with one finished game of exactly `deals` deals, and the game's id."""
    for seed in range(1000):
        store, game = played(seed)
        if Loader(store).current(game).game.state.deal == deals:
            return store, game
    raise LookupError(f"no seed below 1000 gives a game of {deals} deals")


def random_moves(game: Game, rng: random.Random) -> Iterator[tuple[int, Move]]:
    """A legal move, drawn evenly, for each seat that owes one."""
    ruleset = find(game.ruleset)
    for seat in questions(game):
        move = rng.choice(ruleset.legal_moves(game.state, seat).moves)
        if isinstance(move, Choice):
            picked = rng.sample(move.of, move.choose)
            body: dict[str, Any] = {"type": move.type, "answers": move.answers, "cards": picked}
            yield seat, msgspec.convert(body, ruleset.move_type)
        else:
            yield seat, move


def played(seed: int, key: str = "open", **options: Any) -> tuple[MemoryStore, str]:
    """A store with one finished game, and its id, which `key` decides."""
    store = MemoryStore()
    root = seed.to_bytes(32, "big")
    signer = Signer(Ed25519PrivateKey.from_private_bytes(root))
    handler = Handler(store, signer, now=lambda: 0, root=lambda: root)
    rng = random.Random(seed)  # noqa: S311 - moves for a measurement, not a draw
    plan = OpenGame(
        opener="p0",
        ruleset="hearts",
        options=options,
        seats=tuple(SeatPlan(kind="open") for _ in range(SEATS)),
    )
    opened = handler.open(plan, key, "bench").game
    for seat in range(SEATS):
        sit = Sit(player=f"p{seat}", seat=seat)
        handler.handle(opened, sit, _player(seat), f"sit {seat}", "bench")
    while (game := handler.loader.cached(opened).game).status == "playing":
        for seat, move in random_moves(game, rng):
            play = MoveRequest(msgspec.json.encode(move))
            handler.handle(opened, play, _player(seat), f"{seat} {move.answers}", "bench")
    return store, opened


def _player(seat: int) -> Actor:
    return Actor(kind="player", id=f"p{seat}", seat=seat)
