"""Tables played through the command handler, as the service plays them, on any log store."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.card_games.cards import FRENCH
from domain.game.model import Actor, Game, OpenGame, Script, SeatPlan, Sit
from domain.game.questions import questions
from domain.kernel import Move
from domain.registry import find
from events.commands import CommandResult, Request
from events.handler import Handler
from events.log.loader import Loader
from events.log.memory import MemoryStore
from events.log.store import LogStore
from events.queries import Reader
from events.receipts import Signer
from tests.tables import request, some_move

SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
KEYS = {SIGNER.key_id: SIGNER.public_key}
PEOPLE = ("p_ann", "p_ben", "p_cat", "p_dan")
ANN, BEN, CAT, DAN = PEOPLE
OPEN = SeatPlan(kind="open")
NOW = 1_700_000_000_000

_numbers = itertools.count(1)


class House:
    """One process of the service: its own handler and cache, on a log that others may share."""

    def __init__(
        self, store: LogStore | None = None, root: bytes = b"r" * 32, capacity: int = 512
    ) -> None:
        self.store = store if store is not None else MemoryStore()
        self.loader = Loader(self.store, capacity)
        self.clock = itertools.count(NOW)
        self.handler = Handler(
            self.store, SIGNER, lambda: next(self.clock), lambda: root, self.loader
        )
        self.reader = Reader(self.store, self.loader)

    def open(
        self,
        *,
        key: str | None = None,
        opener: str = ANN,
        ruleset: str = "hearts",
        seats: tuple[SeatPlan, ...] = (OPEN,) * 4,
        script: Script | None = None,
        **options: Any,
    ) -> CommandResult:
        command = OpenGame(
            opener=opener, ruleset=ruleset, options=options, seats=seats, script=script
        )
        return self.handler.open(command, key or self.new_key(), "c")

    def sit(
        self, game: str, player: str, seat: int, key: str | None = None, entropy: str | None = None
    ) -> CommandResult:
        command = Sit(player=player, seat=seat, entropy=entropy)
        return self.send(game, command, person(player, seat), key)

    def play(
        self,
        game: str,
        seat: int,
        move: Move,
        key: str | None = None,
        if_match: int | None = None,
    ) -> CommandResult:
        actor = person(PEOPLE[seat], seat)
        return self.send(game, request(move), actor, key, if_match)

    def send(
        self,
        game: str,
        command: Request,
        actor: Actor,
        key: str | None = None,
        if_match: int | None = None,
    ) -> CommandResult:
        return self.handler.handle(game, command, actor, key or self.new_key(), "c", if_match)

    def table(self, game: str) -> Game:
        return self.loader.current(game).game

    def new_key(self) -> str:
        return f"key-{next(_numbers)}"


def person(player: str, seat: int | None = None) -> Actor:
    return Actor(kind="player", id=player, seat=seat)


def seated(house: House, **opening: Any) -> str:
    """A game with ann, ben, cat and dan in seats 0 … 3, dealt."""
    game = house.open(**opening).game
    for seat, player in enumerate(PEOPLE):
        house.sit(game, player, seat, entropy=f"{seat:02x}" * 16)
    return game


def next_move(house: House, game: str, rng: random.Random) -> tuple[int, Move] | None:
    """A seat that owes a move, and a legal one; None when the game is over."""
    state = house.table(game)
    asked = sorted(questions(state))
    if not asked:
        return None
    seat = rng.choice(asked)
    return seat, some_move(find(state.ruleset), state.state, seat, rng)


def played_on(
    house: House, game: str, seed: int = 1, moves: int = 10_000
) -> Iterator[CommandResult]:
    """Plays legal moves by chance until the game is over, or for so many moves."""
    rng = random.Random(seed)
    for _ in range(moves):
        if (chosen := next_move(house, game, rng)) is None:
            return
        yield house.play(game, *chosen)


def play_on(house: House, game: str, seed: int = 1, moves: int = 10_000) -> None:
    for _ in played_on(house, game, seed, moves):
        pass


def hands_of(house: House, game: str) -> tuple[tuple[str, ...], ...]:
    return tuple(FRENCH.listed(hand) for hand in house.table(game).state.hands)
