"""The reading side: views at any version, feeds, and whole logs, all from the log alone."""

from typing import Any

import msgspec

from domain.game.model import Game, Hex
from domain.game.views import view
from domain.visibility import Viewer
from events.errors import NotFinished, UnknownVersion
from events.log.entry import SCHEME, line_for, whole_line
from events.log.loader import Loaded, Loader
from events.log.store import LogStore
from events.stretches import in_stretches


class HeadView(msgspec.Struct, frozen=True, kw_only=True):
    """The log that a view was computed from: its scheme, and the digest of its last entry."""

    scheme: str
    digest: Hex


class Reader:
    """Answers questions about games. Raises UnknownGame, LogMissing, LogBroken, UnknownSchema."""

    def __init__(self, store: LogStore, loader: Loader) -> None:
        self._store = store
        self.loader = loader

    def current(self, game_id: str) -> Loaded:
        return self.loader.current(game_id)

    def view(
        self, game_id: str, player: str | None, at: int | None = None, seat: int | None = None
    ) -> dict[str, Any]:
        """What `player` sees (None: a spectator), now or as it was at version `at`.

        `seat` asks for the view of that seat instead, which is open to all once the game is
        finished; NotFinished before.
        """
        now = self.loader.current(game_id)
        if seat is not None and now.game.status != "finished":
            raise NotFinished("the views of other seats open when the game is finished")
        if at is not None and not 1 <= at <= now.head.version:
            raise UnknownVersion(f"the game is at version {now.head.version}")
        loaded = now if at is None or at == now.head.version else self.loader.at(game_id, at)
        viewer = _looking_back(now.game, loaded.game, player) if seat is None else Viewer(seat)
        return view_with_head(loaded, viewer)

    def feed(
        self, game_id: str, player: str | None, after: int = 0, count: int = 1000
    ) -> list[bytes]:
        """The lines after version `after` as `player` may read them, at most `count`."""
        loaded = self.loader.current(game_id)
        return self.lines(loaded, viewer_of(loaded.game, player), after, count)

    def lines(self, loaded: Loaded, viewer: Viewer, after: int, count: int) -> list[bytes]:
        """The lines of a game after version `after`, for a viewer of it as far as it is loaded.

        Further on, who looks may have another seat.
        """
        last = min(after + count, loaded.head.version)
        if last <= after:
            return []
        entries = self._store.read(loaded.chain.game, first=after + 1, last=last)
        return [line_for(entry, viewer, loaded.chain) for entry in in_stretches(entries)]

    def finished(self, game_id: str) -> Loaded:
        """A game that is over; NotFinished while it goes on."""
        loaded = self.loader.current(game_id)
        if loaded.game.status != "finished":
            raise NotFinished("the whole log opens when the game is finished")
        return loaded

    def log(self, game_id: str) -> list[bytes]:
        """Every line with every part known; NotFinished while the game goes on."""
        chain = self.finished(game_id).chain
        return [whole_line(entry, chain) for entry in in_stretches(self._store.read(game_id))]


def viewer_of(game: Game, player: str | None) -> Viewer:
    """A player looks from the seat they have, if any; the opener also sees what they wrote down."""
    if player is None:
        return Viewer()
    return Viewer(game.seat_of(player), opener=player == game.opener)


def _looking_back(now: Game, then: Game, player: str | None) -> Viewer:
    """Once a game has started, only who has a seat now looks back from it, as in the feed."""
    return viewer_of(then if then.status == "open" else now, player)


def view_with_head(loaded: Loaded, viewer: Viewer) -> dict[str, Any]:
    """A view with the head of the log it was computed from, so that players can compare."""
    head = HeadView(scheme=SCHEME, digest=loaded.head.digest.hex())
    return view(loaded.game, viewer) | msgspec.structs.asdict(head)
