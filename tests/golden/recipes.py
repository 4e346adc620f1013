"""Every golden game by its name, from the folders of all games."""

from collections.abc import Callable

from tests.games.parts import parts
from tests.golden.games import Table

GAMES: dict[str, Callable[[], Table]] = {
    name: recipe for found in parts("golden").values() for name, recipe in found.GAMES.items()
}
