"""The command handler: load, decide, append. The only place where a game's log is written.

A command carries an id, derived from who sent it and its idempotency key. Sent again, it appends
nothing and answers as it did the first time.
"""

import base64
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from domain.chance import Chain
from domain.game.aggregate import accept, already_done_by, decide, evolve, new_game
from domain.game.model import LIFECYCLE_EVENTS, TABLE, Actor, Command, Game, OpenGame, Play
from domain.game.opening import open_game
from domain.game.questions import questions
from domain.game.seating import acting_seat
from domain.hashing import digest, keyed
from domain.kernel import Event, RuleViolation
from domain.visibility import Viewer
from events.errors import Busy, KeyReused, StaleVersion, UnknownGame, VersionConflict
from events.log.entry import Entry, Origin, envelope, event_of, line_for, make_entry, same_event
from events.log.loader import Loaded, Loader, Span
from events.log.store import EMPTY, Due, Head, LogStore
from events.receipts import Receipt, Signer

ATTEMPTS = 8


class CommandResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a command brought about: its entries as lines its sender may read, and the receipt."""

    game: str
    version: int
    events: tuple[bytes, ...]
    receipt: Receipt
    appended: bool


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
        events = open_game(command, chain)
        origin = self._origin(actor, _command_id(chain, actor, key), correlation)
        try:
            return self._append(chain, None, events, origin, actor)
        except VersionConflict:
            return self._opened_before(game_id, command, actor, key)

    def handle(
        self,
        game_id: str,
        command: Command,
        actor: Actor,
        key: str,
        correlation: str,
        if_match: int | None = None,
    ) -> CommandResult:
        """Decides a command on the newest state and appends its events, or repeats its answer.

        The seat of a person who acts is the one that the game knows, whatever `actor` says.

        Raises RuleViolation, StaleVersion, KeyReused, UnknownGame, LogMissing, LogBroken, Busy.
        """
        # Moves are decided from the cache: a stale one is refused by the append. What is asked of
        # a seat may be answered without an append, so it is decided on the log as it is.
        load = self.loader.cached if isinstance(command, Play) else self.loader.current
        loaded = load(game_id)
        for _ in range(ATTEMPTS):
            actor = _seated(loaded.game, command, actor)
            command_id = _command_id(loaded.chain, actor, key)
            if command_id in loaded.commands:
                return self._again(loaded, loaded.commands[command_id], command, actor)
            try:
                _check_version(loaded, if_match)
                _check_seat(loaded.game, command, actor)
                if (version := already_done_by(loaded.game, command)) is not None:
                    return self._standing(loaded, version, actor)
                events = decide(loaded.game, command, loaded.chain)
            except (RuleViolation, StaleVersion):
                current = self.loader.current(game_id)
                if current.head == loaded.head:
                    raise
                loaded = current
                continue
            origin = self._origin(actor, command_id, correlation)
            try:
                return self._append(loaded.chain, loaded, events, origin, actor)
            except VersionConflict:
                self.conflicts += 1
                loaded = self.loader.current(game_id)
        raise Busy("other commands kept coming first; the same request may be sent again")

    def _append(
        self,
        chain: Chain,
        loaded: Loaded | None,
        events: Sequence[Event],
        origin: Origin,
        actor: Actor,
    ) -> CommandResult:
        expected = loaded.head if loaded else EMPTY
        entries, after = _entries(events, loaded, chain, origin)
        head = Head(entries[-1].version, entries[-1].digest)
        try:
            self.store.append(chain.game, expected, entries, _due(events, after), self._now())
        except Busy:
            self.loader.drop(chain.game)
            raise
        commands = dict(loaded.commands) if loaded else {}
        commands[origin.command] = (expected.version + 1, head.version)
        self.loader.keep(Loaded(after, chain, head, commands))
        return self._answer(after, chain, entries, actor, appended=True)

    def _answer(
        self, game: Game, chain: Chain, entries: Sequence[Entry], actor: Actor, *, appended: bool
    ) -> CommandResult:
        viewer = Viewer(actor.seat, opener=actor.id is not None and actor.id == game.opener)
        last = entries[-1]
        return CommandResult(
            game=chain.game,
            version=last.version,
            events=tuple(line_for(entry, viewer, chain) for entry in entries),
            receipt=self._signer.sign(chain.game, last.version, last.digest),
            appended=appended,
        )

    def _again(self, loaded: Loaded, span: Span, command: Command, actor: Actor) -> CommandResult:
        """The first answer to a command that has come again; KeyReused where it is another one."""
        entries = self.store.read(loaded.chain.game, *span)
        if not self._would_decide(loaded, span[0], command, _event(entries[0])):
            raise KeyReused("this idempotency key was used for another command")
        return self._answer(loaded.game, loaded.chain, entries, actor, appended=False)

    def _would_decide(self, loaded: Loaded, version: int, command: Command, event: Event) -> bool:
        """Whether the command, decided where entry `version` was, is the one behind its event."""
        if version == 1:
            return False
        before = self.loader.at(loaded.chain.game, version - 1)
        try:
            return same_event(accept(before.game, command, loaded.chain), event)
        except RuleViolation:
            return False

    def _standing(self, loaded: Loaded, version: int, actor: Actor) -> CommandResult:
        entry = self.store.read(loaded.chain.game, version, version)[0]
        span = loaded.commands[envelope(entry).command]
        entries = self.store.read(loaded.chain.game, *span)
        return self._answer(loaded.game, loaded.chain, entries, actor, appended=False)

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
            same = same_event(open_game(command, loaded.chain)[0], opened)
        except RuleViolation:
            same = False
        if not same:
            raise KeyReused("this idempotency key opened another game")
        return self._answer(loaded.game, loaded.chain, entries, actor, appended=False)

    def _origin(self, actor: Actor, command_id: str, correlation: str) -> Origin:
        return Origin(
            actor=actor,
            command=command_id,
            correlation=correlation,
            at=timestamp(self._now()),
        )


def game_id_of(player: str, key: str) -> str:
    """The id of the game that `player` opens with `key`: 26 characters, a-z and 2-7."""
    return base64.b32encode(digest("game-id", player, key)[:16]).decode().rstrip("=").lower()


def timestamp(milliseconds: int) -> str:
    """RFC 3339, UTC, with milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{rest:03d}Z"


