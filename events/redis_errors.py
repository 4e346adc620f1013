"""What it means when Redis does not answer, in one place."""

from collections.abc import Iterator
from contextlib import contextmanager

import redis

from events.errors import Busy

UNAVAILABLE = (
    redis.ConnectionError,
    redis.TimeoutError,
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.ReadOnlyError,
)


@contextmanager
def answered() -> Iterator[None]:
    """Raises Busy where the server is away, full or read-only, so that its caller may ask again."""
    try:
        yield
    except UNAVAILABLE as error:
        raise Busy("the store did not answer; the same request may be sent again") from error
