"""A game's log read whole, for the projections: its events, its states, who played in it."""

from typing import Any

import msgspec
from rq.timeouts import BaseTimeoutException

from domain.game.aggregate import evolve, new_game
from domain.game.model import Game, Opened
from domain.kernel import Event
from events.errors import LogMissing, UnknownGame
from events.log.entry import check_follows, envelope, event_of, known_types
from events.log.store import LogStore


class Unreadable(Exception):
    """An entry that cannot be read or applied. The message says why, and no hidden fact."""

    def __init__(self, version: int, error: Exception) -> None:
        super().__init__(f"{type(error).__name__} at entry {version}")
        self.version = version


class History(msgspec.Struct, frozen=True):
    """A game as of `version`. `facts` are its events with their versions.

    `players` are all who had a seat at any time since the game started.
    """

    id: str
    opened: int
    version: int
    game: Game
    facts: tuple[tuple[int, Event], ...]
    players: frozenset[str]


def read_history(store: LogStore, game_id: str, until: int | None = None) -> History:
    """Raises UnknownGame, LogMissing, LogBroken, Busy; Unreadable at the first entry that is."""
    opened = store.opened(game_id)
    if opened is None:
        raise UnknownGame(game_id)
    entries = store.read(game_id, last=until)
    if not entries:
        raise LogMissing(game_id)
    types, game, previous = known_types(), None, b""
    facts: list[tuple[int, Event]] = []
    players: set[str] = set()
    for version, entry in enumerate(entries, start=1):
        try:
            check_follows(entry, game_id, version, previous)
            event: Any = event_of(entry, envelope(entry), types)
            game = evolve(game, event) if game is not None else _first(event)
        except BaseTimeoutException:
            raise  # of the job, not of the entry
        except Exception as error:
            raise Unreadable(version, error) from error
        previous = entry.digest
        facts.append((version, event))
        if game.status == "playing":
            players.update(seat.player for seat in game.seats if seat.player is not None)
    assert game is not None
    return History(game_id, opened, len(entries), game, tuple(facts), frozenset(players))


def _first(event: Event) -> Game:
    if not isinstance(event, Opened):
        raise TypeError("the first entry does not open a game")
    return new_game(event)
