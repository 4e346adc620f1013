"""A figure: what was measured, against what, in the same run on the same machine."""

import statistics
import time
from collections.abc import Callable, Sequence

import msgspec

SLICES = 9

Spread = tuple[float, float]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """`ratio` is what counts; `value` and `reference` are in `unit`. `target` None: stated only.

    Half of the slices that it was measured in have a ratio within `spread`.
    """

    figure: int
    name: str
    value: float
    reference: float | None = None
    ratio: float | None = None
    spread: Spread | None = None
    target: float | None = None
    at_most: bool = False
    unit: str

    @property
    def reached(self) -> bool | None:
        """Whether the ratio is on the right side of the target; None where there is none."""
        if self.target is None or self.ratio is None:
            return None
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target


class InTurn(msgspec.Struct, frozen=True):
    """Medians of slices that were measured in turn; the ratio is that of each pair of slices."""

    value: float
    reference: float
    ratio: float
    spread: Spread


def in_turn(
    ours: Callable[[], float], reference: Callable[[], float], slices: int = SLICES
) -> InTurn:
    """Measures both in short slices, now the one first and now the other.

    What else the machine does falls on both alike, so the ratio stands where neither number does.
    """
    pairs: list[tuple[float, float]] = []
    for number in range(slices):
        if number % 2:
            second = reference()
            pairs.append((ours(), second))
        else:
            pairs.append((ours(), reference()))
    return compared(pairs)


def compared(pairs: Sequence[tuple[float, float]]) -> InTurn:
    """Of slices that were measured already, ours and the reference of each."""
    ratios = [own / other for own, other in pairs]
    lower, middle, upper = statistics.quantiles(ratios, n=4, method="inclusive")
    return InTurn(
        statistics.median(own for own, _ in pairs),
        statistics.median(other for _, other in pairs),
        middle,
        (lower, upper),
    )


def cpu_of(work: Callable[[], object]) -> float:
    """Seconds of this process's CPU."""
    start = time.process_time()
    work()
    return time.process_time() - start
