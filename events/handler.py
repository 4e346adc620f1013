"""The command handler: load, decide, append. The only place where a game's log is written.

A command carries an id, derived from who sent it and its idempotency key. Sent again, it appends
nothing and answers as it did the first time.
"""

import base64
from collections.abc import Callable, Sequence
from functools import cache
from typing import Union

import msgspec

from domain.chance import Chain
from domain.game.aggregate import Step, accept, already_done_by, decide
from domain.game.model import LIFECYCLE_EVENTS, TABLE, Actor, Command, Game, OpenGame, Play
from domain.game.opening import open_game
from domain.game.seating import acting_seat, not_playing
from domain.hashing import digest, keyed
from domain.kernel import Event, Move, RuleViolation
from domain.registry import RULESETS
from domain.visibility import Viewer
from events.commands import CommandResult, MoveRequest, Request
from events.errors import Busy, KeyReused, StaleVersion, UnknownGame, VersionConflict
from events.log.entry import (
    Entry,
    Origin,
    envelope,
    event_of,
    line_for,
    make_entry,
    same_event,
    timestamp,
)
from events.log.loader import Loaded, Loader, Span
from events.log.store import EMPTY, Due, Head, LogStore
from events.receipts import Signer
from events.refusals import explained, unreadable

ATTEMPTS = 8


class Handler:
    """Handles commands. `now` gives milliseconds since the epoch, `root` 32 bytes from the OS.

    `conflicts` counts the appends that another writer was before.
    """

    def __init__(
        self,
        store: LogStore,
        signer: Signer,
        now: Callable[[], int],
        root: Callable[[], bytes],
        loader: Loader | None = None,
    ) -> None:
        self.store = store
        self.loader = loader if loader is not None else Loader(store)
        self.conflicts = 0
        self._signer = signer
        self._now = now
        self._root = root

    def open(self, command: OpenGame, key: str, correlation: str) -> CommandResult:
        """Opens a game, or finds the one that this opener opened with this key before.

        Raises RuleViolation, KeyReused where that game was opened otherwise, Busy.
        """
        game_id = game_id_of(command.opener, key)
        actor = Actor(kind="player", id=command.opener)
        try:
            return self._opened_before(game_id, command, actor, key)
        except UnknownGame:
            chain = Chain.derive(game_id, self._root())
        steps = open_game(command, chain)
        now = self._now()
        origin = _origin(actor, _command_id(chain, actor, key), correlation, now)
        try:
            return self._append(chain, None, steps, origin, now)
        except VersionConflict:
            return self._opened_before(game_id, command, actor, key)

    def handle(
        self,
        game_id: str,
        request: Request,
        actor: Actor,
        key: str,
        correlation: str,
        if_match: int | None = None,
    ) -> CommandResult:
        """Decides a command on the newest state and appends its events, or repeats its answer.

        The seat of a person who acts is the one that the game knows, whatever `actor` says. A
        refused move is told with the open question of its seat and what is legal there.

        Raises RuleViolation, InvalidMove, StaleVersion, KeyReused, UnknownGame, LogMissing,
        LogBroken, Busy.
        """
        # Moves are decided from the cache: a stale one is refused by the append. What is asked of
        # a seat may be answered without an append, so it is decided on the log as it is.
        a_move = isinstance(request, MoveRequest)
        loaded = self.loader.cached(game_id) if a_move else self.loader.current(game_id)
        for _ in range(ATTEMPTS):
            try:
                command_id = _command_id(loaded.chain, actor, key)
                if (span := loaded.commands.get(command_id)) is not None:
                    return self._again(loaded, span, request, actor)
                actor = _seated(loaded.game, request, actor)
                command = _command(loaded.game, request, actor)
                _check_version(loaded, if_match)
                version = None if a_move else already_done_by(loaded.game, command)
                if version is not None:
                    return self._already_done(loaded, version, actor)
                steps = decide(loaded.game, command, loaded.chain)
            except (RuleViolation, StaleVersion) as refusal:
                current = self.loader.current(game_id)
                if current.head == loaded.head:
                    raise (explained(refusal, loaded.game, actor) if a_move else refusal) from None
                loaded = current
                continue
            now = self._now()
            origin = _origin(actor, command_id, correlation, now)
            try:
                return self._append(loaded.chain, loaded, steps, origin, now)
            except VersionConflict:
                self.conflicts += 1
                loaded = self.loader.current(game_id)
        raise Busy("other commands kept coming first; the same request may be sent again")

    def _append(
        self,
        chain: Chain,
        loaded: Loaded | None,
        steps: Sequence[Step],
        origin: Origin,
        now: int,
    ) -> CommandResult:
        expected = loaded.head if loaded else EMPTY
        entries = _entries(steps, expected, chain, origin)
        after = steps[-1][1]
        try:
            self.store.append(chain.game, expected, entries, _due(steps), now)
        except Busy:
            self.loader.drop(chain.game)
            raise
        way = list(zip([game for _, game in steps], entries, strict=True))
        self.loader.go_on(loaded, chain, origin.command, way)
        return self._result(after, chain, entries, origin.actor, appended=True)

    def _result(
        self, game: Game, chain: Chain, entries: Sequence[Entry], actor: Actor, *, appended: bool
    ) -> CommandResult:
        viewer = Viewer(actor.seat, opener=actor.id is not None and actor.id == game.opener)
        last = entries[-1]
        return CommandResult(
            game=chain.game,
            seat=actor.seat,
            version=last.version,
            events=tuple(line_for(entry, viewer, chain) for entry in entries),
            receipt=self._signer.sign(chain.game, last.version, last.digest),
            appended=appended,
        )

    def _again(self, loaded: Loaded, span: Span, request: Request, actor: Actor) -> CommandResult:
        """The first answer to a command that has come again; KeyReused where it is another one.

        It is answered in the seat of then, also to who has left it since.
        """
        entries = self.store.read(loaded.chain.game, *span)
        actor = msgspec.structs.replace(actor, seat=envelope(entries[0]).actor.seat)
        if not self._is_behind(_event(entries[0]), loaded, span[0], request, actor):
            raise KeyReused("this idempotency key was used for another command")
        return self._result(loaded.game, loaded.chain, entries, actor, appended=False)

    def _is_behind(
        self, event: Event, loaded: Loaded, version: int, request: Request, actor: Actor
    ) -> bool:
        """Whether the request, decided where entry `version` was, gives its event."""
        if version == 1 or (isinstance(request, MoveRequest) and actor.seat is None):
            return False
        command = _command(loaded.game, request, actor)
        before = self.loader.at(loaded.chain.game, version - 1)
        try:
            return same_event(accept(before.game, command, loaded.chain), event)
        except RuleViolation:
            return False

    def _already_done(self, loaded: Loaded, version: int, actor: Actor) -> CommandResult:
        entry = self.store.read(loaded.chain.game, version, version)[0]
        span = loaded.commands[envelope(entry).command]
        entries = self.store.read(loaded.chain.game, *span)
        return self._result(loaded.game, loaded.chain, entries, actor, appended=False)

    def _opened_before(
        self, game_id: str, command: OpenGame, actor: Actor, key: str
    ) -> CommandResult:
        loaded = self.loader.current(game_id)
        span = loaded.commands[_command_id(loaded.chain, actor, key)]
        entries = self.store.read(game_id, *span)
        opened = _event(entries[0])
        if loaded.game.ruleset.startswith(f"{command.ruleset}@"):
            command = msgspec.structs.replace(command, ruleset=loaded.game.ruleset)
        try:
            same = same_event(open_game(command, loaded.chain)[0][0], opened)
        except RuleViolation:
            same = False
        if not same:
            raise KeyReused("this idempotency key opened another game")
        return self._result(loaded.game, loaded.chain, entries, actor, appended=False)


