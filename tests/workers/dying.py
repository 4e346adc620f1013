"""A worker process that is killed in the middle of its first job: `python -m … URL WHEN`."""

import os
import signal
import sys
from typing import Any

from events.log.outbox import Outbox
from events.log.redis import RedisStore
from events.projections.redis import RedisProjections
from events.projections.store import ProjectedGame, Projection
from events.redis.client import connect
from tests.workers.playing import handler_on
from workers.bot_turns import Turns
from workers.projections.projector import Projecting
from workers.queue.jobs import BOT_TURN, PROJECT
from workers.queue.rq_worker import worker_on


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Dying(RedisProjections):
    """`before-write`, `after-write` (of the first projection) or `before-ack` (after the last)."""

    when = ""

    def put(self, kept: ProjectedGame, **options: Any) -> bool:
        if self.when == "before-write":
            die()
        written = super().put(kept, **options)
        if self.when == "after-write":
            die()
        return written

    def clear_failed(self, projection: Projection, game: str) -> None:
        super().clear_failed(projection, game)
        if self.when == "before-ack" and projection == "lobby":
            die()


def main(url: str, when: str) -> None:
    client = connect(url)
    store, projections = RedisStore(client), Dying(client)
    projections.when = when
    handler = handler_on(store)
    keep = handler.loader.keep

    def kept(loaded: Any) -> Any:
        if when == "mid-turn" and loaded.head.version > 20:
            die()
        return keep(loaded)

    handler.loader.keep = kept  # type: ignore[method-assign]
    entry_points = {
        BOT_TURN: Turns(handler, Outbox(client, "dying").ask, seconds=60.0).bot_turn,
        PROJECT: Projecting(store, projections).project,
    }
    worker_on(connect(url), entry_points).work(burst=True, logging_level="CRITICAL")


if __name__ == "__main__":
    main(*sys.argv[1:])
