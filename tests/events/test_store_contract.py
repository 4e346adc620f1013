"""What every log store owes the command handler: one contract on every back end."""

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from events.errors import Busy, LogBroken, LogMissing, UnknownGame, VersionConflict
from events.log.entry import Entry
from events.log.loader import Loader
from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.log.store import EMPTY, Due, Head, LogStore, Opening, Task, Unscored
from events.redis.keys import partition_of
from tests.events.stores import (
    GAME,
    NEIGHBOUR,
    NOW,
    Backend,
    InMemory,
    entries,
    head,
    opened,
)

DUES: tuple[tuple[Due, ...], ...] = ((), ("bot",), ("score",), ("bot", "score"))
WORK: tuple[Due, ...] = ("bot", "score")


# --- append and read


def test_what_was_appended_is_read_back_in_order(store: LogStore) -> None:
    opened(store)
    store.append(GAME, head(entries(3, 3)), entries(4, 5), (), NOW)
    assert store.read(GAME) == entries(1, 5)


def test_a_range_includes_both_of_its_ends(store: LogStore) -> None:
    opened(store)
    assert store.read(GAME, 2) == entries(2, 3)
    assert store.read(GAME, 1, 2) == entries(1, 2)
    assert store.read(GAME, 2, 2) == entries(2, 2)


def test_beyond_either_end_there_is_nothing(store: LogStore) -> None:
    opened(store)
    assert store.read(GAME, 4) == []
    assert store.read(GAME, 3, 9) == entries(3, 3)
    assert store.read(GAME, 1, 0) == []
    assert store.read("another") == []


@pytest.mark.parametrize("length", [499, 500, 501, 1000, 1234])
def test_a_long_log_comes_back_whole(store: LogStore, length: int) -> None:
    written = entries(1, length)
    store.append(GAME, EMPTY, written, (), NOW)
    assert store.read(GAME) == written
    assert store.read(GAME, last=length + 5) == written


@pytest.mark.parametrize("gone", [1, 500, 501, 900, 1100])
def test_what_is_gone_from_a_long_log_is_named(on_redis: RedisStore, gone: int) -> None:
    on_redis.append(GAME, EMPTY, entries(1, 1100), (), NOW)
    on_redis.client.xdel(partition_of(GAME).log(GAME), f"{gone}-0")
    with pytest.raises(LogBroken) as broken:
        on_redis.read(GAME)
    assert broken.value.version == gone


def test_every_byte_comes_back_as_it_was(store: LogStore) -> None:
    every = bytes(range(256))
    first = [Entry(1, every, every[:32], every), Entry(2, every[::-1], every[224:], b"")]
    store.append(GAME, EMPTY, first, (), NOW)
    assert store.read(GAME) == first
    second = Entry(3, b"\x00", b"\r\n" * 16, b"\x00")
    store.append(GAME, head(first), [second], (), NOW)
    assert store.read(GAME, 3) == [second]


@pytest.mark.parametrize("start", range(0, 256, 32))
def test_a_digest_is_compared_byte_for_byte(store: LogStore, start: int) -> None:
    digest = bytes(range(start, start + 32))
    store.append(GAME, EMPTY, [Entry(1, b"{}", digest)], (), NOW)
    for place in range(32):
        other = bytes([*digest[:place], digest[place] ^ 0x80, *digest[place + 1 :]])
        with pytest.raises(VersionConflict):
            store.append(GAME, Head(1, other), entries(2, 2), (), NOW)
    for cut in (b"", digest[:-1], digest + b"\x00"):
        with pytest.raises(VersionConflict):
            store.append(GAME, Head(1, cut), entries(2, 2), (), NOW)
    store.append(GAME, Head(1, digest), entries(2, 2), (), NOW)


def test_games_do_not_touch_each_other(store: LogStore) -> None:
    opened(store)
    store.append(NEIGHBOUR, EMPTY, entries(1, 2, b"n"), (), NOW)
    assert store.read(GAME) == entries(1, 3)
    assert store.read(NEIGHBOUR) == entries(1, 2, b"n")


# --- compare and set


def test_a_log_that_has_moved_on_is_a_conflict_with_both_versions(store: LogStore) -> None:
    opened(store)
    with pytest.raises(VersionConflict) as conflict:
        store.append(GAME, head(entries(2, 2)), entries(3, 4), (), NOW)
    assert (conflict.value.expected, conflict.value.actual) == (2, 3)
    assert store.read(GAME) == entries(1, 3)


