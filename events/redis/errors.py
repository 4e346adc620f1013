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
    redis.exceptions.ClusterError,
    redis.exceptions.RedisClusterException,
    redis.exceptions.TryAgainError,
)

NOT_NOW = ("BUSY ", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "OOM ",
           "READONLY", "TRYAGAIN", "WRONGTYPE")  # fmt: skip
"""First words of refusals that somebody can mend, so that the same request goes through later."""

IN_PIPELINE = " caused error: "
"""What the client puts before them, after the command, where it was one of several."""


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raises Busy where the server is away, full or read-only, so that its caller may ask again."""
    try:
        yield
    except UNAVAILABLE as error:
        raise Busy("the store did not answer; the same request may be sent again") from error
    except redis.ResponseError as error:
        if first_words(error).startswith(NOT_NOW):
            raise Busy("the store refused; the same request may be sent again") from error
        raise


def first_words(error: redis.ResponseError) -> str:
    """What the server said, without what the client adds."""
    said = str(error)
    return said.partition(IN_PIPELINE)[2] or said
