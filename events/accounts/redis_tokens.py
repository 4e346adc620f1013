"""The records of tokens in Redis: one hash a token, each step a script of its own."""

from importlib.resources import files
from typing import Any

import redis

from events.accounts.tokens import Identity, Record
from events.redis.errors import translate_errors

FORGET_SECONDS = 3600
"""Longer than any request takes that still has an ended token in hand."""


class RedisTokens:
    """TokenRecords on Redis, one hash a token. `client` must not decode.

    A player's record names the hash of their token, so that whoever knows the player alone can
    tell which it is.
    """

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client
        self._claim = _script(client, "claim_successor")
        self._keep = _script(client, "keep_token")
        self._end = _script(client, "end_token")

    def get(self, hashed: str) -> Record | None:
        with translate_errors():
            player, scopes, replaces = self._client.hmget(
                _key(hashed), "player", "scopes", "replaces"
            )
        if player is None:
            return None
        identity = Identity(player.decode(), frozenset(scopes.decode().split()))
        return Record(identity, _text(replaces))

    def keep(self, hashed: str, record: Record) -> None:
        fields = ["player", record.identity.player, "scopes", _listed(record.identity.scopes)]
        if record.replaces is not None:
            fields += ["replaces", record.replaces]
        with translate_errors():
            self._keep(keys=[_key(hashed)], args=fields)

    def claim(
        self, hashed: str, scopes: frozenset[str], salt: str, successor: str
    ) -> tuple[str, str | None] | None:
        with translate_errors():
            said = self._claim(keys=[_key(hashed)], args=[_listed(scopes), salt, successor])
        return None if said is None else (said[0].decode(), _text(said[1]))

    def end(self, hashed: str, by: str) -> tuple[bool, str | None]:
        with translate_errors():
            said = self._end(keys=[_key(hashed)], args=[by])
        return said[0] == 1, _text(said[1])

    def settle(self, hashed: str) -> None:
        with translate_errors():
            self._client.hdel(_key(hashed), "replaces")

    def forget(self, hashed: str) -> None:
        with translate_errors():
            self._client.expire(_key(hashed), FORGET_SECONDS)

    def current(self, player: str) -> str | None:
        with translate_errors():
            return _text(self._client.hget(_player(player), "token"))

    def set_current(self, player: str, hashed: str) -> None:
        with translate_errors():
            self._client.hset(_player(player), "token", hashed)


def _script(client: redis.Redis, name: str) -> Any:
    return client.register_script(files("events.accounts").joinpath(f"{name}.lua").read_text())


def _listed(scopes: frozenset[str]) -> str:
    return " ".join(sorted(scopes))


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _key(hashed: str) -> str:
    return f"el:token:{hashed}"


def _player(player: str) -> str:
    return f"el:player:{player}"
