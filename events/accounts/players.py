"""Players and their tokens: a plain store beside the log, so that names can be changed and erased.

A token is shown once and kept as its SHA-256 only. Logs name a player by id, never by name.
"""

import base64
import hashlib
import secrets
import unicodedata
from collections.abc import Iterable
from typing import Any, Protocol

import msgspec
import redis

from events.errors import UnknownPlayer
from events.redis.errors import translate_errors

SCOPES = frozenset({"play", "audit"})
NAME_LENGTH = 40

_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and a symbol, as Unicode has it, that show nothing."""


class InvalidName(ValueError):
    """The message says what a name must be."""


class Player(msgspec.Struct, frozen=True):
    """A person by id. `name` is what others are shown; None once it is erased."""

    id: str
    name: str | None


class Identity(msgspec.Struct, frozen=True):
    """Whom a token stands for, and what it may be used for."""

    player: str
    scopes: frozenset[str]


class PlayerStore(Protocol):
    """Raises Busy where the store does not answer."""

    def create(self, name: str) -> tuple[Player, str]:
        """A new player and their token, which can never be read again."""

    def get(self, player: str) -> Player:
        """Raises UnknownPlayer."""

    def rename(self, player: str, name: str | None) -> Player:
        """Gives a player another name, or none. Raises UnknownPlayer."""

    def identify(self, token: str) -> Identity | None:
        """Whom a token stands for; None where it is nobody's."""

    def holder(self, hashed: str) -> Identity | None:
        """The same by the token's hash."""

    def replace_token(self, token: str, scopes: frozenset[str] | None = None) -> str | None:
        """A new token for the same player, with these scopes or the same, in place of `token`.

        None where that is nobody's: of several who replace one token, one gets a new one.
        """

    def revoke_token(self, token: str) -> None:
        """Makes a token nobody's."""

    def names(self, players: Iterable[str]) -> dict[str, str | None]:
        """The name of each; None for who has none or is unknown."""


class MemoryPlayers:
    """A PlayerStore that keeps everything in this process."""

    def __init__(self) -> None:
        self._players: dict[str, Player] = {}
        self._tokens: dict[str, Identity] = {}

    def create(self, name: str) -> tuple[Player, str]:
        player, token = Player(_new_id(), name), _new_token()
        self._players[player.id] = player
        self._tokens[token_hash(token)] = Identity(player.id, SCOPES)
        return player, token

    def get(self, player: str) -> Player:
        try:
            return self._players[player]
        except KeyError:
            raise UnknownPlayer(player) from None

    def rename(self, player: str, name: str | None) -> Player:
        self.get(player)
        self._players[player] = renamed = Player(player, name)
        return renamed

    def identify(self, token: str) -> Identity | None:
        return self.holder(token_hash(token))

    def holder(self, hashed: str) -> Identity | None:
        return self._tokens.get(hashed)

    def replace_token(self, token: str, scopes: frozenset[str] | None = None) -> str | None:
        known = self._tokens.pop(token_hash(token), None)
        if known is None:
            return None
        made = _new_token()
        self._tokens[token_hash(made)] = Identity(known.player, scopes or known.scopes)
        return made

    def revoke_token(self, token: str) -> None:
        self._tokens.pop(token_hash(token), None)

    def names(self, players: Iterable[str]) -> dict[str, str | None]:
        known = self._players
        return {player: known[player].name if player in known else None for player in players}


class RedisPlayers:
    """A PlayerStore on Redis: one hash per player, one per token. `client` must not decode.

    A player's record names the hash of their token, so that whoever knows the player alone can
    tell which it is. No two keys are ever needed in one step.
    """

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client

    def create(self, name: str) -> tuple[Player, str]:
        player, token = Player(_new_id(), name), _new_token()
        hashed = token_hash(token)
        with translate_errors():
            self._client.hset(_player(player.id), mapping={"token": hashed, "name": name})
            self._keep(hashed, Identity(player.id, SCOPES))
        return player, token

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

    def identify(self, token: str) -> Identity | None:
        return self.holder(token_hash(token))

    def holder(self, hashed: str) -> Identity | None:
        with translate_errors():
            player, scopes = self._client.hmget(_token(hashed), "player", "scopes")
        if player is None:
            return None
        return Identity(player.decode(), frozenset(scopes.decode().split()))

    def replace_token(self, token: str, scopes: frozenset[str] | None = None) -> str | None:
        known = self.identify(token)
        if known is None:
            return None
        made = _new_token()
        hashed = token_hash(made)
        with translate_errors():
            self._keep(hashed, Identity(known.player, scopes or known.scopes))
            if not self._client.delete(_token(token_hash(token))):
                self._client.delete(_token(hashed))
                return None
            self._client.hset(_player(known.player), "token", hashed)
        return made

    def revoke_token(self, token: str) -> None:
        with translate_errors():
            self._client.delete(_token(token_hash(token)))

    def _keep(self, hashed: str, whose: Identity) -> None:
        scopes = " ".join(sorted(whose.scopes))
        self._client.hset(_token(hashed), mapping={"player": whose.player, "scopes": scopes})

    def names(self, players: Iterable[str]) -> dict[str, str | None]:
        asked = list(dict.fromkeys(players))
        if not asked:
            return {}
        with translate_errors(), self._client.pipeline(transaction=False) as pipeline:
            for player in asked:
                pipeline.hget(_player(player), "name")
            found = pipeline.execute()
        return dict(zip(asked, map(_text, found), strict=True))


def proper_name(given: str) -> str:
    """A name for people to read, trimmed and composed (NFC). Raises InvalidName."""
    name = unicodedata.normalize("NFC", given)
    if any(unicodedata.category(c) in _CONTROLS or c in _OVERRIDES for c in name):
        raise InvalidName("A name has no control characters.")
    name = name.strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        raise InvalidName(f"A name has 1 to {NAME_LENGTH} characters.")
    if not any(unicodedata.category(c)[0] in "LNPS" and c not in _BLANKS for c in name):
        raise InvalidName("A name has at least one character that can be seen.")
    return name


def token_hash(token: str) -> str:
    """What is stored of a token. It has 256 random bits, so a plain hash does."""
    return hashlib.sha256(token.encode()).hexdigest()


def _new_id() -> str:
    """`p_` and 80 random bits in 16 characters, a-z and 2-7."""
    return "p_" + base64.b32encode(secrets.token_bytes(10)).decode().lower()


def _new_token() -> str:
    return "elt_" + secrets.token_urlsafe(32)


def _player(player: str) -> str:
    return f"el:player:{player}"


def _token(hashed: str) -> str:
    return f"el:token:{hashed}"


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()
