"""Who follows a game is notified when its log grows.

One reader per process follows the outboxes of all partitions and notifies all subscribers of a
game. A notification is a hint: whoever gets it reads the log, and reads it too when none comes for
long.
"""

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis

from events.redis.errors import UNAVAILABLE
from events.redis.keys import ALL_PARTITIONS
from events.redis.xread import xread
from service.live.tail_cache import Tail

BLOCK_MS = 1000
PAUSE_SECONDS = 1.0
BATCH = 500


class Notifier:
    """Listeners by game, in one process; by itself it knows of commands handled here only."""

    def __init__(self) -> None:
        self._subscribers: defaultdict[str, set[threading.Event]] = defaultdict(set)
        self._tails: defaultdict[str, Tail] = defaultdict(Tail)
        self._lock = threading.Lock()
        self._closing = threading.Event()

    @property
    def closing(self) -> bool:
        """Whether the process is going down, so that streams end themselves."""
        return self._closing.is_set()

    @contextmanager
    def subscribe(self, game: str) -> Iterator[threading.Event]:
        """A news that is notified whenever entries of `game` may have come."""
        news = threading.Event()
        with self._lock:
            self._subscribers[game].add(news)
        try:
            yield news
        finally:
            with self._lock:
                subscribers = self._subscribers[game]
                subscribers.discard(news)
                if not subscribers:
                    del self._subscribers[game]
                    self._tails.pop(game, None)

    def tail(self, game: str) -> Tail:
        """What all listeners of a game read together, while there are any."""
        with self._lock:
            return self._tails[game] if game in self._subscribers else Tail()

    def notify(self, game: str) -> None:
        with self._lock:
            subscribers = tuple(self._subscribers.get(game, ()))
            if game in self._tails:
                self._tails[game].notified += 1
        for news in subscribers:
            news.set()

    def notify_all(self) -> None:
        with self._lock:
            games = tuple(self._subscribers)
        for game in games:
            self.notify(game)

    def close(self) -> None:
        self._closing.set()
        self.notify_all()


class RedisNotifier(Notifier):
    """Rings for what any process has appended. The reader starts with the first listener."""

    def __init__(self, client: redis.Redis) -> None:
        super().__init__()
        self._client: Any = client
        self._reader: threading.Thread | None = None

    @contextmanager
    def subscribe(self, game: str) -> Iterator[threading.Event]:
        with super().subscribe(game) as news:
            self._start()
            yield news

    def _start(self) -> None:
        with self._lock:
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="notifier", daemon=True)
                self._reader.start()

    def _read(self) -> None:
        """Follows the outboxes; after a lost connection all are notified, for what was missed."""
        last: dict[str, bytes] = {}
        while not self.closing:
            try:
                if not last:
                    last = self._ends()
                    self.notify_all()
                for game in self._news(last):
                    self.notify(game)
            except (redis.RedisError, *UNAVAILABLE):
                last = {}
                self._closing.wait(PAUSE_SECONDS)

    def _ends(self) -> dict[str, bytes]:
        """The last id of each outbox. `$` would lose what comes between two reads."""
        pipeline = self._client.pipeline(transaction=False)
        for partition in ALL_PARTITIONS:
            pipeline.xrevrange(partition.outbox, count=1)
        return {
            partition.outbox: found[0][0] if found else b"0-0"
            for partition, found in zip(ALL_PARTITIONS, pipeline.execute(), strict=True)
        }

    def _news(self, last: dict[str, bytes]) -> set[str]:
        games = set()
        for outbox, tasks in xread(self._client, last, count=BATCH, wait=BLOCK_MS):
            for _, task in tasks:
                games.add(task.get(b"game", b"").decode(errors="replace"))
            last[outbox] = tasks[-1][0]
        return games
