"""What the worker processes are made of, put together from two addresses and a key."""

import os
import secrets
import socket
import time
from pathlib import Path

from events.handler import Handler
from events.log.dead_letters import DeadLetters
from events.log.outbox import Outbox
from events.log.redis import RedisStore
from events.projections.redis import RedisProjections
from events.receipts import Signer
from events.redis.client import connect
from events.redis.counters import Counts
from workers.bot_turns import Turns
from workers.dispatcher import Dispatcher
from workers.projections.projector import Projecting
from workers.queue.jobs import BOT_TURN, PROJECT, with_retries
from workers.queue.rq_worker import InProcessWorker, worker_on
from workers.queue.work_queue import WorkQueue
from workers.sweep import Sweep


def now() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def consumer() -> str:
    """This process among all that read the outboxes."""
    return f"{socket.gethostname()}-{os.getpid()}"


def worker(log_url: str, queue_url: str, key: Path) -> InProcessWorker:
    """A worker on the queue that works on the log, signing with the key at `key`."""
    client = connect(log_url)
    store = RedisStore(client)
    handler = Handler(store, Signer.at(key), now, lambda: secrets.token_bytes(32))
    entry_points = {
        BOT_TURN: with_retries(Turns(handler, Outbox(client, consumer()).ask).bot_turn),
        PROJECT: with_retries(Projecting(store, RedisProjections(client)).project),
    }
    return worker_on(connect(queue_url), entry_points, Counts(client).add)


def dispatcher(log_url: str, queue_url: str) -> tuple[Dispatcher, Sweep]:
    client = connect(log_url)
    store, queue = RedisStore(client), WorkQueue(connect(queue_url))
    outbox = Outbox(client, consumer())
    return Dispatcher(outbox, store, queue, DeadLetters(client)), Sweep(store, queue)
