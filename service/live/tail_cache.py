"""The end of a game's log, as all that wait for it read it: once for each notification."""

import threading

from domain.visibility import Viewer
from events.log.loader import Loaded
from events.queries import Reader, viewer_of

FEW = 16
PLACES = 64


class Tail:
    """Of one game. `notified` counts the notifications: what was read since the last is new."""

    def __init__(self) -> None:
        self.notified = 0
        self._read = -1
        self._loaded: Loaded | None = None
        self._lines: dict[tuple[Viewer, int, int], list[bytes]] = {}
        self._lock = threading.Lock()

    def feed(
        self,
        reader: Reader,
        game: str,
        player: str | None,
        after: int,
        count: int,
        *,
        anew: bool = False,
    ) -> list[bytes]:
        """As Reader.feed. `anew` reads the log although nobody was woken."""
        with self._lock:
            notified = self.notified
            if self._loaded is None or self._read != notified or anew:
                self._loaded = reader.current(game)
                self._read = notified
                self._lines.clear()
            viewer = viewer_of(self._loaded.game, player)
            place = (viewer, after, count)
            lines = self._lines.get(place)
            if lines is None:
                lines = reader.lines(self._loaded, viewer, after, count)
                if len(lines) <= FEW and len(self._lines) < PLACES:
                    self._lines[place] = lines
        return lines
