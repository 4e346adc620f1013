"""`python -m tests.golden.write` writes the golden games anew; see what has changed in the diff."""

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from events.cardsets import load
from tests.games.hamlet_play.golden import TINY
from tests.golden.files import HERE, names, write

if __name__ == "__main__":
    registry.replace(hamlet_play(load(TINY)))
    write()
    print(f"{len(names())} golden games in {HERE}")
