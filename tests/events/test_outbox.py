"""The outbox on every back end: each letter is delivered, and done once somebody says so."""

import threading
import time
from typing import Any

import pytest
import redis

from events.log.outbox import GROUP, Outbox, OutboxEntry
from events.log.redis import RedisStore
from events.log.store import Task
from events.redis.keys import ALL_PARTITIONS, partition_of
from tests.events.stores import GAME, NEIGHBOUR, NOW, entries, opened

GAMES = [f"g{n}" for n in range(40)]


@pytest.fixture
def outbox(any_redis: redis.Redis) -> Outbox:
    return ready(any_redis, "a")


def ready(client: redis.Redis, consumer: str) -> Outbox:
    outbox = Outbox(client, consumer)
    outbox.read(1)  # makes the groups
    return outbox


def tasks(letters: list[OutboxEntry]) -> set[Task]:
    return {letter.task for letter in letters if letter.task}


def test_what_was_appended_before_the_first_reader_is_delivered(on_redis: RedisStore) -> None:
    for game in GAMES:
        opened(on_redis, game, due=("bot",))
    assert tasks(ready(on_redis.client, "a").read(1)) == {Task(g, 1, 3, ("bot",)) for g in GAMES}


def test_a_letter_is_delivered_once_and_in_order(on_redis: RedisStore) -> None:
    one, other = ready(on_redis.client, "a"), ready(on_redis.client, "b")
    expected = opened(on_redis)
    on_redis.append(GAME, expected, entries(4, 4), ("bot", "score"), NOW)
    on_redis.append(NEIGHBOUR, *first_of_neighbour())
    assert [letter.task for letter in one.read(1)] == [
        Task(GAME, 1, 3, ()),
        Task(GAME, 4, 4, ("bot", "score")),
        Task(NEIGHBOUR, 1, 2, ()),
    ]
    assert one.read(1) == other.read(1) == []


def first_of_neighbour() -> Any:
    from events.log.store import EMPTY

    return EMPTY, entries(1, 2), (), NOW


def test_a_reader_that_waits_is_woken_by_a_letter(any_redis: redis.Redis, outbox: Outbox) -> None:
    found: list[OutboxEntry] = []
    reader = threading.Thread(target=lambda: found.extend(outbox.read(20_000)))
    started = time.monotonic()
    reader.start()
    Outbox(any_redis, "asking").ask(GAME, 7, ("score",))
    reader.join()
    assert time.monotonic() - started < 10
    assert tasks(found) == {Task(GAME, 8, 7, ("score",))}


def test_a_reader_waits_no_longer_than_it_was_told(outbox: Outbox) -> None:
    started = time.monotonic()
    assert outbox.read(100) == []
    assert 0.09 <= time.monotonic() - started < 5


def test_at_most_so_many_letters_of_a_partition(on_redis: RedisStore, outbox: Outbox) -> None:
    for _ in range(5):
        outbox.ask(GAME, 3)
    outbox.ask(next(g for g in GAMES if partition_of(g) != partition_of(GAME)), 3)
    assert len(outbox.read(1, count=2)) == 3
    assert len(outbox.read(1, count=2)) == 2
    assert len(outbox.read(1, count=2)) == 1


def test_what_a_dead_reader_has_taken_is_claimed_and_then_done(
    any_redis: redis.Redis, outbox: Outbox
) -> None:
    for game in GAMES:
        outbox.ask(game, 3)
    taken = outbox.read(1)
    other = ready(any_redis, "b")
    assert other.claim(60_000) == []
    claimed = other.claim(0)
    assert tasks(claimed) == tasks(taken)
    assert len(claimed) == len(GAMES)
    other.done(claimed)
    assert outbox.claim(0) == []


def test_groups_that_were_destroyed_are_made_again_and_miss_nothing(
    any_redis: Any, outbox: Outbox
) -> None:
    outbox.ask(GAME, 3)
    for partition in ALL_PARTITIONS:
        any_redis.xgroup_destroy(partition.outbox, GROUP)
    assert outbox.claim(0) == []
    assert tasks(outbox.read(1)) == {Task(GAME, 4, 3, ("bot",))}
    any_redis.delete(partition_of(GAME).outbox)
    outbox.read(1)
    outbox.ask(GAME, 4)
    assert tasks(outbox.read(1)) == {Task(GAME, 5, 4, ("bot",))}


def test_only_what_is_done_and_old_is_trimmed(any_redis: Any, outbox: Outbox) -> None:
    key = partition_of(GAME).outbox
    for _ in range(3):
        outbox.ask(GAME, 3)
    future = 2**53
    outbox.trim(future)
    assert any_redis.xlen(key) == 3
    first, *rest = outbox.read(1)
    outbox.done([first])
    outbox.trim(0)
    assert any_redis.xlen(key) == 3
    outbox.trim(future)
    assert any_redis.xlen(key) == 2
    outbox.done(rest)
    outbox.trim(future)
    assert any_redis.xlen(key) <= 1


def test_a_letter_that_is_not_ours_is_delivered_without_a_task(
    any_redis: Any, outbox: Outbox
) -> None:
    any_redis.xadd(partition_of(GAME).outbox, {"game": GAME, "first": "one"})
    letters = outbox.read(1)
    assert [letter.task for letter in letters] == [None]
    outbox.done(letters)
    assert outbox.claim(0) == []


def test_groups_that_another_has_made_meanwhile_are_read_on(
    any_redis: redis.Redis, outbox: Outbox
) -> None:
    """Both were told that the groups are gone; this one comes second."""
    gone = redis.ResponseError("NOGROUP No such key or consumer group")
    outbox._make_groups(gone)
    assert outbox.read(1) == []
    with pytest.raises(redis.ResponseError, match="of another kind"):
        outbox._make_groups(redis.ResponseError("ERR of another kind"))
