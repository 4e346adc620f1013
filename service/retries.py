"""How long somebody is told to wait before they come again.

All who are cut off or refused in the same moment are told different times: else all come back in
the same moment.
"""

import random
from collections.abc import Callable

LEAST, MOST = 1, 5
"""Seconds."""

_SYSTEM = random.SystemRandom()


class Retries:
    """`chance` gives numbers from 0 up to 1; it is no draw of a game."""

    def __init__(self, chance: Callable[[], float] = _SYSTEM.random) -> None:
        self._chance = chance

    def seconds(self, at_least: int = LEAST) -> int:
        """1 to 5, or `at_least` where that is more."""
        return max(at_least, LEAST + int(self._chance() * (MOST - LEAST + 1)))

    def milliseconds(self) -> int:
        """1,000 to 5,000."""
        return 1000 * LEAST + int(self._chance() * 1000 * (MOST - LEAST))

    def header(self, at_least: int = LEAST) -> dict[str, str]:
        return {"Retry-After": str(self.seconds(at_least))}
