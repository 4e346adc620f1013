"""Long work over entries is done in stretches, between which requests that share the process go on.

Under gevent a sleep is where others go on. One of no time would not do: of those who sleep so, many
run before anything is read from a connection.
"""

import threading
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

STRETCH = 32
"""Entries: about half a millisecond of applying them."""

PAUSE_SECONDS = 1e-6

_turnstile = threading.Lock()


def in_stretches(items: Iterable[T]) -> Iterator[T]:
    """The same items. Of all long work only one stretch is done before connections are read again;
    what is no longer than a stretch waits for nobody.
    """
    rest = iter(items)
    yield from islice(rest, STRETCH)
    for item in rest:
        give_way()
        yield item
        yield from islice(rest, STRETCH - 1)


def give_way() -> None:
    """Between two stretches of long work."""
    with _turnstile:
        time.sleep(PAUSE_SECONDS)
