"""`python -m tests.golden.write` writes the golden games anew; see what has changed in the diff.

`python -m tests.golden.write hearts-default 12 1` prints a view instead: of a game, at a version,
as seat 1, `spectator` or `opener` sees it.
"""

import sys

from domain import registry
from domain.rulesets.hamlet_play import hamlet_play
from events.cardsets import load
from tests.games.hamlet_play.golden import TINY
from tests.golden import files, views

if __name__ == "__main__":
    registry.replace(hamlet_play(load(TINY)))
    if sys.argv[1:]:
        name, version, viewer = sys.argv[1:]
        print(views.pretty(views.view(name, int(version), viewer)), end="")
    else:
        files.write()
        views.write()
        print(f"{len(files.names())} golden games in {files.HERE}")
