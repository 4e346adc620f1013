"""A figure is not measured while work is done that the one before it has left."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from benchmarks import due_work
from benchmarks.__main__ import measured
from benchmarks.figure import Figure
from benchmarks.serving import Servers
from events.log.outbox import Outbox
from events.log.redis import RedisStore
from service.cli.ops.embedded_valkey import EmbeddedServer
from tests.workers.playing import handler_on, is_over, open_table


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with EmbeddedServer(tmp_path_factory.mktemp("queue"), appendfsync="everysec") as server:
        yield server.url


def test_each_figure_finds_the_work_done_that_the_one_before_it_left_due(
    valkey: str, log_redis: Any, queue: str
) -> None:
    handler = handler_on(RedisStore(log_redis))
    games: list[str] = []
    found_done: list[bool] = []

    def leaves_work(_: Servers) -> Iterable[Figure]:
        found_done.append(due_work.is_done(log_redis))
        games.append(open_table(handler, key=f"open-{len(games)}"))
        assert not due_work.is_done(log_redis)
        yield Figure(figure=len(games), name="games opened", value=1.0, unit="games")

    figures = measured([leaves_work, leaves_work], Servers(valkey, queue))

    assert [figure.figure for figure in figures] == [1, 2]
    assert found_done == [True, True]
    assert due_work.is_done(log_redis)
    assert all(is_over(handler, game) for game in games)


def test_work_that_nobody_does_is_not_waited_for_without_end(log_redis: Any) -> None:
    game = open_table(handler_on(RedisStore(log_redis)))

    with pytest.raises(TimeoutError, match=f"{game}.* and 1 outbox entries"):
        due_work.wait_until_done(log_redis, seconds=0)


def test_an_outbox_entry_is_work_until_it_is_acknowledged(log_redis: Any) -> None:
    outbox = Outbox(log_redis, "a")
    outbox.read(1)
    assert due_work.is_done(log_redis)
    outbox.ask("game", 1)
    assert not due_work.is_done(log_redis)

    letters = outbox.read(1)

    assert not due_work.is_done(log_redis)
    outbox.done(letters)
    assert due_work.is_done(log_redis)
