"""The reference of figure 1: a bare Flask route that appends four events with the same script."""

import os

import redis
from flask import Flask

from events.log.entry import Entry
from events.log.redis import RedisStore
from events.log.store import EMPTY, Head

EVENTS = 4
PUBLIC = b"{%b}" % (b"x" * 420)
DIGEST = b"d" * 32


def create_app() -> Flask:
    """`POST /append/<stream>` appends to a stream of its own for every name."""
    app = Flask("reference")
    store = RedisStore(redis.from_url(os.environ["REDIS_URL"]))
    heads: dict[str, Head] = {}

    @app.post("/append/<stream>")
    def append(stream: str) -> tuple[str, int]:
        head = heads.get(stream, EMPTY)
        entries = [Entry(head.version + n, PUBLIC, DIGEST) for n in range(1, EVENTS + 1)]
        store.append(stream, head, entries, (), 0)
        heads[stream] = Head(entries[-1].version, DIGEST)
        return "appended", 201

    return app
