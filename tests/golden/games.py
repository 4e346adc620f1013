"""The table of the golden games, and those of Hearts.

They are played without chance of any kind but the game's own, the same on every run.

A recipe opens a game, fills its seats and plays it out. Roots, keys and times are fixed.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.card_games.tricks import PlayCard
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
    moves = ruleset.legal_moves(game.table, seat).moves
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


# --- the games

PERSONS = ("hamlet", "ophelia", "horatio", "gertrude")

# Seat 1 wins every trick: it follows the first with AC and leads nothing but the highest.
MOON_HANDS = (
    ("2C", "5C", "8C", "2S", "5S", "8S", "2D", "5D", "8D", "2H", "5H", "8H", "JC"),
    ("AC", "KC", "QC", "AS", "KS", "QS", "AD", "KD", "QD", "AH", "KH", "QH", "JH"),
    ("3C", "6C", "9C", "3S", "6S", "9S", "3D", "6D", "9D", "3H", "6H", "9H", "JS"),
    ("4C", "7C", "TC", "4S", "7S", "TS", "4D", "7D", "TD", "4H", "7H", "TH", "JD"),
)


def shooting(ruleset: Ruleset[Any], game: Game, seat: int, number: int) -> Move:
    """In a scripted deal seat 1 leads its highest cards, hearts last; all else as usual."""
    first = game.script.first_deal if game.script else 0
    if game.table.deal != first or seat != 1:
        return some_move(ruleset, game, seat, number)
    cards = [m for m in ruleset.legal_moves(game.table, seat).moves if isinstance(m, PlayCard)]
    return min(cards, key=lambda m: ("CSDH".index(m.card[1]), "AKQJ".index(m.card[0])))


def hearts_default() -> Table:
    """The game as it is: to 100, four persons, all of whom brought entropy."""
    table = Table("hearts-default")
    table.open("hearts", [_reserved(), *[SeatPlan(kind="open")] * 3])
    for seat, (player, entropy) in enumerate(zip(PERSONS, (16, 32, 48, 64), strict=True)):
        table.sit(player, seat, entropy=entropy)
    table.play()
    return table


def hearts_bots() -> Table:
    """A short game of two persons and two bots. One brought entropy, left, and resumed later; a
    third person left before the start."""
    table = Table("hearts-bots")
    table.open(
        "hearts",
        [_reserved(), SeatPlan(kind="bot", level="normal"), *[SeatPlan(kind="open")] * 2],
        {"target_score": 20},
    )
    table.sit("ophelia", 2, entropy=32)
    table.sit("horatio", 3, entropy=16)
    table.leave("horatio", 3)
    table.sit("hamlet", 0)
    table.seat_bot(3, "hard")
    table.play(moves=30)
    table.leave("ophelia", 2)
    table.play(moves=20)
    table.sit("ophelia", 2)
    table.play()
    return table


def hearts_moon() -> Table:
    """Ruling HE-3: 4/42/5/27, seat 1 shoots, 30/42/31/53: over at 50, and seat 0 wins."""
    table = Table("hearts-moon-1")
    table.open(
        "hearts",
        [_reserved(), *[SeatPlan(kind="open")] * 3],
        {"target_score": 50},
        Script(first_deal=4, deals=({"hands": MOON_HANDS},)),
    )
    for seat, player in enumerate(PERSONS):
        table.sit(player, seat)
    table.play(shooting)
    return table


def hearts_closed() -> Table:
    """Closed by its opener before it started, with a script that nobody played."""
    table = Table("hearts-closed")
    table.open("hearts", [SeatPlan(kind="open")] * 4, script=Script(deals=({"hands": MOON_HANDS},)))
    table.sit("ophelia", 2, entropy=16)
    table.close()
    return table


def _reserved() -> SeatPlan:
    return SeatPlan(kind="reserved", player="hamlet")


GAMES: dict[str, Callable[[], Table]] = {
    "hearts-default": hearts_default,
    "hearts-bots": hearts_bots,
    "hearts-moon": hearts_moon,
    "hearts-closed": hearts_closed,
}