def game_id_of(player: str, key: str) -> str:
    """The id of the game that `player` opens with `key`: 26 characters, a-z and 2-7."""
    return base64.b32encode(digest("game-id", player, key)[:16]).decode().rstrip("=").lower()


def _origin(actor: Actor, command_id: str, correlation: str, now: int) -> Origin:
    return Origin(actor=actor, command=command_id, correlation=correlation, at=timestamp(now))


def _command_id(chain: Chain, actor: Actor, key: str) -> str:
    who = actor.id if actor.id is not None else f"{actor.kind}:{actor.seat}"
    return keyed(chain.links[-1], "command", chain.game, who, key)[:16].hex()


def _check_version(loaded: Loaded, if_match: int | None) -> None:
    if if_match is not None and if_match != loaded.head.version:
        raise StaleVersion(if_match, loaded.head.version)


def _seated(game: Game, request: Request, actor: Actor) -> Actor:
    """Who acts, in the seat they have now: not in that of when the request was made."""
    if actor.kind == "player" and actor.id is not None:
        if not isinstance(request, MoveRequest):
            return msgspec.structs.replace(actor, seat=acting_seat(game, request, actor.id))
        if (seat := game.seat_of(actor.id)) is None:
            raise _not_seated("You have no seat in this game.")
        return msgspec.structs.replace(actor, seat=seat)
    if actor.kind == "bot" and actor.seat is not None and game.status == "playing":
        has = game.seats[actor.seat]
        if has.kind != "bot" or has.level != actor.level:
            raise _not_seated("You do not sit in this seat.")
    return actor


def _not_seated(detail: str) -> RuleViolation:
    return RuleViolation("own-seat", detail, code="not-your-seat")


def _command(game: Game, request: Request, actor: Actor) -> Command:
    """What is to be decided. Raises InvalidMove, and RuleViolation where no move can be made."""
    if not isinstance(request, MoveRequest):
        return request
    assert actor.seat is not None
    ruleset = RULESETS[game.ruleset]
    try:
        return Play(seat=actor.seat, move=_decoder(ruleset.moves).decode(request.body))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if game.status == "finished":
            raise not_playing(game) from None
        raise unreadable(error, request.body, ruleset) from None


@cache
def _decoder(moves: tuple[type[Move], ...]) -> msgspec.json.Decoder[Move]:
    return msgspec.json.Decoder(Union[moves])  # noqa: UP007


def _entries(steps: Sequence[Step], expected: Head, chain: Chain, origin: Origin) -> list[Entry]:
    """Events in their envelopes, the first from the sender, what follows from the table."""
    version, previous = expected.version, expected.digest
    cause, entries = version + 1, list[Entry]()
    for event, after in steps:
        version += 1
        whence = origin if version == cause else _follows(origin, cause)
        entries.append(make_entry(event, whence, chain, version, previous, after.secret_draw))
        previous = entries[-1].digest
    return entries


def _follows(origin: Origin, cause: int) -> Origin:
    return msgspec.structs.replace(origin, actor=TABLE, causation=cause)


def _due(steps: Sequence[Step]) -> tuple[Due, ...]:
    """What the game waits for now: a bot's move; its projections, where these events show there."""
    due, after = list[Due](), steps[-1][1]
    to_act = RULESETS[after.ruleset].to_act(after.state) if after.status == "playing" else ()
    if any(after.seats[seat].kind == "bot" for seat in to_act):
        due.append("bot")
    if any(event.ends_draw or isinstance(event, LIFECYCLE_EVENTS) for event, _ in steps):
        due.append("score")
    return tuple(due)


def _event(entry: Entry) -> Event:
    return event_of(entry, envelope(entry))
