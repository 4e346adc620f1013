"""What the worker processes are made of, put together from two addresses and a key."""

import os
import secrets
import socket
import time
from pathlib import Path

from events.connecting import connect
from events.handler import Handler
from events.outbox import Outbox
from events.receipts import Signer
from events.redis_store import RedisStore
from workers.dispatcher import Dispatcher
from workers.queue import WorkQueue
from workers.rq_worker import TurnWorker, worker_on
from workers.sweep import Sweep
from workers.turns import Turns


def now() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def consumer() -> str:
    """This process among all that read the outboxes."""
    return f"{socket.gethostname()}-{os.getpid()}"


def worker(log_url: str, queue_url: str, key: Path) -> TurnWorker:
    """A worker on the queue that plays bots' turns on the log, signing with the key at `key`."""
    client = connect(log_url)
    handler = Handler(RedisStore(client), Signer.at(key), now, lambda: secrets.token_bytes(32))
    turns = Turns(handler, Outbox(client, consumer()).ask)
    return worker_on(connect(queue_url), turns)


def dispatcher(log_url: str, queue_url: str) -> tuple[Dispatcher, Sweep]:
    client = connect(log_url)
    store, queue = RedisStore(client), WorkQueue(connect(queue_url))
    return Dispatcher(Outbox(client, consumer()), store, queue), Sweep(store, queue)
