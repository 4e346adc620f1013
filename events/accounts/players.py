"""Players: a plain store beside the log, so that names can be changed and erased.

Logs name a player by id, never by name.
"""

import base64
import secrets
from collections.abc import Iterable
from typing import Any, Protocol

import msgspec
import redis

from events.accounts.redis_tokens import RedisTokens
from events.accounts.tokens import SCOPES, MemoryTokens, Tokens
from events.errors import UnknownPlayer
from events.redis.errors import translate_errors


class Player(msgspec.Struct, frozen=True):
    """A person by id. `name` is what others are shown; None once it is erased."""

    id: str
    name: str | None


class PlayerStore(Protocol):
    """Raises Busy where the store does not answer."""

    @property
    def tokens(self) -> Tokens:
        """What players are known by."""

    def create(self, name: str, scopes: frozenset[str] = SCOPES) -> tuple[Player, str]:
        """A new player and their token, which can never be read again."""

    def get(self, player: str) -> Player:
        """Raises UnknownPlayer."""

    def rename(self, player: str, name: str | None) -> Player:
        """Gives a player another name, or none. Raises UnknownPlayer."""

    def names(self, players: Iterable[str]) -> dict[str, str | None]:
        """The name of each; None for who has none or is unknown."""


class MemoryPlayers:
    """A PlayerStore that keeps everything in this process."""

    def __init__(self) -> None:
        self.tokens = Tokens(MemoryTokens())
        self._players: dict[str, Player] = {}

    def create(self, name: str, scopes: frozenset[str] = SCOPES) -> tuple[Player, str]:
        player = Player(_new_id(), name)
        self._players[player.id] = player
        return player, self.tokens.issue(player.id, scopes)

    def get(self, player: str) -> Player:
        try:
            return self._players[player]
        except KeyError:
            raise UnknownPlayer(player) from None

    def rename(self, player: str, name: str | None) -> Player:
        self.get(player)
        self._players[player] = renamed = Player(player, name)
        return renamed

    def names(self, players: Iterable[str]) -> dict[str, str | None]:
        known = self._players
        return {player: known[player].name if player in known else None for player in players}


class RedisPlayers:
    """A PlayerStore on Redis, one hash a player. `client` must not decode."""

    def __init__(self, client: redis.Redis) -> None:
        self.tokens = Tokens(RedisTokens(client))
        self._client: Any = client

    def create(self, name: str, scopes: frozenset[str] = SCOPES) -> tuple[Player, str]:
        player = Player(_new_id(), name)
        with translate_errors():
            self._client.hset(_player(player.id), "name", name)
        return player, self.tokens.issue(player.id, scopes)

    def get(self, player: str) -> Player:
        with translate_errors():
            token, name = self._client.hmget(_player(player), "token", "name")
        if token is None:
            raise UnknownPlayer(player)
        return Player(player, _text(name))

    def rename(self, player: str, name: str | None) -> Player:
        self.get(player)
        with translate_errors():
            if name is None:
                self._client.hdel(_player(player), "name")
            else:
                self._client.hset(_player(player), "name", name)
        return Player(player, name)

    def names(self, players: Iterable[str]) -> dict[str, str | None]:
        asked = list(dict.fromkeys(players))
        if not asked:
            return {}
        with translate_errors(), self._client.pipeline(transaction=False) as pipeline:
            for player in asked:
                pipeline.hget(_player(player), "name")
            found = pipeline.execute()
        return dict(zip(asked, map(_text, found), strict=True))


def _new_id() -> str:
    """`p_` and 80 random bits in 16 characters, a-z and 2-7."""
    return "p_" + base64.b32encode(secrets.token_bytes(10)).decode().lower()


def _player(player: str) -> str:
    return f"el:player:{player}"


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()
