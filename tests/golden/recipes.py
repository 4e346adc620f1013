"""Every golden game by its name."""

from collections.abc import Callable

from tests.golden import games, hamlet, hamlet_play, hearts_and_minds
from tests.golden.games import Table

GAMES: dict[str, Callable[[], Table]] = (
    games.GAMES | hamlet.GAMES | hearts_and_minds.GAMES | hamlet_play.GAMES
)
