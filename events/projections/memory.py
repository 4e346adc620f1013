"""Projections in memory: for tests, and for a service without workers."""

import threading
from collections import defaultdict
from collections.abc import Collection, Iterable

from domain.game.model import Status
from events.log.store import Opening
from events.projections.store import (
    FailedProjection,
    GameRecord,
    Health,
    LobbyRow,
    Overtaken,
    ProjectedGame,
    Projection,
    RecordPart,
    Scoresheet,
    Tally,
    name_of,
    tallied,
)


class _Generation:
    """One copy of every projection."""

    def __init__(self) -> None:
        self.kept: dict[str, ProjectedGame] = {}
        self.parts: defaultdict[str, dict[str, tuple[int, RecordPart]]] = defaultdict(dict)


class MemoryProjections:
    """A ProjectionStore that keeps everything in this process."""

    def __init__(self) -> None:
        self._generations: defaultdict[tuple[str, int], _Generation] = defaultdict(_Generation)
        self._live: defaultdict[str, int] = defaultdict(lambda: 1)
        self._building: dict[str, int] = {}
        self._dead: dict[tuple[str, str], FailedProjection] = {}
        self._lock = threading.Lock()

    def put(self, kept: ProjectedGame, *, again: bool = False, into: int | None = None) -> bool:
        name = name_of(kept)
        with self._lock:
            numbers = {self._live[name], self._building.get(name, self._live[name])}
            written = [
                self._put(self._generations[name, number], kept, again=again)
                for number in (numbers if into is None else {into})
            ]
        return any(written)

    def sheet(self, game: str) -> Scoresheet | None:
        found = self._of("scoresheet").kept.get(game)
        return found if isinstance(found, Scoresheet) else None

    def record(self, player: str) -> dict[str, Tally]:
        with self._lock:
            parts = self._of("records").parts.get(player, {})
            return tallied((part, 1) for _, part in parts.values())

    def rows(self, games: Iterable[str]) -> dict[str, LobbyRow]:
        kept = self._of("lobby").kept
        found = ((game, kept.get(game)) for game in games)
        return {game: row for game, row in found if isinstance(row, LobbyRow)}

    def listed(self, index: Status | str, before: Opening | None, count: int) -> list[Opening]:
        with self._lock:
            rows = [r for r in self._of("lobby").kept.values() if isinstance(r, LobbyRow)]
        openings = sorted(
            (row.opening for row in rows if index == row.status or index in row.players),
            reverse=True,
        )
        return [o for o in openings if before is None or o < before][:count]

    def begin(self, projection: Projection) -> int:
        with self._lock:
            number = max(self._live[projection], self._building.get(projection, 0)) + 1
            self._building[projection] = number
            self._generations[projection, number] = _Generation()
            return number

    def carry(self, projection: Projection, into: int, games: Collection[str]) -> None:
        with self._lock:
            live, new = self._of(projection), self._generations[projection, into]
            for game in games:
                if game in live.kept:
                    self._put(new, live.kept[game], again=False)
                for player, parts in live.parts.items():
                    if game in parts:
                        new.parts[player].setdefault(game, parts[game])

    def switch(self, projection: Projection, generation: int) -> None:
        with self._lock:
            if self._building.get(projection) != generation:
                raise Overtaken(projection)
            self._generations.pop((projection, self._live[projection]), None)
            self._live[projection] = self._building.pop(projection)

    def mark_failed(self, dead: FailedProjection) -> None:
        self._dead[dead.game, dead.projection] = dead

    def clear_failed(self, projection: Projection, game: str) -> None:
        self._dead.pop((game, projection), None)

    def dead(self) -> list[FailedProjection]:
        return [self._dead[key] for key in sorted(self._dead)]

    def health(self) -> Health:
        sheets = list(self._of("scoresheet").kept.values())
        differing = sum(isinstance(s, Scoresheet) and s.scores_disagree for s in sheets)
        return Health(dead_projections=len(self._dead), scores_disagree=differing)

    def _of(self, projection: Projection) -> _Generation:
        return self._generations[projection, self._live[projection]]

    def _put(self, generation: _Generation, kept: ProjectedGame, *, again: bool) -> bool:
        if isinstance(kept, GameRecord):
            written = False
            for player, part in kept.parts.items():
                held = generation.parts[player].get(kept.game)
                if held is None or _is_newer(kept.version, held[0], again=again):
                    generation.parts[player][kept.game] = (kept.version, part)
                    written = True
            return written
        before = generation.kept.get(kept.game)
        if before is not None and not _is_newer(kept.version, before.version, again=again):
            return False
        generation.kept[kept.game] = kept
        return True


def _is_newer(version: int, held: int, *, again: bool) -> bool:
    return version > held or (again and version == held)