def test_a_log_that_is_not_there_yet_is_a_conflict(store: LogStore) -> None:
    with pytest.raises(VersionConflict) as conflict:
        store.append(GAME, head(entries(1, 3)), entries(4, 4), (), NOW)
    assert (conflict.value.expected, conflict.value.actual) == (3, 0)
    assert not store.is_known(GAME)


def test_a_game_is_opened_once(store: LogStore) -> None:
    opened(store)
    with pytest.raises(VersionConflict):
        store.append(GAME, EMPTY, entries(1, 1, b"other"), (), NOW)
    assert store.read(GAME) == entries(1, 3)


def test_the_right_version_with_another_digest_is_a_conflict(store: LogStore) -> None:
    opened(store)
    with pytest.raises(VersionConflict):
        store.append(GAME, head(entries(3, 3, b"forged")), entries(4, 4), (), NOW)
    assert store.read(GAME) == entries(1, 3)


def test_a_refused_append_changes_nothing_at_all(backend: Backend) -> None:
    store = backend.store
    opened(store, due=("bot",))
    before = backend.tasks(), store.due(NOW + 9), store.games()
    for expected in (EMPTY, Head(3, b"other"), head(entries(2, 2))):
        with pytest.raises(VersionConflict):
            store.append(GAME, expected, entries(expected.version + 1, 9), ("score",), NOW + 1)
    assert store.read(GAME) == entries(1, 3)
    assert (backend.tasks(), store.due(NOW + 9), store.games()) == before


@pytest.mark.parametrize("gap", [[], [5], [4, 6], [4, 4], [5, 4], [3, 4]])
def test_a_gap_is_refused(backend: Backend, gap: list[int]) -> None:
    expected = opened(backend.store)
    told = backend.tasks()
    with pytest.raises(ValueError, match="do not follow version 3"):
        backend.store.append(GAME, expected, [entries(v, v)[0] for v in gap], (), NOW)
    assert backend.store.read(GAME) == entries(1, 3)
    assert backend.tasks() == told


