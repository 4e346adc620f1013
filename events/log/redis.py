"""The log in Redis: one stream per game, appended to by one script. Nothing here ever trims one."""

import heapq
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import redis

from events.errors import LogBroken, LogMissing, VersionConflict
from events.log.entry import Entry, check_consecutive
from events.log.store import WORK, Due, Head, Opening, Unscored, Waiting, oldest_first
from events.redis.errors import translate_errors
from events.redis.keys import ALL_PARTITIONS, partition_of

SCORE = b"score:"

PAGE = 250
"""Entries that are asked for at a time: others have their turn between, here and at the server."""

_APPEND = files("events.log").joinpath("append.lua").read_text()
_CLEAR_DUE = files("events.log").joinpath("clear_due.lua").read_text()


class RedisStore:
    """A LogStore on a Redis or Valkey server or cluster. `client` must not decode responses."""

    def __init__(self, client: redis.Redis) -> None:
        self.client: Any = client
        self._append = client.register_script(_APPEND)
        self._settle = client.register_script(_CLEAR_DUE)

    def append(
        self, game: str, expected: Head, entries: Sequence[Entry], due: tuple[Due, ...], now: int
    ) -> None:
        check_consecutive(expected.version, entries)
        partition = partition_of(game)
        keys = [partition.log(game), partition.outbox, partition.games, partition.due]
        keys.append(partition.due_versions)
        args: list[Any] = [game, expected.version, expected.digest, now, ",".join(due)]
        args.append(len(entries))
        for entry in entries:
            args += [entry.public, entry.digest, entry.secrets]
        with translate_errors():
            try:
                said, version = self._append(keys=keys, args=args)
            except redis.ResponseError as error:
                self._explain(game, error)
                raise
        if said == b"missing":
            raise LogMissing(game)
        if said == b"broken":
            raise self._flaw(game)
        if said == b"conflict":
            raise VersionConflict(expected.version, int(version))

    def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        key, until = partition_of(game).log(game), "+" if last is None else f"{last}-0"
        with translate_errors():
            try:
                if first > 1 or last is not None:
                    found = self.client.xrange(key, f"{first}-0", until)
                    if last is None or len(found) > last - first:
                        return _entries(found, first)
                return self._read_to_the_end(key, first, last)
            except redis.ResponseError as error:
                if str(error).startswith("WRONGTYPE"):
                    raise LogBroken(first, "its key holds something else than a stream") from error
                raise

    def is_known(self, game: str) -> bool:
        return self.opened(game) is not None

    def opened(self, game: str) -> int | None:
        with translate_errors():
            at = self.client.zscore(partition_of(game).games, game)
        return None if at is None else int(at)

    def games(self, before: Opening | None = None, count: int = 50) -> list[Opening]:
        highest = "+inf" if before is None else f"({before.at}"
        with translate_errors(), self.client.pipeline(transaction=False) as pipeline:
            for partition in ALL_PARTITIONS:
                pipeline.zrevrangebyscore(
                    partition.games, highest, "-inf", start=0, num=count, withscores=True
                )
                if before is not None:
                    pipeline.zrangebyscore(partition.games, before.at, before.at, withscores=True)
            rows = [row for reply in pipeline.execute() for row in reply]
        found = sorted((Opening(int(at), name.decode()) for name, at in rows), reverse=True)
        return [opening for opening in found if before is None or opening < before][:count]

    def due(self, before: int) -> list[tuple[str, Waiting, int]]:
        with translate_errors(), self.client.pipeline(transaction=False) as pipeline:
            for partition in ALL_PARTITIONS:
                pipeline.zrangebyscore(partition.due, "-inf", f"({before}", withscores=True)
            rows = [row for reply in pipeline.execute() for row in reply]
        found: list[tuple[str, Waiting, int]] = []
        for name, at in rows:
            work, _, game = name.decode(errors="replace").partition(":")
            found.append((game, work if work in WORK else "other", int(at)))
        return sorted(found, key=oldest_first)

    def unscored(self, count: int) -> list[Unscored]:
        with translate_errors(), self.client.pipeline(transaction=False) as pipeline:
            for partition in ALL_PARTITIONS:
                pipeline.zrevrange(partition.due, 0, count - 1, withscores=True)
            rows = [row for reply in pipeline.execute() for row in reply]
        due = [(at, name) for name, at in rows if name.startswith(SCORE)]
        games = [name.removeprefix(SCORE).decode() for _, name in heapq.nlargest(count, due)]
        with translate_errors(), self.client.pipeline(transaction=False) as pipeline:
            for game in games:
                partition = partition_of(game)
                pipeline.zscore(partition.games, game)
                pipeline.hget(partition.due_versions, SCORE + game.encode())
            found = iter(pipeline.execute())
        return [
            Unscored(Opening(int(at), game), int(version))
            for game, at, version in zip(games, found, found, strict=True)
            if at is not None and version is not None
        ]

    def clear_due(self, game: str, work: Due, version: int) -> None:
        partition = partition_of(game)
        with translate_errors():
            self._settle(
                keys=[partition.due, partition.due_versions], args=[f"{work}:{game}", version]
            )

    def _read_to_the_end(self, key: str, first: int, last: int | None) -> list[Entry]:
        """Checks that all is there up to `last`, or to the last entry the stream ever had."""
        until = "+" if last is None else f"{last}-0"
        pipeline = self.client.pipeline(transaction=False)
        pipeline.xinfo_stream(key)  # before the entries: what is appended between is no flaw
        pipeline.xrange(key, f"{first}-0", until, count=PAGE)
        info, found = pipeline.execute(raise_on_error=False)
        if isinstance(found, Exception):
            raise found
        entries = _entries(found, first)
        while len(found) == PAGE:
            following = max(first, 1) + len(entries)
            found = self.client.xrange(key, f"{following}-0", until, count=PAGE)
            entries += _entries(found, following)
        if (
            isinstance(info, Exception) or info["length"] == 0
        ):  # LogMissing is for who asks is_known
            return entries
        ever, _, _ = info["last-generated-id"].partition(b"-")
        end = int(ever) if last is None else min(int(ever), last)
        if end >= first and (not entries or entries[-1].version < end):
            raise LogBroken(entries[-1].version + 1 if entries else first, "it is gone")
        return entries

    def _explain(self, game: str, error: redis.ResponseError) -> None:
        """Raises LogBroken where the script failed for the log's sake: before it wrote anything."""
        if "equal or smaller" in str(error):
            raise self._flaw(game) from error
        if "WRONGTYPE" in str(error):
            self.read(game)

    def _flaw(self, game: str) -> LogBroken:
        try:
            last = len(self.read(game))
        except LogBroken as flaw:
            return flaw
        return LogBroken(last + 1, "the stream does not end with its last entry")


def _entries(found: Any, first: int) -> list[Entry]:
    """What XRANGE found, as the entries from `first` on; LogBroken where they are not."""
    entries = []
    for version, (id_, fields) in enumerate(found, max(first, 1)):
        if id_ != b"%d-0" % version:
            raise LogBroken(version, f"the log goes on with {id_.decode()}")
        try:
            entries.append(Entry(version, fields[b"e"], fields[b"d"], fields.get(b"s", b"")))
        except KeyError as missing:
            raise LogBroken(version, f"it has no field {missing}") from None
    return entries
