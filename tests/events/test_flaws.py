"""Streams that somebody has meddled with, and servers that refuse: said, never passed over."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis

from events.audit.audit import audit
from events.errors import Busy, LogBroken, LogMissing, VersionConflict
from events.log.entry import Entry, entry_digest, envelope
from events.log.loader import Loader
from events.log.outbox import Outbox
from events.log.redis import RedisStore
from events.log.store import EMPTY, Head
from events.queries import Reader
from events.redis.keys import Partition, partition_of
from service.cli.ops.embedded_valkey import EmbeddedServer, find_binary
from tests.events.playing import House, play_on, seated
from tests.events.stores import GAME, NOW, entries, head, opened
from tests.servers import redis_binary

KEY = partition_of(GAME).log(GAME)


def alter(client: Any, key: str, *, drop: int, then: list[tuple[str, dict[str, bytes]]]) -> None:
    """The stream without what follows entry `drop - 1`, and with other entries in their place."""
    kept = client.xrange(key, "-", f"{drop - 1}-0")
    client.delete(key)
    for id_, fields in [*kept, *then]:
        client.xadd(key, fields, id=id_)


def fields_of(entry: Entry) -> dict[str, bytes]:
    return {"e": entry.public, "d": entry.digest, "s": entry.secrets}


# --- entries that are not there


@pytest.mark.parametrize("version", [1, 2, 4, 5])
def test_an_entry_deleted_from_the_stream_is_named_by_reading_and_by_appending(
    on_redis: RedisStore, version: int
) -> None:
    opened(on_redis)
    on_redis.append(GAME, head(entries(3, 3)), entries(4, 5), (), NOW)
    on_redis.client.xdel(KEY, f"{version}-0")
    asks: list[Callable[[], object]] = [
        lambda: on_redis.read(GAME),
        lambda: on_redis.read(GAME, 1, 5),
        lambda: on_redis.read(GAME, version, version),
        lambda: on_redis.read(GAME, version, 9),
        lambda: on_redis.append(GAME, head(entries(5, 5)), entries(6, 6), (), NOW),
        lambda: on_redis.append(GAME, head(entries(4, 4)), entries(5, 5), (), NOW),
    ]
    for ask in asks:
        with pytest.raises((LogBroken, VersionConflict)) as broken:
            ask()
        if isinstance(broken.value, LogBroken):
            assert broken.value.version == version
    with pytest.raises(LogBroken):
        Loader(on_redis).current(GAME)
    assert on_redis.client.xlen(KEY) == 4


@pytest.mark.parametrize("kept", [1, 3])
def test_a_trimmed_stream_is_broken_at_its_first_entry(on_redis: RedisStore, kept: int) -> None:
    opened(on_redis)
    on_redis.append(GAME, head(entries(3, 3)), entries(4, 5), (), NOW)
    on_redis.client.xtrim(KEY, maxlen=kept, approximate=False)
    with pytest.raises(LogBroken, match="entry 1"):
        on_redis.read(GAME)
    with pytest.raises(LogBroken, match="entry 1"):
        on_redis.append(GAME, head(entries(5, 5)), entries(6, 6), (), NOW)
    assert on_redis.read(GAME, 5) == entries(5, 5)


def test_a_stream_emptied_by_hand_is_a_log_that_is_missing(on_redis: RedisStore) -> None:
    opened(on_redis)
    on_redis.client.xtrim(KEY, maxlen=0, approximate=False)
    with pytest.raises(LogMissing):
        on_redis.append(GAME, EMPTY, entries(1, 1), (), NOW)
    with pytest.raises(LogMissing):
        Loader(on_redis).current(GAME)
    on_redis.client.delete(partition_of(GAME).games)
    with pytest.raises(LogBroken):
        on_redis.append(GAME, EMPTY, entries(1, 1), (), NOW)
    assert on_redis.client.xlen(KEY) == 0


def test_c09_a_stream_that_is_gone_is_missing(on_redis: RedisStore) -> None:
    opened(on_redis)
    on_redis.client.delete(KEY)
    with pytest.raises(LogMissing):
        on_redis.append(GAME, head(entries(3, 3)), entries(4, 4), (), NOW)


# --- entries that are none


@pytest.mark.parametrize("id_", ["3-1", "5-0", "1700000000000-0"])
def test_an_entry_that_is_not_the_next_is_broken(on_redis: RedisStore, id_: str) -> None:
    opened(on_redis)
    on_redis.client.xadd(KEY, fields_of(entries(4, 4)[0]), id=id_)
    with pytest.raises(LogBroken, match="entry 4"):
        on_redis.read(GAME)
    with pytest.raises(LogBroken, match="entry 4"):
        on_redis.read(GAME, 3)
    for expected in (head(entries(3, 3)), Head(4, entries(4, 4)[0].digest)):
        with pytest.raises(LogBroken, match="entry 4"):
            on_redis.append(GAME, expected, entries(expected.version + 1, 6), (), NOW)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("field", ["e", "d"])
def test_an_entry_without_a_field_is_broken(on_redis: RedisStore, version: int, field: str) -> None:
    opened(on_redis)
    changed = [(f"{e.version}-0", fields_of(e)) for e in entries(version, 3)]
    del changed[0][1][field]
    alter(on_redis.client, KEY, drop=version, then=changed)
    with pytest.raises(LogBroken, match=f"entry {version}: it has no field b'{field}'"):
        on_redis.read(GAME)
    if (version, field) == (3, "d"):
        with pytest.raises(VersionConflict):
            on_redis.append(GAME, head(entries(3, 3)), entries(4, 4), (), NOW)


GARBAGE = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"null",
    b"[]",
    b"{}",
    b'{"a":1}',
    b"[" * 5000,
    b'{"version":1e999}',
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_that_was_chained_with_care_is_broken(garbage: bytes) -> None:
    house = House()
    game = seated(house)
    log: Any = house.store
    last = log.read(game)[-1]
    for public, secrets in (
        (garbage, b""),
        (last.public, garbage or b"0"),
        (last.public + b" ", b""),
    ):
        before = log.read(game)[-2]
        forged = Entry(last.version, public, entry_digest(game, before.digest, public), secrets)
        log.logs[game][-1] = forged
        if secrets == b"{}" and last.secrets == b"":
            continue
        with pytest.raises(LogBroken) as broken:
            Loader(log).current(game)
        assert broken.value.version == last.version


SECRETS: list[Any] = [
    {"/nowhere": 1},
    {"/nowhere/0": 1},
    {"nowhere": 1},
    {"": 1},
    {"/seed/x": 1},
    {"/hands/99": []},
    {"/hands/-9": []},
    {"/hands/zero": []},
    {"/hands/0": "QS"},
    {"/hands/0": ["QS", "nonsense"]},
    {"/hands": [[], [], [], []]},
    [1],
    "text",
]


@pytest.mark.parametrize("secrets", SECRETS, ids=str)
def test_secrets_that_were_changed_by_hand_are_broken_for_every_reader(secrets: Any) -> None:
    house = House()
    game = seated(house)
    log: Any = house.store
    dealt = next(e for e in log.read(game) if envelope(e).type == "hearts.dealt")
    log.logs[game][dealt.version - 1] = msgspec.structs.replace(
        dealt, secrets=msgspec.json.encode(secrets)
    )
    loader = Loader(log)
    reader = Reader(log, loader)
    asks: list[Callable[[], object]] = [
        lambda: loader.current(game),
        lambda: reader.view(game, "p_ann"),
        lambda: reader.feed(game, None),
        lambda: House(log).sit(game, "p_eve", 0),
    ]
    for ask in asks:
        with pytest.raises(LogBroken) as broken:
            ask()
        assert broken.value.version == dealt.version


# --- keys of another type


@pytest.mark.parametrize("make", ["set", "rpush", "sadd"])
def test_a_key_that_holds_no_stream_is_a_broken_log(on_redis: RedisStore, make: str) -> None:
    getattr(on_redis.client, make)(KEY, "something")
    for ask in (
        lambda: on_redis.read(GAME),
        lambda: on_redis.read(GAME, 2, 3),
        lambda: on_redis.read(GAME, 2),
        lambda: on_redis.append(GAME, EMPTY, entries(1, 1), (), NOW),
        lambda: Loader(on_redis).current(GAME),
    ):
        with pytest.raises(LogBroken, match="something else than a stream"):
            ask()
    assert on_redis.client.type(KEY) != b"stream"


@pytest.mark.parametrize(
    "index",
    [lambda p: p.outbox, lambda p: p.games, lambda p: p.due, lambda p: p.due_versions],
    ids=["outbox", "games", "due", "due-versions"],
)
def test_an_index_of_another_type_refuses_the_append_before_anything_is_written(
    on_redis: RedisStore, index: Callable[[Partition], str]
) -> None:
    expected = opened(on_redis)
    key = index(partition_of(GAME))
    on_redis.client.delete(key)
    on_redis.client.set(key, "something")
    for head_, appended in ((expected, entries(4, 5)),):
        with pytest.raises(Busy):
            on_redis.append(GAME, head_, appended, ("bot", "score"), NOW)
    assert on_redis.read(GAME) == entries(1, 3)
    on_redis.client.delete(key)
    on_redis.append(GAME, expected, entries(4, 5), ("bot", "score"), NOW)


# --- servers that refuse


def test_a_script_the_server_has_forgotten_is_loaded_again(on_redis: RedisStore) -> None:
    expected = opened(on_redis, due=("score",))
    on_redis.client.script_flush()
    on_redis.append(GAME, expected, entries(4, 4), (), NOW)
    on_redis.client.script_flush()
    on_redis.clear_due(GAME, "score", 4)
    assert on_redis.read(GAME) == entries(1, 4)
    assert on_redis.due(NOW + 9) == []


@pytest.mark.parametrize("find", [find_binary, redis_binary], ids=["valkey", "redis"])
@pytest.mark.processes
def test_a_server_restarted_between_two_appends_is_found_again(
    tmp_path: Path, find: Callable[[], Path | None]
) -> None:
    if (binary := find()) is None:
        pytest.skip("no redis-server 7.0 or newer on PATH")
    with EmbeddedServer(tmp_path, binary=binary) as server:
        store = RedisStore(redis.Redis.from_url(server.url))
        expected = opened(store)
        server.stop()
        for ask in (
            lambda: store.append(GAME, expected, entries(4, 4), (), NOW),
            lambda: store.read(GAME),
        ):
            with pytest.raises(Busy):
                ask()
        server.start()
        store.append(GAME, expected, entries(4, 4), (), NOW)
        assert store.read(GAME) == entries(1, 4)


def test_a_full_server_is_busy_and_nothing_is_half_written(real_redis: Any) -> None:
    store = RedisStore(real_redis)
    expected = opened(store)
    real_redis.config_set("maxmemory", 1)
    try:
        with pytest.raises(Busy):
            store.append(GAME, expected, entries(4, 9), ("bot",), NOW)
        with pytest.raises(Busy):
            store.append("another", EMPTY, entries(1, 9), ("bot",), NOW)
        with pytest.raises(Busy):
            Outbox(real_redis, "a").ask(GAME, 3)
        assert store.read(GAME) == entries(1, 3)
    finally:
        real_redis.config_set("maxmemory", 0)
    assert real_redis.xlen(partition_of(GAME).outbox) == 1
    assert store.due(NOW + 9) == []
    assert not store.is_known("another")
    store.append(GAME, expected, entries(4, 9), ("bot",), NOW)


@pytest.mark.parametrize("server", ["log_redis", "redis_client"])
@pytest.mark.processes
def test_a_read_only_replica_is_busy(request: pytest.FixtureRequest, server: str) -> None:
    client: Any = request.getfixturevalue(server)
    store = RedisStore(client)
    expected = opened(store, due=("score",))
    client.replicaof("127.0.0.1", 1)
    try:
        with pytest.raises(Busy):
            store.append(GAME, expected, entries(4, 4), (), NOW)
        with pytest.raises(Busy):
            store.clear_due(GAME, "score", 3)
        assert store.read(GAME) == entries(1, 3)
    finally:
        client.replicaof("NO", "ONE")
    store.append(GAME, expected, entries(4, 4), (), NOW)


@pytest.mark.parametrize("where", ["alone", "in a pipeline"])
@pytest.mark.parametrize(
    "said",
    [
        "BUSY Redis is busy running a script.",
        "CLUSTERDOWN The cluster is down",
        "LOADING Redis is loading the dataset in memory",
        "MASTERDOWN Link with MASTER is down",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "NOREPLICAS Not enough good replicas to write.",
        "TRYAGAIN Multiple keys request during rehashing of slot",
    ],
)
def test_what_a_server_refuses_for_now_is_busy(said: str, where: str) -> None:
    from redis._parsers import BaseParser

    from events.redis.errors import translate_errors

    error = BaseParser.parse_error(said)
    if where == "in a pipeline":
        redis.Redis().pipeline().annotate_exception(error, 1, ("HSET", "key", "field", "value"))
    with pytest.raises(Busy), translate_errors():
        raise error


def test_bytes_that_are_not_canonical_are_for_the_audit_to_refuse() -> None:
    """A load holds the bytes against the digests alone."""
    house = House()
    game = seated(house, target_score=1)
    play_on(house, game)
    log: Any = house.store
    before, last = log.read(game)[-2:]
    spaced = last.public.replace(b",", b", ", 1)
    log.logs[game][-1] = Entry(last.version, spaced, entry_digest(game, before.digest, spaced))

    assert Loader(log).current(game).game.status == "finished"
    report = audit(Reader(log, Loader(log)).log(game))
    assert report.verdict("chain").status == "failed"
    assert report.verdict("chain").version == last.version
    assert report.verdict("chain").detail == "the public object is not canonical"
