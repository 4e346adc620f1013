"""Rebuilding projections from nothing: beside the live copy, then in its place at once.

Killed half-way, it has changed nothing that is read; the next rebuild clears what it left.
"""

from collections.abc import Callable, Collection, Iterator

from events.log.store import LogStore, Opening
from events.projections.store import Projection, ProjectionStore
from workers.projections.projector import Projecting


class Rebuilding:
    def __init__(
        self, store: LogStore, projections: ProjectionStore, projecting: Projecting | None = None
    ) -> None:
        self._store = store
        self._projections = projections
        self._projecting = projecting or Projecting(store, projections)

    def all(self, names: Collection[Projection], note: Callable[[str], object] = str) -> int:
        """Rebuilds `names` of every game; how many games stand still. Raises Overtaken, Busy.

        Of those the live copy stays: it is the last that could be made.
        """
        into = {name: self._projections.begin(name) for name in names}
        dead = 0
        for game in games_of(self._store):
            dead += self._projecting.apply(game, names, into=into) is None
            note(game)
        still = self._projections.dead()
        for name, generation in into.items():
            games = [one.game for one in still if one.projection == name]
            self._projections.carry(name, generation, games)
            self._projections.switch(name, generation)
        return dead

    def one(self, game: str, names: Collection[Projection]) -> bool:
        """Rebuilds `names` of one game in place. Raises UnknownGame, Busy."""
        return self._projecting.apply(game, names, again=True) is not None


def games_of(store: LogStore) -> Iterator[str]:
    """Every game ever opened, the newest first; one opened meanwhile is for who projects it."""
    before: Opening | None = None
    while page := store.games(before, 500):
        for opening in page:
            yield opening.game
        before = page[-1]
