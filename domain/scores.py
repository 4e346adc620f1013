"""Score lines, ranks and outcomes, as every game states them."""

from collections.abc import Sequence
from typing import Literal

import msgspec

Better = Literal["lower", "higher"]


class ScoreLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One reason for points of one seat in one deal, traced to its rule and, where it has them,
    to the trick, the card and the versions of the events behind it."""

    deal: int
    seat: int
    points: int
    reason: str
    ruling: str
    trick: int | None = None
    card: str | None = None
    versions: tuple[int, ...] = ()


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """Totals by seat with the rank of each; equal totals share a rank (1, 1, 3 …)."""

    better: Better
    totals: tuple[int, ...]
    ranks: tuple[int, ...]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended: who won (several share it), and the final standings."""

    winners: tuple[int, ...]
    result: Literal["win", "draw"]
    standings: Standings


def standings(totals: Sequence[int], better: Better) -> Standings:
    sign = 1 if better == "lower" else -1
    ranks = tuple(1 + sum(sign * other < sign * own for other in totals) for own in totals)
    return Standings(better=better, totals=tuple(totals), ranks=ranks)


def outcome(totals: Sequence[int], better: Better) -> Outcome:
    """The seats ranked first win; more than one of them is a draw between them."""
    final = standings(totals, better)
    winners = tuple(seat for seat, rank in enumerate(final.ranks) if rank == 1)
    return Outcome(winners=winners, result="win" if len(winners) == 1 else "draw", standings=final)
