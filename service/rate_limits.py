"""How often one may ask: moves, other commands and reads each for themselves, by player.

A request counts once, and more for what it costs beyond a few milliseconds: the entries that had to
be applied for it, the bytes it is answered with. What it costs is known after it is answered, and
counts against the next.

Counted in this process. Time is the monotonic clock's, so that a wall clock which is set back or
stands still locks nobody out.
"""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping

from flask import g, has_request_context, request

from service.problems.problem import Problem
from service.retries import Retries
from service.settings import Limit, parse_limit

KEYS_KEPT = 20_000
MOVE = "moves.make_move"

ENTRIES_A_HIT = 32
BYTES_A_HIT = 10_000
"""About half a millisecond of a processor each."""


def add_cost(hits: int) -> None:
    """Makes the request that is handled count for so many more, if there is one."""
    if hits and has_request_context():
        g.cost = g.get("cost", 0) + hits


class Rates:
    """Limits by name, each such as `200/second` or `off`. Raises ValueError on any other."""

    def __init__(
        self,
        limits: Mapping[str, str],
        clock: Callable[[], float] = time.monotonic,
        retries: Retries | None = None,
    ) -> None:
        self._limits = {name: parse_limit(text) for name, text in limits.items()}
        self._clock = clock
        self._retries = retries or Retries()
        self._hits: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check_request(self, player: str) -> None:
        """Counts the current request of a player with a token. Problem too-many-requests."""
        if request.method in {"GET", "HEAD"}:
            name = "reads"
        else:
            name = "moves" if request.endpoint == MOVE else "lobby"
        self._check_this(name, player)

    def check_open_read(self) -> None:
        """Counts the current request of somebody without a token. Problem too-many-requests."""
        self._check_this("open-reads", request.remote_addr or "")

    def _check_this(self, name: str, who: str) -> None:
        self.check(name, who)
        g.counted = name, who

    def charge_request(self) -> None:
        """Counts what the current request cost beyond one, where it was counted."""
        if "counted" in g:
            name, who = g.counted
            self.charge(name, who, g.cost)

    def charge(self, name: str, who: str, hits: int) -> None:
        """Counts so many more, but no more than are let in at a time."""
        if (limit := self._limits.get(name)) is not None:
            now = self._clock()
            with self._lock:
                known = self._hits_since(now - limit.seconds, name, who)
                known.extend([now] * min(hits, limit.amount))

    def check(self, name: str, who: str) -> None:
        """Counts one request. Problem too-many-requests, with the seconds until one is let in."""
        limit = self._limits.get(name)
        if limit is None:
            return
        now = self._clock()
        with self._lock:
            hits = self._hits_since(now - limit.seconds, name, who)
            if len(hits) < limit.amount:
                hits.append(now)
                return
            until = hits[len(hits) - limit.amount] + limit.seconds
        raise _too_many(name, limit, self._retries.seconds(math.ceil(until - now)))

    def _hits_since(self, start: float, name: str, who: str) -> deque[float]:
        """When one was let in after `start`. Whoever has not asked for longest is forgotten."""
        hits = self._hits.setdefault((name, who), deque())
        self._hits.move_to_end((name, who))
        if len(self._hits) > KEYS_KEPT:
            self._hits.popitem(last=False)
        while hits and hits[0] <= start:
            hits.popleft()
        return hits


def _too_many(name: str, limit: Limit, wait: int) -> Problem:
    return Problem(
        "too-many-requests",
        f"At most {limit.amount} {name} in {limit.seconds} s; wait {wait} s.",
        headers={"Retry-After": str(wait)},
        limit=name,
        retry_after=wait,
    )
