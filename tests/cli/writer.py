"""A process that owns the log's server and appends to it until it is killed.

    python -m tests.cli.writer DIRECTORY ACKNOWLEDGED ROUND

Each append is one batch of entries of its own name. A batch is written to the file of what was
acknowledged after the store said so, in one write: what is there survives the process.
"""

import os
import random
import sys
import threading
import time
from pathlib import Path

import msgspec
import redis

from events.errors import Busy, VersionConflict
from events.log.entry import Entry, canonical, entry_digest
from events.log.redis import RedisStore
from events.log.store import EMPTY, Head, LogStore
from service.cli.ops.embedded_valkey import EmbeddedServer

GAMES = ("g0", "g1", "g2", "g3")
LONGEST_BATCH = 5


class Batch(msgspec.Struct, frozen=True):
    game: str
    name: str
    first: int
    size: int


class Part(msgspec.Struct, frozen=True):
    """The public object of an entry: number `number` of the `size` entries of a batch."""

    batch: str
    number: int
    size: int


def batch_of(game: str, name: str, after: Head, size: int) -> list[Entry]:
    entries, previous = [], after.digest
    for number in range(size):
        public = canonical(Part(name, number, size))
        previous = entry_digest(game, previous, public)
        entries.append(Entry(after.version + number + 1, public, previous, b'{"/s":1}'))
    return entries


def end_of(store: LogStore, game: str) -> Head:
    log = store.read(game)
    return Head(log[-1].version, log[-1].digest) if log else EMPTY


def write(store: LogStore, game: str, turn: str, acknowledged: int) -> None:
    """Appends batches without a pause. One whose fate is unknown is left, and never counted."""
    rng, head, number = random.Random(f"{turn} {game}"), end_of(store, game), 0
    while True:
        number += 1
        name = f"{turn}.{game}.{number}"
        entries = batch_of(game, name, head, rng.randint(1, LONGEST_BATCH))
        try:
            store.append(game, head, entries, ("bot",), time.time_ns() // 1_000_000)
        except VersionConflict:
            head = end_of(store, game)
            continue
        batch = Batch(game, name, head.version + 1, len(entries))
        os.write(acknowledged, msgspec.json.encode(batch) + b"\n")
        head = Head(entries[-1].version, entries[-1].digest)


def write_until_the_server_is_gone(*arguments: object) -> None:
    try:
        write(*arguments)  # type: ignore[arg-type]
    except Busy:
        return


def main(directory: Path, acknowledged: Path, turn: str) -> None:
    file = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    with EmbeddedServer(directory) as server:
        print(server.pid, flush=True)
        store = RedisStore(redis.Redis.from_url(server.url))
        for game in GAMES:
            arguments = (store, game, turn, file)
            threading.Thread(
                target=write_until_the_server_is_gone, args=arguments, daemon=True
            ).start()
        threading.Event().wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
