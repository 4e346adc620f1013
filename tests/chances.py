"""Deterministic chance for tests: the real chain, and a quick one where its bytes do not matter."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from domain.chance import Chain, ChainChance, Draw

T = TypeVar("T")


class TableChance:
    """Draw after draw of one chain, as the aggregate hands them to a ruleset."""

    def __init__(self, seed: int | str, script: Mapping[str, Any] | None = None) -> None:
        self.chain = Chain.derive(f"test-{seed}", str(seed).encode().rjust(32, b"."))
        self.script = script or {}
        self.drawn = 0

    def next(self) -> ChainChance:
        return ChainChance(self.chain, self.drawn + 1, (), lambda: self.script)

    def note(self, event: object) -> None:
        """An event that records a draw has used it up."""
        if getattr(event, "draw", None) is not None:
            self.drawn += 1


class QuickChance:
    """`random` in the shape of a Chance, for measurements and long comparisons."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.drawn = 0

    def next(self) -> "QuickChance":
        return self

    def note(self, event: object) -> None:
        if getattr(event, "draw", None) is not None:
            self.drawn += 1

    def shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[tuple[T, ...], Draw]:
        order = list(deck)
        self.random.shuffle(order)
        return tuple(order), self._draw(purpose)

    def pick(self, purpose: str, n: int) -> tuple[int, Draw]:
        return self.random.randrange(n), self._draw(purpose, link="00")

    def die(self, purpose: str) -> tuple[int, Draw]:
        return self.random.randint(1, 6), self._draw(purpose, link="00")

    def secret_shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[T, ...]:
        return self.shuffle(purpose, deck)[0]

    def _draw(self, purpose: str, link: str | None = None) -> Draw:
        return Draw(number=self.drawn + 1, purpose=purpose, link=link)
