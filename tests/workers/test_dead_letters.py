"""Letters that fail: alone, five times, then kept to be seen and sent again."""

from typing import Any

import pytest

from events.errors import Busy
from events.log.dead_letters import DeadLetters
from events.log.outbox import GROUP, Outbox
from events.log.redis import RedisStore
from events.log.store import Due, Task
from events.projections.redis import RedisProjections
from events.redis.keys import ALL_PARTITIONS, partition_of
from tests.workers.playing import handler_on, open_table
from workers.dispatcher import DELIVERIES, Dispatcher, joined
from workers.queue.work_queue import WorkQueue


class Failing(WorkQueue):
    """Fails for one game, with an error of its own or as one that is away."""

    game = ""
    error: Exception = ValueError("no such work")

    def due(self, work: Due, game: str, version: int, mark: str = "") -> bool:
        if game == self.game:
            raise self.error
        return super().due(work, game, version, mark)


class Post:
    def __init__(self, client: Any) -> None:
        self.client = client
        self.store, self.outbox = RedisStore(client), Outbox(client, "a")
        self.queue, self.dead = Failing(client), DeadLetters(client)
        self.dispatcher = Dispatcher(self.outbox, self.store, self.queue, self.dead)
        self.dispatcher.step(wait=1)

    def open(self, key: str) -> str:
        return open_table(handler_on(self.store), key=key)

    def pending(self, game: str) -> int:
        return int(self.client.xpending(partition_of(game).outbox, GROUP)["pending"])


@pytest.fixture
def post(client: Any) -> Post:
    return Post(client)


def test_a_letter_that_fails_does_not_hold_up_the_others(post: Post) -> None:
    post.queue.game = post.open("bad")
    post.open("good")

    assert post.dispatcher.step(wait=1) == 2
    assert post.pending(post.queue.game) == 1
    assert post.dead.all() == []


def test_after_so_many_deliveries_it_is_dead(post: Post) -> None:
    game = post.queue.game = post.open("bad")
    post.dispatcher.step(wait=1)
    for _ in range(DELIVERIES - 2):
        post.dispatcher.rescue(idle=0)
    assert post.dead.all() == []

    post.dispatcher.rescue(idle=0)

    [letter] = post.dead.all()
    assert (letter.fields["game"], letter.deliveries) == (game, DELIVERIES)
    assert letter.reason == "ValueError"
    assert letter.partition == partition_of(game).number
    assert post.pending(game) == 0
    assert RedisProjections(post.client).health().dead_letters == 1


def test_a_queue_that_is_away_kills_no_letter(post: Post) -> None:
    game = post.queue.game = post.open("bad")
    post.queue.error = Busy("away")
    for deliver in (lambda: post.dispatcher.step(wait=1), *[lambda: post.dispatcher.rescue(0)] * 9):
        with pytest.raises(Busy):
            deliver()

    assert post.dead.all() == []
    assert post.pending(game) == 1
    post.queue.game = ""
    assert post.dispatcher.rescue(idle=0) == 2


def test_a_dead_letter_sent_again_is_done_as_if_new(post: Post) -> None:
    post.queue.game = post.open("bad")
    post.dispatcher.step(wait=1)
    for _ in range(DELIVERIES):
        post.dispatcher.rescue(idle=0)
    [letter] = post.dead.all()
    post.queue.game = ""

    post.dead.retry(letter)

    assert post.dead.all() == []
    assert post.dispatcher.step(wait=1) == 2


def test_a_dead_letter_is_dropped(post: Post) -> None:
    for partition in (7, 2):
        post.client.xadd(ALL_PARTITIONS[partition].outbox, {"x": "y"})
    post.dispatcher.step(wait=1)
    first, second = post.dead.all()
    assert (first.partition, second.partition) == (2, 7)

    post.dead.drop(first)

    assert post.dead.all() == [second]
    post.dead.retry(second)
    post.dispatcher.step(wait=1)
    assert [letter.fields for letter in post.dead.all()] == [{"x": "y"}]


def test_a_letter_that_was_trimmed_away_is_buried_without_its_words(post: Post) -> None:
    post.client.xadd(ALL_PARTITIONS[7].outbox, {"x": "y"})
    [letter] = post.outbox.read(1)
    post.client.xtrim(letter.outbox, maxlen=0)

    assert post.dead.mark_failed(letter, "why", after=1)
    [dead] = post.dead.all()
    assert dead.fields == {}
    post.dead.retry(dead)
    assert post.dead.all() == []


def test_of_several_letters_of_a_game_a_scored_deal_is_not_forgotten(post: Post) -> None:
    game = post.open("one")
    post.outbox.ask(game, 30, ("bot", "score"))
    post.outbox.ask(game, 33, ("bot",))
    letters = [
        letter for letter in post.outbox.read(1) if letter.task and letter.task.last in {30, 33}
    ]

    assert joined(letters) == Task(game, 34, 33, ("bot", "score"))


def test_a_game_whose_log_is_broken_holds_up_no_letter(post: Post) -> None:
    game = post.open("one")
    post.client.delete(partition_of(game).log(game))
    post.client.set(partition_of(game).log(game), "no stream")

    assert post.dispatcher.step(wait=1) == 2
    assert post.pending(game) == 0
