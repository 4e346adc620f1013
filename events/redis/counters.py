"""What workers have met since the log began, counted where the API can read it for /metrics."""

from typing import Any

import redis

from events.redis.errors import translate_errors

COUNTS = "el:counts"


class Counts:
    """Counts by name, shared by all processes. Raises Busy."""

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client

    def add(self, name: str) -> None:
        with translate_errors():
            self._client.hincrby(COUNTS, name, 1)
