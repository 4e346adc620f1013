"""Whoever owned the log's server is killed under load, again and again: nothing is lost.

ROUNDS=200 in the environment runs it for longer.
"""

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import msgspec
import pytest
import redis

from events.log.entry import check_follows
from events.log.redis import RedisStore
from events.log.store import EMPTY, Head
from events.redis.keys import partition_of
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.cli.writer import GAMES, Batch, Part

ROUNDS = int(os.environ.get("ROUNDS", "20"))
LONGEST_LIFE = 0.5
"""Seconds from a parent's first word until it is killed."""

pytestmark = pytest.mark.processes


@pytest.mark.timeout(60 + 5 * ROUNDS)
def test_nothing_acknowledged_is_lost_when_parent_or_server_is_killed(tmp_path: Path) -> None:
    directory, acknowledged = tmp_path / "log", tmp_path / "acknowledged"
    acknowledged.touch()
    rng = random.Random(os.environ.get("SEED", "20240229"))
    promised: list[Batch] = []
    found = {game: Found(game) for game in GAMES}
    for turn in range(ROUNDS):
        pid = killed(directory, acknowledged, turn, rng)
        with EmbeddedServer(directory) as server:
            assert pid is None or has_ended(pid), f"round {turn}: the old server is still there"
            store = RedisStore(redis.Redis.from_url(server.url))
            promised = batches(acknowledged)
            for game in GAMES:
                found[game].read_on(store)
            for batch in promised:
                place = found[batch.game].batches.get(batch.name)
                assert place == (batch.first, batch.size), f"round {turn}: {batch} is at {place}"
            told = Counter(task for game in GAMES for task in outbox_of(store, game))
            assert all(told[b.game, b.first, b.first + b.size - 1] == 1 for b in promised)
    with EmbeddedServer(directory) as server:
        store = RedisStore(redis.Redis.from_url(server.url))
        for game in GAMES:
            whole = Found(game)
            whole.read_on(store)
            assert (whole.head, whole.batches) == (found[game].head, found[game].batches)
    unknown = sum(len(one.batches) for one in found.values()) - len(promised)
    print(f"{ROUNDS} rounds, {len(promised)} acknowledged batches, {unknown} more found whole")
    assert len(promised) > 20 * ROUNDS


def killed(directory: Path, acknowledged: Path, turn: int, rng: random.Random) -> int | None:
    """A parent that was killed at some moment, and in every second round its server before it.

    The server's process id, where the parent lived to tell it.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "tests.cli.writer", directory, acknowledged, str(turn)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as parent:
        assert parent.stdout
        if turn % 5 == 4:  # before, while or just after it starts its server
            threading.Event().wait(rng.uniform(0.1, 1.0))
            parent.kill()
            return int(parent.stdout.readline() or 0) or None
        pid = int(parent.stdout.readline())
        threading.Event().wait(rng.uniform(0.02, LONGEST_LIFE))
        if turn % 2:
            os.kill(pid, signal.SIGKILL)
            threading.Event().wait(rng.choice([0.0, 0.02]))
        parent.kill()
        return pid


def has_ended(pid: int) -> bool:
    """A process that has ended may still wait for somebody to ask how."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False
    return state in "ZX"


def batches(acknowledged: Path) -> list[Batch]:
    return [
        msgspec.json.decode(line, type=Batch) for line in acknowledged.read_bytes().splitlines()
    ]


class Found:
    """What the log of a game has: first version and size of each batch."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.head = EMPTY
        self.batches: dict[str, tuple[int, int]] = {}

    def read_on(self, store: RedisStore) -> None:
        """Reads what is new: every batch is whole, there once, and chained to what was there."""
        game, (version, previous) = self.game, msgspec.structs.astuple(self.head)
        if version:
            [last] = store.read(game, version, version)
            assert last.digest == previous, f"{game} {version} is another entry than before"
        expected = Part("", 0, 0)
        for entry in store.read(game, version + 1):
            version += 1
            check_follows(entry, game, version, previous)
            previous = entry.digest
            part = msgspec.json.decode(entry.public, type=Part)
            if expected.number == expected.size:
                assert part.batch not in self.batches, f"{part.batch} is there twice"
                self.batches[part.batch] = (version, part.size)
                expected = Part(part.batch, 0, part.size)
            assert part == expected, f"{game} {version}: {expected} is not whole"
            expected = Part(part.batch, part.number + 1, part.size)
        assert expected.number == expected.size, f"{game}: {expected} is not whole"
        self.head = Head(version, previous)


def outbox_of(store: RedisStore, game: str) -> list[tuple[str, int, int]]:
    rows = store.client.xrange(partition_of(game).outbox)
    letters = [(row[b"game"].decode(), int(row[b"first"]), int(row[b"last"])) for _, row in rows]
    return [letter for letter in letters if letter[0] == game]
