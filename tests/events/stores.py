"""The stores that the contract runs on, and what a test must see behind their backs."""

import hashlib

import pytest

from events.log.entry import Entry
from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.log.store import EMPTY, Due, Head, LogStore, Task
from events.redis.keys import partition_of

REDIS = [
    "fakeredis",
    *(pytest.param(name, marks=pytest.mark.processes) for name in ("valkey", "redis", "cluster")),
]
"""Everything that speaks Redis; `client_of` in conftest opens it."""

NOW = 1_700_000_000_000
GAME = "a-game"
NEIGHBOUR = next(
    name
    for name in (f"g{n}" for n in range(1000))
    if partition_of(name) == partition_of(GAME) and name != GAME
)
"""Another game whose indexes and outbox are the same keys."""


class Backend:
    """A store, and what a test must see behind its back."""

    def __init__(self, store: LogStore) -> None:
        self.store = store

    def tasks(self, game: str = GAME) -> list[Task]:
        """What the outbox was told, in order."""
        raise NotImplementedError

    def lose(self, game: str) -> None:
        """The stream is gone, as after an eviction."""
        raise NotImplementedError


class InMemory(Backend):
    store: MemoryStore

    def tasks(self, game: str = GAME) -> list[Task]:
        return [t for t in self.store.tasks if partition_of(t.game) == partition_of(game)]

    def lose(self, game: str) -> None:
        del self.store.logs[game]


class OnRedis(Backend):
    store: RedisStore

    def tasks(self, game: str = GAME) -> list[Task]:
        rows = self.store.client.xrange(partition_of(game).outbox)
        return [
            Task(
                row[b"game"].decode(),
                int(row[b"first"]),
                int(row[b"last"]),
                tuple(row[b"due"].decode().split(",")) if row[b"due"] else (),
            )
            for _, row in rows
        ]

    def lose(self, game: str) -> None:
        self.store.client.delete(partition_of(game).log(game))


def entries(first: int, last: int, mark: bytes = b"") -> list[Entry]:
    """Entries of any bytes: a store looks at versions and digests only."""
    return [
        Entry(
            version,
            b'{"public": %d, "of": "%b"}' % (version, mark),
            hashlib.sha256(b"%d %b" % (version, mark)).digest(),
            b'{"/secret": 1}' if version % 2 else b"",
        )
        for version in range(first, last + 1)
    ]


def head(appended: list[Entry]) -> Head:
    return Head(appended[-1].version, appended[-1].digest)


def opened(store: LogStore, game: str = GAME, at: int = NOW, due: tuple[Due, ...] = ()) -> Head:
    first = entries(1, 3)
    store.append(game, EMPTY, first, due, at)
    return head(first)
