"""When each player was last seen at a game: beside the log, forgotten after a day.

Nothing is ever decided by it.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol

import redis

from events.redis.errors import translate_errors
from events.redis.keys import partition_of

KEPT_SECONDS = 24 * 60 * 60


class PresenceStore(Protocol):
    """Times in milliseconds since the epoch. Raises Busy where the store does not answer."""

    def note(self, game: str, player: str, at: int) -> None: ...

    def last_seen(self, game: str, players: Sequence[str]) -> dict[str, int]:
        """Of these players, those who were seen there, and when."""


class MemoryPresence:
    """A PresenceStore that keeps everything in this process."""

    def __init__(self) -> None:
        self._seen: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def note(self, game: str, player: str, at: int) -> None:
        self._seen[game][player] = at

    def last_seen(self, game: str, players: Sequence[str]) -> dict[str, int]:
        seen = self._seen.get(game, {})
        return {player: seen[player] for player in players if player in seen}


class RedisPresence:
    """A PresenceStore on Redis, one hash a game. `client` must not decode."""

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client

    def note(self, game: str, player: str, at: int) -> None:
        with translate_errors(), self._client.pipeline(transaction=False) as pipeline:
            pipeline.hset(_key(game), player, at)
            pipeline.expire(_key(game), KEPT_SECONDS)
            pipeline.execute()

    def last_seen(self, game: str, players: Sequence[str]) -> dict[str, int]:
        if not players:
            return {}
        with translate_errors():
            found = self._client.hmget(_key(game), players)
        pairs = zip(players, found, strict=True)
        return {player: int(at) for player, at in pairs if at is not None}


def _key(game: str) -> str:
    return partition_of(game).presence(game)
