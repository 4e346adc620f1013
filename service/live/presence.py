"""Who is at the table now: shown in `live`, beside the view, and never part of the log."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from events.accounts.presence import PresenceStore
from events.errors import Busy, EventsError
from events.log.entry import Timestamp, timestamp
from events.log.loader import Loader

NOTES_KEPT = 20_000

_log = structlog.get_logger()


class SeatPresence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether a seat's player is at the table, and when they were last seen, if at all lately."""

    seat: int
    connected: bool
    last_seen: Timestamp | None


class Presence:
    """A player is connected for `window` seconds after they were seen at the game.

    An open stream is seen again and again; each process notes the same player at most nine times
    in a window.
    """

    def __init__(
        self, store: PresenceStore, loader: Loader, now: Callable[[], int], window: float
    ) -> None:
        self._store = store
        self._loader = loader
        self._now = now
        self._window = int(window * 1000)
        self._noted: dict[tuple[str, str], int] = {}

    def note(self, game: str, player: str) -> None:
        """Notes that `player` is at the table, if they have a seat there. Never fails."""
        with suppress(EventsError):
            if self._loader.cached(game).game.seat_of(player) is not None:
                self.seen(game, player)

    def seen(self, game: str, player: str) -> None:
        """The same of somebody who has a seat there."""
        now, key = self._now(), (game, player)
        if 0 <= now - self._noted.get(key, -self._window) < self._window // 9:
            return
        if len(self._noted) >= NOTES_KEPT:
            self._noted.clear()
        self._noted[key] = now
        try:
            self._store.note(game, player, now)
        except Busy:
            _log.warning("presence not noted", game=game)

    def at(self, game: str, seats: Sequence[dict[str, Any]]) -> tuple[SeatPresence, ...]:
        """For each seat of a view, whether it is connected, and when its player was last seen."""
        players = [seat["player"] for seat in seats if seat["kind"] == "player"]
        seen, now = self._store.last_seen(game, players), self._now()
        return tuple(_seat(seat, seen.get(seat["player"]), now - self._window) for seat in seats)


def _seat(seat: dict[str, Any], seen: int | None, since: int) -> SeatPresence:
    """A bot is always there."""
    return SeatPresence(
        seat=seat["seat"],
        connected=seat["kind"] == "bot" or (seen is not None and seen > since),
        last_seen=None if seen is None else timestamp(seen),
    )
