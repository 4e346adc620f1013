"""A fixed address in front of several servers: a refusal by one that is no primary is a lost
connection, so that the next asks the address again and reaches whoever is the primary by then.

The old primary keeps the connections it has when it becomes a replica, and goes on to answer reads.
"""

import functools
import time
from typing import Any

import redis

DEMOTED = (redis.exceptions.ReadOnlyError, redis.exceptions.MasterDownError)
DEMOTED_WORDS = ("NOREPLICAS", "UNBLOCKED force")
"""First words of refusals for which the client has no class; the second ends a wait."""


class Demoted(redis.ConnectionError):
    """The server is no primary, or no longer."""


class PrimaryConnection:
    """Mixed into a class of connections; `opened` is when it last connected, by `time.monotonic`.

    LOADING is a lost connection to the client already.
    """

    opened = 0.0

    def _connect(self) -> Any:
        self.opened = time.monotonic()
        return super()._connect()  # type: ignore[misc]

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().read_response(*args, **kwargs)  # type: ignore[misc]
        except redis.ResponseError as error:
            if isinstance(error, DEMOTED) or str(error).startswith(DEMOTED_WORDS):
                self.disconnect()  # type: ignore[attr-defined]
                raise Demoted(f"{type(error).__name__}: {error}") from error
            raise


@functools.cache
def primary(connection: type[Any]) -> type[Any]:
    """The same class of connections, each lost when its server is demoted."""
    return type(f"Primary{connection.__name__}", (PrimaryConnection, connection), {})


def is_replica(connection: Any) -> bool | None:
    """What the server says of itself; None where it may not be asked."""
    try:
        connection.send_command("ROLE")
        role = connection.read_response()[0]
    except redis.ResponseError:
        return None
    return role in {b"slave", "slave"}
