"""How often one may ask: moves, other commands and reads each for themselves, by player.

Counted in this process. Time is the monotonic clock's, so that a wall clock which is set back or
stands still locks nobody out.
"""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping

from flask import request
from limits import RateLimitItem, parse
from limits.storage import MovingWindowSupport, Storage
from limits.strategies import MovingWindowRateLimiter

from service.problems.problem import Problem

OFF = "off"
KEYS_KEPT = 20_000
MOVE = "moves.make_move"


class Rates:
    """Limits by name, each such as `200/second` or `off`. Raises ValueError on any other."""

    def __init__(
        self, limits: Mapping[str, str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._items = {name: parse(text) for name, text in limits.items() if text != OFF}
        self._clock = clock
        self._limiter = MovingWindowRateLimiter(Windows(clock))

    def check(self, name: str, who: str) -> None:
        """Counts one request. Problem too-many-requests, with the seconds until one is let in."""
        item = self._items.get(name)
        if item is None or self._limiter.hit(item, name, who):
            return
        raise _too_many(name, item, self._limiter.get_window_stats(item, name, who)[0], self._clock)


class Windows(Storage, MovingWindowSupport):
    """The times of the last hits of each key, in memory; those of who came least recently go."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._hits: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        now = self._clock()
        with self._lock:
            hits = self._hits.setdefault(key, deque())
            self._hits.move_to_end(key)
            if len(self._hits) > KEYS_KEPT:
                self._hits.popitem(last=False)
            while hits and hits[0] <= now - expiry:
                hits.popleft()
            if len(hits) + amount > limit:
                return False
            hits.extend([now] * amount)
            return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:  # noqa: ARG002
        """When the oldest hit was that still counts, and how many do."""
        with self._lock:
            hits = self._hits.get(key)
            return (hits[0], len(hits)) if hits else (self._clock(), 0)

    # The moving window needs nothing of what follows.

    base_exceptions = ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        raise NotImplementedError

    def get(self, key: str) -> int:
        raise NotImplementedError

    def get_expiry(self, key: str) -> float:
        raise NotImplementedError

    def check(self) -> bool:
        raise NotImplementedError

    def reset(self) -> int | None:
        raise NotImplementedError

    def clear(self, key: str) -> None:
        raise NotImplementedError


def kind_of_request() -> str:
    """Which limit a request with a token counts against."""
    if request.method in {"GET", "HEAD"}:
        return "reads"
    return "moves" if request.endpoint == MOVE else "lobby"


def _too_many(name: str, item: RateLimitItem, until: float, clock: Callable[[], float]) -> Problem:
    seconds = max(1, math.ceil(until - clock()))
    return Problem(
        "too-many-requests",
        f"At most {item.amount} {name} in {item.get_expiry()} s; wait {seconds} s.",
        headers={"Retry-After": str(seconds)},
        limit=name,
        retry_after=seconds,
    )
