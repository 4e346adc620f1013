"""What many listeners read together: once for each time they are woken."""

from typing import Any

import pytest

from events.log.store import LogStore
from service.live.notifier import Notifier
from tests.service.tables import Table, memory_services


@pytest.fixture
def table() -> Table:
    return Table(memory_services()).sit()


def counted(store: LogStore) -> list[str]:
    """A growing list of the games that are read from the store."""
    reads: list[str] = []
    read = store.read

    def noting(game: str, *args: Any, **options: Any) -> Any:
        reads.append(game)
        return read(game, *args, **options)

    store.read = noting  # type: ignore[method-assign]
    return reads


def test_listeners_that_are_woken_together_read_the_log_once(table: Table) -> None:
    notifier, reader = table.services.notifier, table.services.reader
    people = [person.id for person in table.people]
    with notifier.subscribe(table.game):
        tail = notifier.tail(table.game)
        before = table.view(0)["version"]
        table.step()
        reads = counted(table.services.store)
        for player in people * 25:
            assert len(tail.feed(reader, table.game, player, before, 200)) == 1
    assert len(reads) <= 1 + len(people)


def test_each_sees_what_its_own_seat_may_know(table: Table) -> None:
    notifier, reader = table.services.notifier, table.services.reader
    with notifier.subscribe(table.game):
        tail = notifier.tail(table.game)
        feeds = [
            tail.feed(reader, table.game, player, 0, 200)
            for player in (*(person.id for person in table.people), table.spectator.id)
        ]
    assert feeds == [
        reader.feed(table.game, player, 0, 200)
        for player in (*(person.id for person in table.people), table.spectator.id)
    ]
    assert len({tuple(feed) for feed in feeds}) == 5


def test_what_nobody_rang_for_is_read_after_a_while(table: Table) -> None:
    notifier, reader = Notifier(), table.services.reader
    with notifier.subscribe(table.game):
        tail = notifier.tail(table.game)
        version = table.view(0)["version"]
        assert tail.feed(reader, table.game, None, version, 200) == []
        table.step()
        assert tail.feed(reader, table.game, None, version, 200) == []
        assert len(tail.feed(reader, table.game, None, version, 200, anew=True)) == 1


def test_a_tail_is_forgotten_with_its_last_listener(table: Table) -> None:
    notifier = table.services.notifier
    with notifier.subscribe(table.game):
        tail = notifier.tail(table.game)
        assert notifier.tail(table.game) is tail
    with notifier.subscribe(table.game):
        assert notifier.tail(table.game) is not tail
    assert table.game not in notifier._tails
