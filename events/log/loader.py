"""From stored entries to state: verified, folded, and kept for the next command.

A loaded game holds its secrets beside its state, never inside it. The cache only moves a game
forward; a tail that does not join the cached head drops it, and the game is loaded cold.

States passed on the way are kept too, at intervals, so that the past starts near. Whoever goes on
from one reads its own entry again: another digest than the kept one drops it.
"""

import threading
from collections import ChainMap, OrderedDict
from collections.abc import Callable, Iterable, Sequence

import msgspec

from domain.chance import Chain
from domain.game.aggregate import evolve, new_game
from domain.game.model import Game, Opened
from domain.kernel import Event, IntegrityError, RuleViolation
from events.errors import LogBroken, LogMissing, UnknownGame, UnknownRuleset, UnknownSchema
from events.log.entry import Entry
from events.log.entry_reader import EntryReader
from events.log.store import Head, LogStore
from events.stretches import in_stretches

LONGEST_CHAIN = 2**16
Span = tuple[int, int]
"""The first and the last version."""
Commands = ChainMap[str, Span]

_NONSENSE = (
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    RuleViolation,
    TypeError,
    ValueError,
)
"""What comes of applying an entry that none of our own releases wrote."""


class Loaded(msgspec.Struct, frozen=True):
    """A game as far as it has been read."""

    game: Game
    chain: Chain
    head: Head
    commands: Commands


def fold(
    game_id: str,
    entries: Iterable[Entry],
    start: Loaded | None = None,
    passed: Callable[[Loaded], object] = lambda _: None,
) -> Loaded:
    """Applies entries after `start` (None: from the first); LogBroken where they do not follow.

    `passed` is given the game where states are kept on the way, without its commands.
    """
    state = start.game if start else None
    chain = start.chain if start else None
    known: Commands = start.commands if start else ChainMap()
    commands: dict[str, Span] = {}
    version, previous = (start.head.version, start.head.digest) if start else (0, b"")
    reader = EntryReader(game_id)
    for entry in entries:
        version += 1
        try:
            command, event = reader.read(entry, version, previous)
            if state is None or chain is None:
                state, chain = _first(game_id, event)
            else:
                state = evolve(state, event)
        except IntegrityError as error:
            raise LogBroken(version, str(error)) from error
        except (msgspec.DecodeError, *_NONSENSE) as error:
            raise LogBroken(version, "it is not written as its type demands") from error
        previous = entry.digest
        if (span := commands.get(command)) is None:
            span = known.get(command, (version, version))
        commands[command] = (span[0], version)
        if version == kept_before(version):
            passed(Loaded(state, chain, Head(version, previous), ChainMap()))
    if state is None or chain is None:
        raise UnknownGame(game_id)
    return Loaded(state, chain, Head(version, previous), with_spans(known, commands))


def with_spans(commands: Commands, added: dict[str, Span]) -> Commands:
    """With these, which come before what is held under the same id. Neither is changed.

    Pieces of about equal size become one, as in counting by twos: one more command costs the same
    in a long game as in a short one.
    """
    pieces = commands.maps
    while pieces and len(pieces[0]) <= len(added):
        added, pieces = {**pieces[0], **added}, pieces[1:]
    return ChainMap(added, *pieces)


def kept_before(version: int) -> int:
    """The last version up to `version` at which a state is kept on the way, or 0."""
    return version - version % (4 if version < 64 else 64)


