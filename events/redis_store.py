"""The log in Redis: one stream per game, appended to by one script. Nothing here ever trims one."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import redis

from events.entry import Entry
from events.errors import LogMissing, VersionConflict
from events.keys import ALL_PARTITIONS, partition_of
from events.redis_errors import answered
from events.store import Due, Head, Opening, check_consecutive, oldest_first

_SCRIPT = files("events").joinpath("append.lua").read_text()


class RedisStore:
    """A LogStore on a Redis or Valkey server. `client` must not decode responses."""

    def __init__(self, client: redis.Redis) -> None:
        self.client: Any = client
        self._append = client.register_script(_SCRIPT)

    def append(
        self, game: str, expected: Head, entries: Sequence[Entry], due: tuple[Due, ...], now: int
    ) -> None:
        check_consecutive(expected, entries)
        partition = partition_of(game)
        keys = [partition.log(game), partition.outbox, partition.games, partition.due]
        args: list[Any] = [game, expected.version, expected.digest, now, ",".join(due)]
        args.append(len(entries))
        for entry in entries:
            args += [entry.public, entry.digest, entry.secrets]
        with answered():
            said, version = self._append(keys=keys, args=args)
        if said == b"missing":
            raise LogMissing(game)
        if said == b"conflict":
            raise VersionConflict(expected.version, int(version))

    def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        key = partition_of(game).log(game)
        with answered():
            found = self.client.xrange(key, f"{first}-0", "+" if last is None else f"{last}-0")
        return [
            Entry(int(id_.partition(b"-")[0]), fields[b"e"], fields[b"d"], fields.get(b"s", b""))
            for id_, fields in found
        ]

    def is_known(self, game: str) -> bool:
        with answered():
            return self.client.zscore(partition_of(game).games, game) is not None

    def games(self, before: Opening | None = None, count: int = 50) -> list[Opening]:
        highest = "+inf" if before is None else f"({before.at}"
        with answered(), self.client.pipeline(transaction=False) as pipeline:
            for partition in ALL_PARTITIONS:
                pipeline.zrevrangebyscore(
                    partition.games, highest, "-inf", start=0, num=count, withscores=True
                )
                if before is not None:
                    pipeline.zrangebyscore(partition.games, before.at, before.at, withscores=True)
            rows = [row for reply in pipeline.execute() for row in reply]
        found = sorted((Opening(int(at), name.decode()) for name, at in rows), reverse=True)
        return [opening for opening in found if before is None or opening < before][:count]

    def due(self, before: int) -> list[tuple[str, Due, int]]:
        with answered(), self.client.pipeline(transaction=False) as pipeline:
            for partition in ALL_PARTITIONS:
                pipeline.zrangebyscore(partition.due, "-inf", f"({before}", withscores=True)
            rows = [row for reply in pipeline.execute() for row in reply]
        found: list[tuple[str, Due, int]] = []
        for name, at in rows:
            work, _, game = name.decode().partition(":")
            found.append((game, work, int(at)))
        return sorted(found, key=oldest_first)

    def settle(self, game: str, work: Due) -> None:
        with answered():
            self.client.zrem(partition_of(game).due, f"{work}:{game}")