def _command_id(chain: Chain, actor: Actor, key: str) -> str:
    who = actor.id if actor.id is not None else f"{actor.kind}:{actor.seat}"
    return keyed(chain.root, "command", chain.game, who, key)[:16].hex()


def _check_version(loaded: Loaded, if_match: int | None) -> None:
    if if_match is not None and if_match != loaded.head.version:
        raise StaleVersion(if_match, loaded.head.version)


def _seated(game: Game, command: Command, actor: Actor) -> Actor:
    if actor.kind != "player" or actor.id is None:
        return actor
    return msgspec.structs.replace(actor, seat=acting_seat(game, command, actor.id))


def _check_seat(game: Game, command: Command, actor: Actor) -> None:
    """Player or bot, one moves for the seat one has now, not for that of when the move was made."""
    if not isinstance(command, Play) or game.status != "playing":
        return
    if actor.kind == "player" and actor.id is not None:
        own = game.seat_of(actor.id) == command.seat
    elif actor.kind == "bot" and 0 <= command.seat < len(game.seats):
        has = game.seats[command.seat]
        own = has.kind == "bot" and has.level == actor.level
    else:
        own = True
    if not own:
        raise RuleViolation("own-seat", "You do not sit in this seat.", code="not-your-seat")


def _entries(
    events: Sequence[Event], loaded: Loaded | None, chain: Chain, origin: Origin
) -> tuple[list[Entry], Game]:
    """Events in their envelopes, the first from the sender, what follows from the table."""
    game = loaded.game if loaded else None
    version, previous = (loaded.head.version, loaded.head.digest) if loaded else (0, b"")
    cause = version + 1
    entries = []
    for event in events:
        version += 1
        game = evolve(game, event) if game is not None else new_game(event)  # type: ignore[arg-type]
        whence = origin if version == cause else _follows(origin, cause)
        entries.append(make_entry(event, whence, chain, version, previous, game.secret_draw))
        previous = entries[-1].digest
    assert game is not None  # there is no command without events
    return entries, game


def _follows(origin: Origin, cause: int) -> Origin:
    return msgspec.structs.replace(origin, actor=TABLE, causation=cause)


def _due(events: Sequence[Event], after: Game) -> tuple[Due, ...]:
    """What the game waits for now: a bot's move; its projections, where these events show there."""
    due: list[Due] = []
    if any(after.seats[seat].kind == "bot" for seat in questions(after)):
        due.append("bot")
    if any(event.ends_draw or isinstance(event, LIFECYCLE_EVENTS) for event in events):
        due.append("score")
    return tuple(due)


def _event(entry: Entry) -> Event:
    return event_of(entry, envelope(entry))
