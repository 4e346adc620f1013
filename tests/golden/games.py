"""The table of the golden games; those of each game are in its folder under tests/games.

They are played without chance of any kind but the game's own, the same on every run.

A recipe opens a game, fills its seats and plays it out. Roots, keys and times are fixed.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.game.model import (
    Actor,
    CloseGame,
    Game,
    Leave,
    Level,
    OpenGame,
    Script,
    SeatBot,
    SeatPlan,
    Sit,
)
from domain.game.questions import questions
from domain.kernel import Choice, Move, Ruleset
from domain.registry import find
from events.commands import CommandResult, Request
from events.handler import Handler
from events.log.memory import MemoryStore
from events.queries import Reader
from events.receipts import Receipt, Signer
from tests.tables import request

View = tuple[str, int, str, str]
"""Golden game, version, viewer (a seat, `spectator` or `opener`), and what the view shows."""

Choose = Callable[[Ruleset[Any], Game, int, int], Move]

START = 1_772_366_400_000
TICK = 250


def secret(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


@dataclass
class Table:
    """One game in a store of its own, with everything that its commands answered."""

    name: str
    store: MemoryStore = field(default_factory=MemoryStore)
    receipts: list[Receipt] = field(default_factory=list)
    game: str = ""
    sent: int = 0

    def __post_init__(self) -> None:
        self.signer = Signer(Ed25519PrivateKey.from_private_bytes(secret("golden key")))
        self.handler = Handler(
            self.store, self.signer, self._now, lambda: secret(f"golden root {self.name}")
        )

    @property
    def keys(self) -> dict[str, str]:
        return {self.signer.key_id: self.signer.public_key}

    @property
    def state(self) -> Game:
        return self.handler.loader.current(self.game).game

    @property
    def reader(self) -> Reader:
        return Reader(self.store, self.handler.loader)

    @property
    def log(self) -> list[bytes]:
        return self.reader.log(self.game)

    def open(
        self,
        ruleset: str,
        seats: Sequence[SeatPlan],
        options: dict[str, Any] | None = None,
        script: Script | None = None,
    ) -> None:
        command = OpenGame(
            opener="hamlet",
            ruleset=ruleset,
            options=options or {},
            seats=tuple(seats),
            script=script,
        )
        answer = self.handler.open(command, f"{self.name}-open", "golden")
        self.game = answer.game
        self._note(answer)

    def sit(self, player: str, seat: int, *, entropy: int = 0) -> None:
        """`entropy` is how many bytes of it the player brings."""
        given = (secret(f"{self.name} {player}") * 2)[:entropy].hex() or None
        self._send(Sit(player=player, seat=seat, entropy=given), _person(player))

    def leave(self, player: str, seat: int) -> None:
        self._send(Leave(player=player, seat=seat), _person(player))

    def seat_bot(self, seat: int, level: Level) -> None:
        self._send(SeatBot(player="hamlet", seat=seat, level=level), _person("hamlet"))

    def close(self) -> None:
        self._send(CloseGame(player="hamlet"), _person("hamlet"))

    def play(self, choose: Choose | None = None, moves: int = 100_000) -> None:
        """Plays on, at most `moves` moves: the lowest seat that owes one, by `choose`."""
        choose = choose or some_move
        for _ in range(moves):
            game = self.state
            if game.status == "finished":
                return
            seat = min(questions(game))
            move = choose(find(game.ruleset), game, seat, self.sent)
            self._send(request(move), _actor(game, seat))

    def _send(self, command: Request, actor: Actor) -> None:
        self.sent += 1
        key = f"{self.name}-{self.sent}"
        self._note(self.handler.handle(self.game, command, actor, key, "golden"))

    def _note(self, answer: CommandResult) -> None:
        self.receipts.append(answer.receipt)

    def _now(self) -> int:
        return START + TICK * self.sent


def _actor(game: Game, seat: int) -> Actor:
    has = game.seats[seat]
    if has.kind == "bot":
        return Actor(kind="bot", seat=seat, level=has.level, bot="golden@1")
    return _person(str(has.player))


def _person(player: str) -> Actor:
    """Without a seat: the handler knows it."""
    return Actor(kind="player", id=player)


def some_move(ruleset: Ruleset[Any], game: Game, seat: int, number: int) -> Move:
    """One of the legal moves, by a hash: as good as by chance, the same on every run."""
    moves = ruleset.legal_moves(game.state, seat).moves
    weight = int.from_bytes(secret(f"move {number} of seat {seat} in {game.commitment}")[:8])
    return filled(ruleset, moves[weight % len(moves)], weight)


def filled(ruleset: Ruleset[Any], legal: Move | Choice, weight: int) -> Move:
    """The move itself, or one of those a choice describes."""
    if isinstance(legal, Move):
        return legal
    left, chosen = list(legal.of), []
    for _ in range(legal.choose):
        chosen.append(left.pop(weight % len(left)))
        weight //= 64
    move_type = next(m for m in ruleset.moves if m.__struct_config__.tag == legal.type)
    return move_type(answers=legal.answers, cards=tuple(chosen))  # type: ignore[call-arg]


PERSONS = ("hamlet", "ophelia", "horatio", "gertrude")
OPEN = SeatPlan(kind="open")
ME = SeatPlan(kind="reserved", player=PERSONS[0])
