"""C20: a game's keys share one slot, and everything works on a cluster, which checks that."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.crc import key_slot

from events.accounts.players import RedisPlayers
from events.errors import Busy
from events.log.outbox import Outbox
from events.log.redis import RedisStore
from events.log.store import Task
from events.redis.client import connect
from events.redis.health import log_problems
from events.redis.keys import ALL_PARTITIONS, PARTITIONS, partition_of
from service.live.notifier import RedisNotifier
from tests.events.playing import House, play_on, seated
from tests.events.stores import GAME, NOW, entries, opened
from tests.servers import cluster_of_one, free_cluster_port


def game_in(number: int) -> str:
    return next(g for g in (f"g{n}" for n in range(1000)) if partition_of(g).number == number)


def end(notifier: RedisNotifier) -> None:
    """Before its client is closed: a cluster's cannot be while it is in use."""
    notifier.close()
    assert notifier._reader
    notifier._reader.join()


@pytest.mark.parametrize("partition", ALL_PARTITIONS, ids=range(PARTITIONS))
def test_c20_a_game_and_its_partition_share_one_slot(partition: Any) -> None:
    game = game_in(partition.number)
    keys = [partition.log(game), partition.outbox, partition.games, partition.due]
    keys += [partition.due_versions, partition_of(game).log(game)]
    assert {key_slot(key.encode()) for key in keys} == {key_slot(b"p%02d" % partition.number)}


def test_c20_the_partitions_lie_in_different_slots() -> None:
    assert len({key_slot(p.outbox.encode()) for p in ALL_PARTITIONS}) == PARTITIONS


def test_c20_all_that_an_append_writes_lies_in_the_slot_of_the_game(on_redis: RedisStore) -> None:
    for number in range(PARTITIONS):
        on_redis.client.flushall()
        opened(on_redis, game_in(number), due=("bot", "score"))
        written = list(on_redis.client.scan_iter())
        assert len(written) == 5
        assert {key_slot(key) for key in written} == {key_slot(b"p%02d" % number)}


def test_c20_the_cluster_of_the_tests_refuses_what_spans_two_slots(cluster_client: Any) -> None:
    with pytest.raises((redis.exceptions.RedisClusterException, redis.ResponseError)):
        cluster_client.xread(dict.fromkeys((p.outbox for p in ALL_PARTITIONS), "0"))
    node = cluster_client.get_redis_connection(cluster_client.get_primaries()[0])
    with pytest.raises(redis.ResponseError, match="same slot"):
        node.mget("el:{p00}:a", "el:{p01}:a")


def test_a_whole_game_is_played_on_a_cluster(cluster_client: redis.Redis) -> None:
    house = House(RedisStore(cluster_client))
    game = seated(house)
    play_on(house, game)
    assert House(RedisStore(cluster_client)).loader.current(game).game.status == "finished"


def test_players_are_kept_on_a_cluster(any_redis: redis.Redis) -> None:
    players = RedisPlayers(any_redis)
    made = [players.create(f"name {n}") for n in range(20)]
    assert players.names([player.id for player, _ in made]) == {
        player.id: player.name for player, _ in made
    }
    player, token = made[0]
    identity = players.tokens.identify(token)
    assert identity is not None
    assert identity.player == player.id
    assert players.rename(player.id, None).name is None
    assert players.get(player.id).name is None


def test_what_another_process_appends_wakes_who_listens(any_redis: redis.Redis) -> None:
    store, notifier = RedisStore(any_redis), RedisNotifier(any_redis)
    with notifier.subscribe(GAME) as news:
        assert news.wait(10)  # the reader has begun, and notifies once of what came before
        news.clear()
        with notifier.subscribe("another") as other:
            any_redis.xadd(partition_of(GAME).outbox, {"not": "ours"})
            opened(store)
            assert news.wait(10)
            assert not other.is_set()
    end(notifier)


def test_an_address_of_a_cluster_gives_a_client_of_it(cluster: str) -> None:
    with connect(cluster) as client:
        assert isinstance(client, redis.RedisCluster)
        assert client.set("k", "v")
        assert client.get("k") == b"v"


def test_an_address_of_a_server_gives_a_client_that_need_not_be_answered() -> None:
    with connect("redis://127.0.0.1:1/0") as client:
        assert isinstance(client, redis.Redis)
    with connect("unix:///nowhere.sock") as client:
        assert isinstance(client, redis.Redis)


@pytest.mark.processes
def test_a_cluster_that_comes_back_is_used_again(tmp_path: Path) -> None:
    port = free_cluster_port()
    with cluster_of_one(tmp_path, port) as url:
        client = connect(url)
        store, outbox, notifier = RedisStore(client), Outbox(client, "a"), RedisNotifier(client)
        expected = opened(store)
        outbox.read(1)
        subscription = notifier.subscribe(GAME)
        news = subscription.__enter__()
        assert news.wait(10)
    for ask in (
        lambda: store.append(GAME, expected, entries(4, 4), (), NOW),
        lambda: store.read(GAME),
        store.games,
        lambda: outbox.read(10),
        lambda: outbox.claim(10),
    ):
        with pytest.raises(Busy):
            ask()
    assert [problem.name for problem in log_problems(client)] == ["unreachable"]
    with cluster_of_one(tmp_path, port):
        news.clear()
        store.append(GAME, expected, entries(4, 4), (), NOW)
        assert news.wait(10)
        assert store.read(GAME) == entries(1, 4)
        assert [letter.task for letter in outbox.read(1000)] == [
            Task(GAME, 1, 3, ()),
            Task(GAME, 4, 4, ()),
        ]
        subscription.__exit__(None, None, None)
        end(notifier)


@pytest.mark.processes
def test_a_cluster_that_does_not_answer_is_busy() -> None:
    started = time.monotonic()
    with pytest.raises(Busy):
        connect(f"redis+cluster://127.0.0.1:{free_cluster_port()}")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("threads", [8])
def test_one_client_of_a_cluster_serves_many_threads(
    cluster_client: redis.Redis, threads: int
) -> None:
    store = RedisStore(cluster_client)
    games = [f"t{n}" for n in range(threads)]
    workers = [threading.Thread(target=opened, args=(store, game)) for game in games]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert {opening.game for opening in store.games()} == set(games)
    assert all(store.read(game) == entries(1, 3) for game in games)
    assert [opening.at for opening in store.games()] == [NOW] * threads
