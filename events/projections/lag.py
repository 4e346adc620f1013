"""How far behind the work on games is: what /metrics and `elsinore status` show."""

import msgspec

from events.log.store import LogStore, Waiting
from events.projections.store import Health, ProjectionStore

ALL = 2**53


class Lag(msgspec.Struct, frozen=True, kw_only=True):
    """How many games wait for each work, and for how long the oldest has, in milliseconds.

    A game whose projection stands still is counted as dead, not as waiting.
    """

    waiting: dict[Waiting, int]
    oldest: dict[Waiting, int]
    health: Health


def lag(store: LogStore, projections: ProjectionStore, now: int) -> Lag:
    """`now` is in milliseconds since the epoch. Raises Busy."""
    waiting: dict[Waiting, int] = {"bot": 0, "score": 0, "other": 0}
    oldest: dict[Waiting, int] = {"bot": 0, "score": 0, "other": 0}
    dead = {one.game for one in projections.dead()}
    for game, work, since in store.due(ALL):
        if work == "score" and game in dead:
            continue
        waiting[work] += 1
        oldest[work] = max(oldest[work], now - since)
    return Lag(waiting=waiting, oldest=oldest, health=projections.health())