def test_c12_of_two_writers_of_one_version_one_wins(backend: Backend) -> None:
    expected = opened(backend.store)
    start = threading.Barrier(8)
    won: list[bytes] = []
    lost: list[VersionConflict] = []

    def write(mark: bytes) -> None:
        start.wait()
        try:
            backend.store.append(GAME, expected, entries(4, 6, mark), (), NOW)
            won.append(mark)
        except VersionConflict as conflict:
            lost.append(conflict)

    writers = [threading.Thread(target=write, args=(b"w%d" % n,)) for n in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(won) == 1
    assert [conflict.actual for conflict in lost] == [6] * 7
    assert backend.store.read(GAME) == entries(1, 3) + entries(4, 6, won[0])
    assert len(backend.tasks()) == 2


# --- a log that is gone


def test_c09_a_known_game_without_its_stream_is_missing_and_never_empty(backend: Backend) -> None:
    store = backend.store
    after = opened(store)
    backend.lose(GAME)
    assert store.is_known(GAME)
    assert store.read(GAME) == []
    for expected, appended in ((EMPTY, entries(1, 1)), (after, entries(4, 4))):
        with pytest.raises(LogMissing):
            store.append(GAME, expected, appended, (), NOW)
    with pytest.raises(LogMissing):
        Loader(store).current(GAME)
    assert store.read(GAME) == []


def test_a_game_that_was_never_opened_is_unknown(store: LogStore) -> None:
    assert not store.is_known(GAME)
    with pytest.raises(UnknownGame):
        Loader(store).current(GAME)


# --- outbox


def test_each_append_tells_the_outbox_once(backend: Backend) -> None:
    store = backend.store
    opened(store)
    store.append(GAME, head(entries(3, 3)), entries(4, 4), ("bot",), NOW)
    store.append(NEIGHBOUR, EMPTY, entries(1, 2), (), NOW)
    store.append(GAME, head(entries(4, 4)), entries(5, 8), ("bot", "score"), NOW)
    assert backend.tasks() == [
        Task(GAME, 1, 3, ()),
        Task(GAME, 4, 4, ("bot",)),
        Task(NEIGHBOUR, 1, 2, ()),
        Task(GAME, 5, 8, ("bot", "score")),
    ]


# --- the index of games


def pages(store: LogStore, size: int) -> list[Opening]:
    found: list[Opening] = []
    while page := store.games(found[-1] if found else None, size):
        assert len(page) <= size
        found += page
    return found


def test_games_are_listed_newest_first(store: LogStore) -> None:
    for n in range(5):
        opened(store, f"g{n}", at=NOW + n)
    assert store.games() == [Opening(NOW + n, f"g{n}") for n in reversed(range(5))]
    assert store.games(count=2) == [Opening(NOW + 4, "g4"), Opening(NOW + 3, "g3")]


def test_later_appends_do_not_move_a_game_in_the_list(store: LogStore) -> None:
    expected = opened(store)
    store.append(GAME, expected, entries(4, 4), (), NOW + 500)
    assert store.games() == [Opening(NOW, GAME)]


@pytest.mark.parametrize("size", [1, 3, 50])
def test_pages_hold_every_game_once_though_many_opened_in_one_millisecond(
    store: LogStore, size: int
) -> None:
    openings = [Opening(NOW + n // 40, f"g{n:03d}") for n in range(90)]
    for opening in openings:
        opened(store, opening.game, opening.at)
    assert pages(store, size) == sorted(openings, reverse=True)


def test_a_page_after_the_oldest_is_empty(store: LogStore) -> None:
    opened(store)
    assert store.games(Opening(NOW, GAME)) == []
    assert store.games(Opening(NOW - 1, "zzz")) == []


# --- what is due


def test_due_work_keeps_the_time_since_when(store: LogStore) -> None:
    expected = opened(store, due=("bot",))
    store.append(GAME, expected, entries(4, 4), ("bot", "score"), NOW + 10)
    assert store.due(NOW + 100) == [(GAME, "bot", NOW), (GAME, "score", NOW + 10)]


def test_only_what_is_due_since_before_is_listed_and_the_oldest_first(store: LogStore) -> None:
    opened(store, "late", NOW + 2, ("bot",))
    opened(store, "early", NOW, ("score",))
    opened(store, "both", NOW + 1, ("bot", "score"))
    assert store.due(NOW) == []
    assert store.due(NOW + 2) == [
        ("early", "score", NOW),
        ("both", "bot", NOW + 1),
        ("both", "score", NOW + 1),
    ]


def test_a_bot_is_due_until_an_append_says_otherwise(store: LogStore) -> None:
    expected = opened(store, due=("bot",))
    store.append(GAME, expected, entries(4, 4), (), NOW + 10)
    assert store.due(NOW + 100) == []
    store.append(GAME, head(entries(4, 4)), entries(5, 5), ("bot",), NOW + 20)
    assert store.due(NOW + 100) == [(GAME, "bot", NOW + 20)]


def test_a_scoresheet_is_due_until_it_is_settled(store: LogStore) -> None:
    expected = opened(store, due=("score",))
    store.append(GAME, expected, entries(4, 4), (), NOW + 10)
    assert store.due(NOW + 100) == [(GAME, "score", NOW)]
    store.clear_due(GAME, "score", 3)
    assert store.due(NOW + 100) == []
    store.clear_due(GAME, "score", 3)
    store.append(GAME, head(entries(4, 4)), entries(5, 5), ("score",), NOW + 20)
    assert store.due(NOW + 100) == [(GAME, "score", NOW + 20)]


def test_what_is_due_again_since_the_log_was_read_is_not_settled(store: LogStore) -> None:
    expected = opened(store, due=("score",))
    store.append(GAME, expected, entries(4, 6), ("score",), NOW + 10)
    store.clear_due(GAME, "score", 3)
    store.clear_due(GAME, "score", 5)
    assert store.due(NOW + 100) == [(GAME, "score", NOW)]
    store.append(GAME, head(entries(6, 6)), entries(7, 7), (), NOW + 20)
    store.clear_due(GAME, "score", 6)
    assert store.due(NOW + 100) == []


def test_games_to_be_scored_are_listed_by_who_became_so_last(store: LogStore) -> None:
    opened(store, "early", NOW, ("score",))
    expected = opened(store, "late", NOW + 5, ("bot", "score"))
    opened(store, "bots", NOW + 9, ("bot",))
    store.append("late", expected, entries(4, 6), ("score",), NOW + 20)
    late, early = Unscored(Opening(NOW + 5, "late"), 6), Unscored(Opening(NOW, "early"), 3)
    assert store.unscored(9) == [late, early]
    assert store.unscored(1) == [late]
    store.clear_due("late", "score", 3)
    assert store.unscored(9) == [late, early]
    store.clear_due("late", "score", 6)
    assert store.unscored(9) == [early]


def test_settling_strikes_off_one_kind_of_work_of_one_game(store: LogStore) -> None:
    store.clear_due("never-opened", "bot", 9)
    opened(store, due=("bot", "score"))
    opened(store, NEIGHBOUR, due=("bot", "score"))
    store.clear_due(GAME, "bot", 3)
    store.clear_due(NEIGHBOUR, "score", 9)
    assert store.due(NOW + 100) == [(GAME, "score", NOW), (NEIGHBOUR, "bot", NOW)]


def test_a_turn_no_longer_due_leaves_nothing_that_keeps_the_next_from_being_settled(
    store: LogStore,
) -> None:
    expected = opened(store, due=("bot",))
    store.append(GAME, expected, entries(4, 4), (), NOW + 10)
    store.append(GAME, head(entries(4, 4)), entries(5, 5), ("bot",), NOW + 20)
    store.clear_due(GAME, "bot", 4)
    assert store.due(NOW + 100) == [(GAME, "bot", NOW + 20)]
    store.clear_due(GAME, "bot", 5)
    assert store.due(NOW + 100) == []


@pytest.mark.parametrize("attempt", range(5))
def test_a_deal_scored_while_another_is_settled_stays_due(store: LogStore, attempt: int) -> None:
    """The worker has read version 3; the append of version 4 and its settling race."""
    expected = opened(store, due=("score",))
    start = threading.Barrier(2)

    def settle() -> None:
        start.wait()
        store.clear_due(GAME, "score", 3)

    worker = threading.Thread(target=settle)
    worker.start()
    start.wait()
    store.append(GAME, expected, entries(4, 4), ("score",), NOW + 10)
    worker.join()
    assert [(game, work) for game, work, _ in store.due(NOW + 100)] == [(GAME, "score")]


# --- one contract, one result


def transcript(backend: Backend, seed: int) -> list[object]:
    """What a store answers to 200 operations by chance, right and wrong ones."""
    store, rng = backend.store, random.Random(seed)
    games = [GAME, NEIGHBOUR, "third"]
    said: list[object] = []
    for now in range(NOW, NOW + 200):
        game = rng.choice(games)
        log = store.read(game)
        known = rng.choice(
            [head(log) if log else EMPTY, EMPTY, Head(len(log), b"other"), Head(2, b"")]
        )
        last = known.version + rng.randint(0, 3)
        due = rng.choice(DUES)
        match rng.randrange(5):
            case 0:
                store.clear_due(game, rng.choice(WORK), rng.randint(0, len(log) + 1))
            case 1:
                after = rng.choice([None, *store.games()])
                said.append(store.games(after, rng.randint(1, 3)))
            case 2:
                said += [store.read(game, rng.randint(1, 9), rng.randint(0, 9)), store.due(now - 9)]
                said.append(store.unscored(99))
            case _:
                try:
                    store.append(game, known, entries(known.version + 1, last), due, now)
                except (VersionConflict, ValueError) as error:
                    said.append(str(error))
    return [*said, backend.tasks(), *map(store.read, games), store.games(), store.due(now)]


@pytest.mark.parametrize("seed", range(5))
def test_c14_every_back_end_answers_alike(backend: Backend, seed: int) -> None:
    assert transcript(backend, seed) == transcript(InMemory(MemoryStore()), seed)


# --- Redis alone


def test_c11_a_game_log_is_as_long_as_its_version(on_redis: RedisStore) -> None:
    expected, key = EMPTY, partition_of(GAME).log(GAME)
    for first in range(1, 5001, 100):
        batch = entries(first, first + 99)
        on_redis.append(GAME, expected, batch, (), NOW)
        expected = head(batch)
    assert on_redis.client.xlen(key) == 5000
    assert on_redis.client.xinfo_stream(key)["last-generated-id"] == b"5000-0"


@pytest.mark.parametrize("word", ["MAXLEN", "MINID", "XTRIM", "XDEL"])
def test_c11_nothing_in_the_store_trims(word: str) -> None:
    folder = Path(__file__).parents[2] / "events" / "log"
    sources = (folder / "redis.py", *folder.glob("*.lua"))
    assert len(sources) == 3
    for source in sources:
        assert word.lower() not in source.read_text().lower()


class Unplugged(redis.Connection):
    """A server that is not there."""

    error: type[redis.RedisError]

    def connect(self) -> None:
        raise self.error("unplugged")


@pytest.mark.parametrize("error", [redis.ConnectionError, redis.TimeoutError])
@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.append(GAME, EMPTY, entries(1, 1), (), NOW),
        lambda store: store.read(GAME),
        lambda store: store.is_known(GAME),
        lambda store: store.games(),
        lambda store: store.due(NOW),
        lambda store: store.unscored(9),
        lambda store: store.clear_due(GAME, "bot", 1),
    ],
)
def test_no_answer_is_busy(error: type[redis.RedisError], ask: Callable[[RedisStore], Any]) -> None:
    connection = type("Unplugged", (Unplugged,), {"error": error})
    pool = redis.ConnectionPool(connection_class=connection, retry=None)
    with pytest.raises(Busy):
        ask(RedisStore(redis.Redis(connection_pool=pool)))
