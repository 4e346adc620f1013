"""The outbox: what appends left to do. One stream per partition, read by one group of consumers.

An entry is delivered to one consumer and stays pending until it is done. What a dead consumer had
taken is claimed by a living one, so an entry may come twice, never not at all.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
import redis
import structlog

from events.log.store import WORK, Due, Task
from events.redis.errors import first_words, translate_errors
from events.redis.keys import ALL_PARTITIONS, partition_of
from events.redis.xread import xread

GROUP = "dispatchers"
GROUP_GONE = ("NOGROUP", "UNBLOCKED")
"""First words of what a reader is told whose group or stream was deleted."""

CLAIM_ROUNDS = 100

_log = structlog.get_logger(__name__)


class OutboxEntry(msgspec.Struct, frozen=True):
    """A task with its place in an outbox. None where the entry is not one of ours."""

    outbox: str
    id: bytes
    task: Task | None


class Outbox:
    """All partitions' outboxes for one consumer. `client` must not decode. Raises Busy."""

    def __init__(self, client: redis.Redis, consumer: str) -> None:
        self._client: Any = client
        self._consumer = consumer

    def read(self, wait: int, count: int = 200) -> list[OutboxEntry]:
        """New entries, after at most `wait` milliseconds; at most `count` of a partition."""
        streams = {partition.outbox: ">" for partition in ALL_PARTITIONS}
        with translate_errors():
            try:
                found = xread(
                    self._client, streams, count=count, wait=wait, group=(GROUP, self._consumer)
                )
            except redis.ResponseError as error:
                self._make_groups(error)
                return []
        return [entry for outbox, found_there in found for entry in _entries(outbox, found_there)]

    def claim(self, idle: int) -> list[OutboxEntry]:
        """Letters that another consumer has held for `idle` milliseconds without a word."""
        claimed: list[OutboxEntry] = []
        for partition in ALL_PARTITIONS:
            start: Any = b"0-0"
            for _ in range(CLAIM_ROUNDS):
                with translate_errors():
                    try:
                        start, entries, *_ = self._client.xautoclaim(
                            partition.outbox, GROUP, self._consumer, idle, start, count=100
                        )
                    except redis.ResponseError as error:
                        self._make_groups(error)
                        break
                claimed += _entries(partition.outbox, entries)
                if start == b"0-0":
                    break
        return claimed

    def done(self, entries: Iterable[OutboxEntry]) -> None:
        by_outbox: dict[str, list[bytes]] = {}
        for entry in entries:
            by_outbox.setdefault(entry.outbox, []).append(entry.id)
        for outbox, ids in by_outbox.items():
            with translate_errors():
                self._client.xack(outbox, GROUP, *ids)

    def ask(self, game: str, version: int, due: tuple[Due, ...] = ("bot",)) -> None:
        """Asks for work on a game that has come to `version`, without appending to it."""
        fields = {"game": game, "first": version + 1, "last": version, "due": ",".join(due)}
        with translate_errors():
            self._client.xadd(partition_of(game).outbox, fields)

    def trim(self, before: int) -> None:
        """Deletes what every group has done with, if written before `before` (milliseconds)."""
        for partition in ALL_PARTITIONS:
            with translate_errors():
                if self._client.exists(partition.outbox):
                    first_kept = min([(before, 0), *self._still_needed(partition.outbox)])
                    kept = f"{first_kept[0]}-{first_kept[1]}"
                    self._client.xtrim(partition.outbox, minid=kept, approximate=False)

    def _still_needed(self, outbox: str) -> Iterable[tuple[int, int]]:
        for group in self._client.xinfo_groups(outbox):
            yield _id(group["last-delivered-id"])
            if (first := self._client.xpending(outbox, group["name"])["min"]) is not None:
                yield _id(first)

    def _make_groups(self, error: redis.ResponseError) -> None:
        """Makes the groups that are missing; raises `error` where it was not for want of one.

        Another reader may have made them meanwhile. They begin at the first entry there is: to do
        an entry's work again is harmless.
        """
        mended = first_words(error).startswith(GROUP_GONE)
        for partition in ALL_PARTITIONS:
            try:
                self._client.xgroup_create(partition.outbox, GROUP, id="0", mkstream=True)
                mended = True
            except redis.ResponseError as known:
                if not str(known).startswith("BUSYGROUP"):
                    raise
        if not mended:
            raise error


def _entries(outbox: str, found: Any) -> list[OutboxEntry]:
    return [OutboxEntry(outbox, id_, _task(outbox, id_, fields)) for id_, fields in found]


def _task(outbox: str, id_: bytes, fields: dict[bytes, bytes]) -> Task | None:
    try:
        named = fields[b"due"].decode().split(",")
        return Task(
            game=fields[b"game"].decode(),
            first=int(fields[b"first"]),
            last=int(fields[b"last"]),
            due=tuple(work for work in WORK if work in named),
        )
    except (KeyError, ValueError):
        _log.error("outbox-letter-unreadable", outbox=outbox, id=id_.decode())
        return None


def _id(stated: Any) -> tuple[int, int]:
    milliseconds, _, sequence = stated.decode().partition("-")
    return int(milliseconds), int(sequence)
