"""The projection job: what is kept of a game beside its log, folded again and put in place.

A game that cannot be projected stops its own projection only; it is recorded with the entry and
the reason, and tried again now and then by the sweep, or when a person says so.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping

import structlog
from rq.timeouts import BaseTimeoutException

from events.errors import Busy, EventsError, LogBroken, LogMissing, UnknownGame
from events.log.store import LogStore
from events.projections.store import (
    PROJECTIONS,
    FailedProjection,
    ProjectedGame,
    Projection,
    ProjectionStore,
    Scoresheet,
)
from workers.projections.history import History, Unreadable, read_history, read_on
from workers.projections.records import game_record, lobby_row
from workers.projections.scoresheet import counted_for_good, scoresheet

Projector = Callable[[History], ProjectedGame | None]

PROJECTORS: Mapping[Projection, Projector] = {
    "scoresheet": scoresheet,
    "records": game_record,
    "lobby": lobby_row,
}

KNOWN = 64
"""Games of which a worker keeps what it has counted: some 15 kB a deal."""

GONE = "log-missing: the game was opened, its stream is gone"

_log = structlog.get_logger(__name__)


class Projecting:
    def __init__(
        self,
        store: LogStore,
        projections: ProjectionStore,
        projectors: Mapping[Projection, Projector] = PROJECTORS,
    ) -> None:
        self._store = store
        self._projections = projections
        self._projectors = projectors
        self._known: OrderedDict[str, History] = OrderedDict()

    def project(self, game: str, version: int) -> None:
        """Every projection of a game, to the end of its log. Raises Busy: worth another try.

        Nothing where all of them have come to `version` before.
        """
        try:
            done = self._before(game, version) or self.apply(game, PROJECTIONS)
        except UnknownGame:
            done = version
            _log.warning("projection-of-no-game", game=game, version=version)
        if done is not None:
            self._store.clear_due(game, "score", done)

    def apply(
        self,
        game: str,
        names: Collection[Projection],
        *,
        again: bool = False,
        into: Mapping[Projection, int] | None = None,
    ) -> int | None:
        """The version to which all of `names` are kept now; None where one is dead.

        `again` and `into` are ProjectionStore.put's. Raises UnknownGame, Busy.
        """
        afresh = again or into is not None
        try:
            history = read_history(self._store, game) if afresh else self._history(game)
        except (Busy, UnknownGame):
            raise
        except (Unreadable, EventsError) as error:
            version = error.version if isinstance(error, (Unreadable, LogBroken)) else 0
            reason = GONE if isinstance(error, LogMissing) else str(error)
            for name in names:
                self._bury(
                    FailedProjection(projection=name, game=game, version=version, reason=reason)
                )
            return None
        done = [
            self._project(name, history, again=again, into=(into or {}).get(name)) for name in names
        ]
        return history.version if all(done) else None

    def _history(self, game: str) -> History:
        """The game to the end of its log: only what is new is read where the rest is known."""
        known = self._known.pop(game, None)
        return (read_on(self._store, known) if known else None) or read_history(self._store, game)

    def _remember(self, history: History, sheet: Scoresheet | None) -> None:
        """What the next job can go on from; a finished game has none."""
        if history.game.status != "finished":
            self._known[history.id] = counted_for_good(history, sheet)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)

    def _before(self, game: str, version: int) -> int | None:
        """The version of all projections if it is `version` or later. The lobby's is kept last."""
        row = self._projections.rows([game]).get(game)
        if row is None or row.version < version:
            return None
        return None if any(dead.game == game for dead in self._projections.dead()) else row.version

    def _project(
        self, name: Projection, history: History, *, again: bool, into: int | None
    ) -> bool:
        try:
            kept = self._projectors[name](history)
        except BaseTimeoutException:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a projector meets, the others go on
            reason = type(error).__name__
            version = history.version
            self._bury(
                FailedProjection(projection=name, game=history.id, version=version, reason=reason)
            )
            return False
        if isinstance(kept, Scoresheet) and kept.scores_disagree:
            _log.error(
                "scores-disagree",
                game=history.id,
                version=kept.version,
                where=[(apart.version, apart.what) for apart in kept.disagreements],
            )
        if kept is not None:
            self._projections.put(kept, again=again, into=into)
        if name == "scoresheet" and into is None:
            self._remember(history, kept if isinstance(kept, Scoresheet) else None)
        self._projections.clear_failed(name, history.id)
        return True

    def _bury(self, dead: FailedProjection) -> None:
        _log.error(
            "projection-dead",
            projection=dead.projection,
            game=dead.game,
            version=dead.version,
            reason=dead.reason,
        )
        self._projections.mark_failed(dead)