class Loader:
    """Loads games through a bounded cache of them, the least recently used dropped first.

    `states` is how many states of the past are kept, of all games together; `applied` is told how
    many entries each call had to apply.
    """

    def __init__(
        self,
        store: LogStore,
        capacity: int = 512,
        states: int = 4096,
        applied: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._store = store
        self._applied = applied
        self._capacity = capacity
        self._states = states
        self._cache: OrderedDict[str, Loaded] = OrderedDict()
        self._past: OrderedDict[tuple[str, int], Loaded] = OrderedDict()
        self._lock = threading.Lock()

    def cached(self, game_id: str) -> Loaded:
        """The game as last seen by this process; may be behind the log, never ahead of it."""
        with self._lock:
            loaded = self._cache.get(game_id)
            if loaded is not None:
                self._cache.move_to_end(game_id)
        return loaded if loaded is not None else self.current(game_id)

    def current(self, game_id: str) -> Loaded:
        """The game at the end of its log; UnknownGame, LogMissing, LogBroken, UnknownSchema."""
        with self._lock:
            loaded = self._cache.get(game_id)
        if loaded is not None:
            tail = self._store.read(game_id, first=loaded.head.version)
            if tail and tail[0].digest == loaded.head.digest:
                if not tail[1:]:
                    return loaded
                return self.keep(self._fold(game_id, tail[1:], loaded))
            self.drop(game_id)
        entries = self._store.read(game_id)
        if not entries and self._store.is_known(game_id):
            entries = self._store.read(game_id)  # it may be opened this very moment
            if not entries:
                raise LogMissing(game_id)
        return self.keep(self._fold(game_id, entries))

    def at(self, game_id: str, version: int) -> Loaded:
        """The game as it was at `version`, which its log has; without its commands."""
        if (start := self._before(game_id, version)) is not None:
            entries = self._store.read(game_id, start.head.version, version)
            if entries and entries[0].digest == start.head.digest:
                return self._fold(game_id, entries[1:], start)
        return self._fold(game_id, self._store.read(game_id, last=version))

    def _fold(self, game_id: str, entries: Sequence[Entry], start: Loaded | None = None) -> Loaded:
        self._applied(len(entries))
        return fold(game_id, in_stretches(entries), start, self._pass)

    def _before(self, game_id: str, version: int) -> Loaded | None:
        """The nearest state that is kept of a game, at `version` or before it."""
        with self._lock:
            while (version := kept_before(version)) > 0:
                if (found := self._past.get((game_id, version))) is not None:
                    self._past.move_to_end((game_id, version))
                    return found
                version -= 1
        return None

    def _pass(self, loaded: Loaded) -> None:
        with self._lock:
            self._past[loaded.chain.game, loaded.head.version] = loaded
            if len(self._past) > self._states:
                self._past.popitem(last=False)

    def go_on(
        self, before: Loaded | None, chain: Chain, command: str, way: Sequence[tuple[Game, Entry]]
    ) -> None:
        """Remembers what a command has made of a game: `way` are its entries, each with the state
        after it."""
        known = before.commands if before else ChainMap()
        commands = with_spans(known, {command: (way[0][1].version, way[-1][1].version)})
        for game, entry in way:
            if entry.version == kept_before(entry.version):
                self._pass(Loaded(game, chain, Head(entry.version, entry.digest), ChainMap()))
        after, last = way[-1]
        self.keep(Loaded(after, chain, Head(last.version, last.digest), commands))

    def keep(self, loaded: Loaded) -> Loaded:
        """Remembers a game, unless the cache is further on already."""
        game_id = loaded.chain.game
        with self._lock:
            held = self._cache.get(game_id)
            if held is None or held.head.version <= loaded.head.version:
                self._cache[game_id] = loaded
                self._cache.move_to_end(game_id)
                if len(self._cache) > self._capacity:
                    self._cache.popitem(last=False)
        return loaded

    def drop(self, game_id: str) -> None:
        with self._lock:
            self._cache.pop(game_id, None)


def _first(game_id: str, event: Event) -> tuple[Game, Chain]:
    if not isinstance(event, Opened):
        raise LogBroken(1, "the first entry does not open a game")
    if not 1 <= event.links <= LONGEST_CHAIN:
        raise LogBroken(1, "it states no possible number of links")
    try:
        chain = Chain.derive(game_id, bytes.fromhex(event.root), event.links)
    except ValueError:
        raise LogBroken(1, "its root is not 32 bytes in hex") from None
    try:
        return new_game(event), chain
    except RuleViolation as error:
        if error.code == "unknown-ruleset":
            raise UnknownRuleset(error.detail) from error
        raise UnknownSchema(f"entry 1: {error}") from error
