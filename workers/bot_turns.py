"""A bot's turn: every bot that is due plays, until a person is, or the time is up.

The log is the truth. A turn that comes late, twice or on two workers at once changes nothing: its
command id derives from seat and question, and the handler appends a command once.
"""

import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog

from domain.game.model import Actor
from domain.game.questions import questions
from domain.hashing import keyed
from domain.kernel import IntegrityError, RuleViolation
from domain.registry import find
from domain.visibility import Viewer
from events.commands import MoveRequest
from events.errors import Busy, EventsError, KeyReused, UnknownGame
from events.handler import Handler
from events.log.loader import Loaded
from events.log.store import Head
from events.queries import view_with_head
from workers.bot_registry import Bot, bot_of
from workers.bots import uniform

TURN_SECONDS = 2.0
TRIES = 3

_log = structlog.get_logger(__name__)


class CannotMove(Exception):
    """The rules do not know what is legal: the card set of the game is not loaded."""


class Turns:
    """Plays for bots through `handler`. `go_on(game, version)` asks for another turn later."""

    def __init__(
        self,
        handler: Handler,
        go_on: Callable[[str, int], None],
        *,
        find_bot: Callable[[str], Bot] = bot_of,
        seconds: float = TURN_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._handler = handler
        self._go_on = go_on
        self._find_bot = find_bot
        self._seconds = seconds
        self._clock = clock

    def bot_turn(self, game: str, version: int) -> None:
        """Nothing where the game has left `version` behind. Raises Busy: worth another try.

        A log that cannot be read is reported and left alone: trying again would not mend it.
        """
        try:
            loaded = self._handler.loader.current(game)
            if loaded.head.version == version:
                self._play_on(loaded)
        except Busy:
            raise
        except UnknownGame:
            self._handler.store.clear_due(game, "bot", version)
            _log.warning("bot-turn-of-no-game", game=game, version=version)
        except (EventsError, IntegrityError) as error:
            reason = type(error).__name__
            _log.error("bot-turn-impossible", game=game, version=version, reason=reason)

    def _play_on(self, loaded: Loaded) -> None:
        game, first, correlation = loaded.chain.game, loaded.head.version, secrets.token_hex(8)
        deadline = self._clock() + self._seconds
        while (due := bot_due(loaded)) is not None:
            before = loaded.head
            if before.version > first and self._clock() >= deadline:
                self._go_on(game, before.version)
                return
            try:
                self._play(loaded, *due, correlation, deadline)
            except CannotMove:
                _log.warning("bot-cannot-move", game=game, version=before.version, seat=due[0])
                return
            loaded = self._after(game, before)
            if loaded.head == before:
                _log.error("bot-turn-without-effect", game=game, version=before.version)
                return

    def _after(self, game: str, before: Head) -> Loaded:
        """The game as our own append left it; where it is not from us, as the log has it."""
        loaded = self._handler.loader.cached(game)
        return loaded if loaded.head != before else self._handler.loader.current(game)

    def _play(
        self, loaded: Loaded, seat: int, question: str, correlation: str, deadline: float
    ) -> None:
        game = loaded.chain.game
        move, actor = self._move(loaded, seat, question, deadline)
        key = f"bot:{seat}:{question}"
        try:
            self._handler.handle(game, move, actor, key, correlation)
        except (RuleViolation, KeyReused) as refusal:
            _log.info(
                "bot-move-late",
                game=game,
                seat=seat,
                question=question,
                reason=getattr(refusal, "code", "key-reused"),
            )

    def _move(
        self, loaded: Loaded, seat: int, question: str, deadline: float
    ) -> tuple[MoveRequest, Actor]:
        """The bot's legal move, or one by chance where it fails three times or takes too long.

        Raises CannotMove.
        """
        bot = self._find_bot(loaded.game.ruleset)
        level = loaded.game.seats[seat].level
        actor = Actor(kind="bot", seat=seat, level=level, bot=bot.VERSION)
        seed = bot_seed(loaded, seat, question)
        for _ in range(TRIES):
            view = msgspec.to_builtins(view_with_head(loaded, Viewer(seat)))
            if not view["legal_moves"]:
                raise CannotMove
            try:
                return checked(loaded, seat, bot.choose(view, view["legal_moves"], seed)), actor
            except Exception as error:  # noqa: BLE001 - whatever a bot does, the game goes on
                _log.error(
                    "bot-failed",
                    game=loaded.chain.game,
                    version=loaded.head.version,
                    seat=seat,
                    bot=bot.VERSION,
                    reason=type(error).__name__,
                )
            if self._clock() >= deadline:
                break
        view = msgspec.to_builtins(view_with_head(loaded, Viewer(seat)))
        body = uniform.choose(view, view["legal_moves"], seed)
        return checked(loaded, seat, body), msgspec.structs.replace(actor, fallback=True)


def bot_due(loaded: Loaded) -> tuple[int, str] | None:
    """The first seat in which a bot owes a move, and its question."""
    for seat, question in questions(loaded.game).items():
        if loaded.game.seats[seat].kind == "bot":
            return seat, question
    return None


def bot_seed(loaded: Loaded, seat: int, question: str) -> bytes:
    """All the chance a bot has for one answer; anyone can redo it once the root is out."""
    return keyed(loaded.chain.root, "bot", loaded.chain.game, seat, question)


def checked(loaded: Loaded, seat: int, body: dict[str, Any]) -> MoveRequest:
    """The request with `body`, which the same rules must accept as a person's.

    Raises msgspec.ValidationError or RuleViolation.
    """
    ruleset = find(loaded.game.ruleset)
    ruleset.accept(loaded.game.state, seat, msgspec.convert(body, ruleset.move_type))
    return MoveRequest(msgspec.json.encode(body))
