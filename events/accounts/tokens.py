"""Tokens: whom one stands for and what it may do; how one is issued, replaced and revoked.

A token is shown once and kept as its SHA-256 only.
"""

import hashlib
import secrets
from typing import Any, Protocol

import msgspec
import redis

from events.redis.errors import translate_errors

SCOPES = frozenset({"play", "audit"})


class Identity(msgspec.Struct, frozen=True):
    """Whom a token stands for, and what it may be used for."""

    player: str
    scopes: frozenset[str]


class TokenStore(Protocol):
    """Raises Busy where the store does not answer."""

    def issue(self, player: str, scopes: frozenset[str] = SCOPES) -> str:
        """A new token for a player, which can never be read again."""

    def identify(self, token: str) -> Identity | None:
        """Whom a token stands for; None where it is nobody's."""

    def holder(self, hashed: str) -> Identity | None:
        """The same by the token's hash."""

    def replace(self, token: str, scopes: frozenset[str] | None = None) -> str | None:
        """A new token for the same player, with these scopes or the same, in place of `token`.

        None where that is nobody's: of several who replace one token, one gets a new one.
        """

    def revoke(self, token: str) -> None:
        """Makes a token nobody's."""


class MemoryTokens:
    """A TokenStore that keeps everything in this process."""

    def __init__(self) -> None:
        self._tokens: dict[str, Identity] = {}

    def issue(self, player: str, scopes: frozenset[str] = SCOPES) -> str:
        token = _new_token()
        self._tokens[token_hash(token)] = Identity(player, scopes)
        return token

    def identify(self, token: str) -> Identity | None:
        return self.holder(token_hash(token))

    def holder(self, hashed: str) -> Identity | None:
        return self._tokens.get(hashed)

    def replace(self, token: str, scopes: frozenset[str] | None = None) -> str | None:
        known = self._tokens.pop(token_hash(token), None)
        return None if known is None else self.issue(known.player, scopes or known.scopes)

    def revoke(self, token: str) -> None:
        self._tokens.pop(token_hash(token), None)


class RedisTokens:
    """A TokenStore on Redis, one hash a token. `client` must not decode.

    A player's record names the hash of their token, so that whoever knows the player alone can
    tell which it is. No two keys are ever needed in one step.
    """

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client

    def issue(self, player: str, scopes: frozenset[str] = SCOPES) -> str:
        token = _new_token()
        with translate_errors():
            self._client.hset(f"el:player:{player}", "token", token_hash(token))
            self._keep(token_hash(token), Identity(player, scopes))
        return token

    def identify(self, token: str) -> Identity | None:
        return self.holder(token_hash(token))

    def holder(self, hashed: str) -> Identity | None:
        with translate_errors():
            player, scopes = self._client.hmget(_key(hashed), "player", "scopes")
        if player is None:
            return None
        return Identity(player.decode(), frozenset(scopes.decode().split()))

    def replace(self, token: str, scopes: frozenset[str] | None = None) -> str | None:
        known = self.identify(token)
        if known is None:
            return None
        made = _new_token()
        hashed = token_hash(made)
        with translate_errors():
            self._keep(hashed, Identity(known.player, scopes or known.scopes))
            if not self._client.delete(_key(token_hash(token))):
                self._client.delete(_key(hashed))
                return None
            self._client.hset(f"el:player:{known.player}", "token", hashed)
        return made

    def revoke(self, token: str) -> None:
        with translate_errors():
            self._client.delete(_key(token_hash(token)))

    def _keep(self, hashed: str, whose: Identity) -> None:
        scopes = " ".join(sorted(whose.scopes))
        self._client.hset(_key(hashed), mapping={"player": whose.player, "scopes": scopes})


def token_hash(token: str) -> str:
    """What is stored of a token. It has 256 random bits, so a plain hash does."""
    return hashlib.sha256(token.encode()).hexdigest()


def _new_token() -> str:
    return "elt_" + secrets.token_urlsafe(32)


def _key(hashed: str) -> str:
    return f"el:token:{hashed}"
