"""Score lines, ranks and outcomes, as every game states them."""

from collections.abc import Sequence
from typing import Literal

import msgspec

Better = Literal["lower", "higher"]


class ScoreLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One reason for points of one seat in one deal, traced to its rule and, where it has them,
    to the trick, the card and the versions of the events behind it.

    A line of the total alone is none of the deal's own points: what holds a total at a limit.
    """

    deal: int
    seat: int
    points: int
    reason: str
    ruling: str
    trick: int | None = None
    card: str | None = None
    of_total: bool = False
    versions: tuple[int, ...] = ()


class Standings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Totals by seat with the rank of each; equal ones share a rank (1, 1, 3 …).

    `tie_break` is what parts equal totals in a game that has such a rule, better the same way:
    the points of the last deal alone.
    """

    better: Better
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    tie_break: tuple[int, ...] | None = None


Teams = tuple[tuple[int, ...], ...]
"""The seats of each team, each seat in one of them."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a game ended: who won (several share it), and the final standings.

    `teams` are those that won, in a game that is played in teams; `winners` are their seats. One
    team that won is a win of all its seats, several are a draw between them.
    """

    winners: tuple[int, ...]
    result: Literal["win", "draw"]
    standings: Standings
    teams: Teams | None = None


def standings(
    totals: Sequence[int], better: Better, tie_break: Sequence[int] | None = None
) -> Standings:
    sign = 1 if better == "lower" else -1
    second = tie_break if tie_break is not None else (0,) * len(totals)
    keys = [(sign * total, sign * other) for total, other in zip(totals, second, strict=True)]
    return Standings(
        better=better,
        totals=tuple(totals),
        ranks=tuple(1 + sum(other < own for other in keys) for own in keys),
        tie_break=None if tie_break is None else tuple(tie_break),
    )


def outcome(
    totals: Sequence[int],
    better: Better,
    tie_break: Sequence[int] | None = None,
    teams: Teams | None = None,
) -> Outcome:
    """The seats ranked first win; more than one of them is a draw between them.

    With `teams` that is said of teams; every seat of one has the total of its team.
    """
    final = standings(totals, better, tie_break)
    winners = tuple(seat for seat, rank in enumerate(final.ranks) if rank == 1)
    won = None if teams is None else tuple(team for team in teams if set(team) <= set(winners))
    sides = len(winners) if won is None else len(won)
    return Outcome(
        winners=winners, result="win" if sides == 1 else "draw", standings=final, teams=won
    )
