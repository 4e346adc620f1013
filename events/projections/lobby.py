"""The lobby: games page by page, from their projected lines; nothing is folded that need not be.

A game whose line is behind its log is known from the index of what is due, written with each
append. Such games are few, and folded: a game just opened is never missing.
"""

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec
import structlog

from domain.game.model import Status
from events.errors import Busy, EventsError
from events.log.loader import Loader
from events.log.store import LogStore, Opening
from events.projections.store import LobbyRow, ProjectionStore, row_of

SCANNED = 200
BATCH = 50
BEHIND = 100
"""Games behind their log that one page looks at: those which became so last."""

FOLDED = 20
"""Games without a line, and not among those, that one page looks at before it ends."""

KEPT = 5000

_log = structlog.get_logger(__name__)


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to list; None is any. `ruleset` is a name or name@version."""

    player: str | None = None
    status: Status | None = None
    ruleset: str | None = None

    def fits(self, row: LobbyRow) -> bool:
        return (
            (self.player is None or self.player in row.players)
            and self.status in {None, row.status}
            and self.ruleset in {None, row.ruleset, row.ruleset.partition("@")[0]}
        )


class Lobby:
    """Raises Busy."""

    def __init__(self, store: LogStore, projections: ProjectionStore, loader: Loader) -> None:
        self._store = store
        self._projections = projections
        self._loader = loader
        self._kept: dict[str, LobbyRow] = {}

    def page(
        self, wanted: Wanted, before: Opening | None, count: int
    ) -> tuple[list[LobbyRow], Opening | None]:
        """At most `count` games opened before `before`, newest first, and where to go on.

        None is the end. A page may have fewer games than asked for and still not be the last.
        """
        behind = self._behind(before)  # before the lines: what is done meanwhile is in those
        rows: list[LobbyRow] = []
        seen: Opening | None = None
        folded = 0
        openings = self._openings(wanted, behind.values(), before)
        for batch in _batches(islice(openings, SCANNED)):
            lines = self._projections.rows(o.game for o in batch if o.game not in behind)
            for opening in batch:
                if len(rows) == count or folded == FOLDED:
                    return rows, seen
                seen = opening
                row = lines.get(opening.game) or behind.get(opening.game)
                if row is None:
                    row, folded = self._folded(opening), folded + 1
                if row is not None and wanted.fits(row):
                    rows.append(row)
        return rows, None if next(openings, None) is None else seen

    def _openings(
        self, wanted: Wanted, behind: Iterable[LobbyRow], before: Opening | None
    ) -> Iterator[Opening]:
        """Whatever may be wanted, each game once."""
        index = wanted.player if wanted.player is not None else wanted.status
        hurried = sorted((row.opening for row in behind), reverse=True)
        last: Opening | None = None
        for opening in heapq.merge(self._index(index, before), hurried, reverse=True):
            if opening != last:
                yield opening
            last = opening

    def _index(self, index: Status | str | None, before: Opening | None) -> Iterator[Opening]:
        while True:
            if index is None:
                page = self._store.games(before, 2 * BATCH)
            else:
                page = self._projections.listed(index, before, 2 * BATCH)
            if not page:
                return
            yield from page
            before = page[-1]

    def _behind(self, before: Opening | None) -> dict[str, LobbyRow]:
        """The lines of games whose projections are due, as their logs have them.

        Each is folded once for every append that makes them due.
        """
        found = {}
        for due in self._store.unscored(BEHIND):
            game = due.opening.game
            if before is not None and due.opening >= before:
                continue
            row = self._kept.get(game)
            if row is None or row.version < due.version:
                row = self._folded(due.opening)
            if row is not None:
                found[game] = row
        return found

    def _folded(self, opening: Opening) -> LobbyRow | None:
        """One broken log does not take the lobby down."""
        try:
            loaded = self._loader.current(opening.game)
        except Busy:
            raise
        except EventsError as error:
            _log.error("game-left-out", game=opening.game, why=str(error))
            return None
        row = row_of(opening.game, loaded.game, loaded.head.version, opening.at)
        if len(self._kept) >= KEPT:
            self._kept.clear()
        self._kept[opening.game] = row
        return row


def _batches(openings: Iterator[Opening]) -> Iterator[list[Opening]]:
    while batch := list(islice(openings, BATCH)):
        yield batch
