"""From stored entries to state: verified, folded, and kept for the next command.

A loaded game holds its secrets beside its state, never inside it. The cache only moves a game
forward; a tail that does not join the cached head drops it, and the game is loaded cold.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from domain.chance import Chain
from domain.game.aggregate import evolve, new_game
from domain.game.model import Game, Opened
from domain.kernel import Event, IntegrityError, RuleViolation
from events.errors import LogBroken, LogMissing, UnknownGame, UnknownSchema
from events.log.entry import Entry, known_types, read_entry
from events.log.store import Head, LogStore

LONGEST_CHAIN = 2**16
Span = tuple[int, int]

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
    """A game as far as it has been read. `commands` gives the entries of each command id."""

    game: Game
    chain: Chain
    head: Head
    commands: dict[str, Span]


def fold(game_id: str, entries: Sequence[Entry], start: Loaded | None = None) -> Loaded:
    """Applies entries after `start` (None: from the first); LogBroken where they do not follow."""
    state = start.game if start else None
    chain = start.chain if start else None
    commands = dict(start.commands) if start else {}
    version, previous = (start.head.version, start.head.digest) if start else (0, b"")
    types = known_types()
    for entry in entries:
        version += 1
        try:
            command, event = read_entry(entry, game_id, version, previous, types)
            if state is None or chain is None:
                state, chain = _first(game_id, event)
            else:
                state = evolve(state, event)
        except IntegrityError as error:
            raise LogBroken(version, str(error)) from error
        except (msgspec.DecodeError, *_NONSENSE) as error:
            raise LogBroken(version, "it is not written as its type demands") from error
        previous = entry.digest
        first, _ = commands.get(command, (version, version))
        commands[command] = (first, version)
    if state is None or chain is None:
        raise UnknownGame(game_id)
    return Loaded(state, chain, Head(version, previous), commands)


class Loader:
    """Loads games through a bounded cache of them, the least recently used dropped first."""

    def __init__(self, store: LogStore, capacity: int = 512) -> None:
        self._store = store
        self._capacity = capacity
        self._cache: OrderedDict[str, Loaded] = OrderedDict()
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
                return self.keep(fold(game_id, tail[1:], loaded)) if tail[1:] else loaded
            self.drop(game_id)
        return self.keep(self.at(game_id, None))

    def at(self, game_id: str, version: int | None) -> Loaded:
        """The game as it was at `version`, at most its last (None: now); read cold."""
        entries = self._store.read(game_id, last=version)
        if not entries and self._store.is_known(game_id):
            entries = self._store.read(game_id, last=version)  # it may be opened this very moment
            if not entries:
                raise LogMissing(game_id)
        return fold(game_id, entries)

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
        raise UnknownSchema(f"entry 1: {error}") from error
