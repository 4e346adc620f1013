"""A game's log read for the projections: its events, its states, who played in it."""

from collections.abc import Sequence

import msgspec
from rq.timeouts import BaseTimeoutException

from domain.game.aggregate import evolve, new_game
from domain.game.model import Game, Opened
from domain.kernel import Event
from events.errors import LogMissing, UnknownGame
from events.log.entry import Entry
from events.log.entry_reader import EntryReader
from events.log.store import LogStore
from events.projections.store import Scoresheet


class Unreadable(Exception):
    """An entry that cannot be read or applied. The message says why, and no hidden fact."""

    def __init__(self, version: int, error: Exception) -> None:
        super().__init__(f"{type(error).__name__} at entry {version}")
        self.version = version


class History(msgspec.Struct, frozen=True):
    """A game as of `version`, the number of the entry with this `digest`.

    `facts` are its events with their versions, all or those after the last deal of `sheet`, which
    was made of what came before. `players` are all who had a seat at any time since the start.
    """

    id: str
    opened: int
    version: int
    digest: bytes
    game: Game
    facts: tuple[tuple[int, Event], ...]
    players: frozenset[str]
    sheet: Scoresheet | None = None


def read_history(store: LogStore, game_id: str, until: int | None = None) -> History:
    """Of the whole log. Raises UnknownGame, LogMissing, LogBroken, Busy; Unreadable at the first
    entry that is."""
    opened = store.opened(game_id)
    if opened is None:
        raise UnknownGame(game_id)
    entries = store.read(game_id, last=until)
    if not entries:
        raise LogMissing(game_id)
    return _with_entries(game_id, opened, None, entries)


def read_on(store: LogStore, known: History) -> History | None:
    """A history with what has come since; None where its log does not go on from it. Raises as
    `read_history`."""
    entries = store.read(known.id, known.version)
    if not entries or entries[0].digest != known.digest:
        return None
    return _with_entries(known.id, known.opened, known, entries[1:])


def _with_entries(
    game_id: str, opened: int, known: History | None, entries: Sequence[Entry]
) -> History:
    reader, game = EntryReader(game_id), known.game if known else None
    version, digest = (known.version, known.digest) if known else (0, b"")
    facts = list(known.facts) if known else []
    players = set(known.players) if known else set()
    for entry in entries:
        version += 1
        try:
            _, event = reader.read(entry, version, digest)
            game = evolve(game, event) if game is not None else _first(event)
        except BaseTimeoutException:
            raise  # of the job, not of the entry
        except Exception as error:
            raise Unreadable(version, error) from error
        digest = entry.digest
        facts.append((version, event))
        if game.status == "playing":
            players.update(seat.player for seat in game.seats if seat.player is not None)
    assert game is not None
    return History(
        id=game_id,
        opened=opened,
        version=version,
        digest=digest,
        game=game,
        facts=tuple(facts),
        players=frozenset(players),
        sheet=known.sheet if known else None,
    )


def _first(event: Event) -> Game:
    if not isinstance(event, Opened):
        raise TypeError("the first entry does not open a game")
    return new_game(event)
