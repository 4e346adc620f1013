"""What the suites ask of each game, a folder for each: found by the names in the registry.

golden.py: GAMES, the recipes of its golden games (tests/golden), and VIEWS, ten to be read
tables.py: TABLES, played over HTTP (tests/cli), and SHORT, the options of a short game
leaks.py: PAIRS, games that differ in what is hidden (tests/service/test_leak_pairs.py)
draws.py: its events, decks and draws for the second checker (tests/independent)
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from domain.registry import RULESETS

HERE = Path(__file__).parent
NAMES = tuple(dict.fromkeys(ruleset.name for ruleset in RULESETS.values()))
PARTS = {
    "golden": "the recipes of its golden games (GAMES), and ten of their views (VIEWS)",
    "tables": "a table for every number of seats (TABLES), and options for a short game (SHORT)",
    "leaks": "a pair of games that differ in what is hidden, for every number of seats (PAIRS)",
    "draws": "its events, decks and draws, for the second checker (tests/independent/checker.py)",
}


def part(name: str, what: str) -> ModuleType:
    """A module of a game's folder. Raises LookupError, in a sentence that says what is missing."""
    if not (HERE / name / f"{what}.py").is_file():
        raise LookupError(f"The game {name} lacks tests/games/{name}/{what}.py: {PARTS[what]}.")
    return import_module(f"tests.games.{name}.{what}")


def parts(what: str) -> dict[str, ModuleType]:
    """That module of each game that has it; whether all have is a test's to say."""
    return {name: part(name, what) for name in NAMES if (HERE / name / f"{what}.py").is_file()}
