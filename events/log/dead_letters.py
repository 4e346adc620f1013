"""Letters that nobody could do: taken out of their outbox, kept to be seen and sent again."""

from typing import Any

import msgspec
import redis

from events.log.outbox import GROUP, OutboxEntry
from events.redis.errors import translate_errors
from events.redis.keys import ALL_PARTITIONS, Partition


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """`fields` are the letter's own, as far as it was still there."""

    id: str
    partition: int
    fields: dict[str, str]
    deliveries: int
    reason: str

    @property
    def name(self) -> str:
        """What a person types to mean it."""
        return f"{self.partition:02d}/{self.id}"


class DeadLetters:
    """The dead letters of all partitions. `client` must not decode. Raises Busy."""

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client

    def mark_failed(self, entry: OutboxEntry, reason: str, after: int = 1) -> bool:
        """Takes an entry out if it has been delivered `after` times; else it will come again.

        Under its own id, so that to be interrupted and to do it again buries it once.
        """
        partition = next(p for p in ALL_PARTITIONS if p.outbox == entry.outbox)
        with translate_errors():
            pending = self._client.xpending_range(entry.outbox, GROUP, entry.id, entry.id, count=1)
            deliveries = int(pending[0]["times_delivered"]) if pending else after
            if deliveries < after:
                return False
            found = self._client.xrange(entry.outbox, entry.id, entry.id)
            dead = DeadLetter(
                id=entry.id.decode(),
                partition=partition.number,
                fields={_text(k): _text(v) for k, v in (found[0][1] if found else {}).items()},
                deliveries=deliveries,
                reason=reason,
            )
            self._client.hset(partition.dead, entry.id, msgspec.json.encode(dead))
            self._client.xack(entry.outbox, GROUP, entry.id)
        return True

    def all(self) -> list[DeadLetter]:
        """Partition by partition, the oldest first."""
        with translate_errors(), self._client.pipeline(transaction=False) as pipeline:
            for partition in ALL_PARTITIONS:
                pipeline.hvals(partition.dead)
            replies = pipeline.execute()
        found = [
            msgspec.json.decode(value, type=DeadLetter) for reply in replies for value in reply
        ]
        return sorted(found, key=lambda letter: (letter.partition, _place(letter)))

    def retry(self, letter: DeadLetter) -> None:
        """Sends it again as a new letter: twice if interrupted in between, which is harmless."""
        if letter.fields:
            with translate_errors():
                self._client.xadd(_partition(letter).outbox, dict(letter.fields))
        self.drop(letter)

    def drop(self, letter: DeadLetter) -> None:
        with translate_errors():
            self._client.hdel(_partition(letter).dead, letter.id)


def _partition(letter: DeadLetter) -> Partition:
    return ALL_PARTITIONS[letter.partition]


def _place(letter: DeadLetter) -> tuple[int, int]:
    milliseconds, _, sequence = letter.id.partition("-")
    return int(milliseconds), int(sequence)


def _text(value: bytes) -> str:
    return value.decode(errors="replace")
