"""Tokens: whom one stands for and what it may do; how one is issued, replaced and revoked.

A token is shown once and kept as its SHA-256 only. Its successor is an HMAC under the token itself,
so that whoever replaces it again is given the same one, and no reader of the store can make it.
"""

import base64
import hashlib
import hmac
import secrets
import threading
from typing import Protocol

import msgspec

SCOPES = frozenset({"play", "audit"})
REVOKED = ""
"""What a token ended for, where it was not for a successor's hash."""


class Identity(msgspec.Struct, frozen=True):
    """Whom a token stands for, and what it may be used for."""

    player: str
    scopes: frozenset[str]


class Record(msgspec.Struct, frozen=True):
    """A token that is good. `replaces` is the hash of the one that it ends when first used."""

    identity: Identity
    replaces: str | None = None


class TokenRecords(Protocol):
    """What is kept of tokens, by hash. Each call is one step on one record; they raise Busy."""

    def get(self, hashed: str) -> Record | None:
        """None where it never was, or has ended."""

    def keep(self, hashed: str, record: Record) -> None:
        """Keeps the record of a token, unless it is there or has ended."""

    def claim(
        self, hashed: str, scopes: frozenset[str], salt: str, successor: str
    ) -> tuple[str, str | None] | None:
        """Names the one successor of a token; None where it is not good.

        The salt of the successor, which is the one named before where that has the same scopes, and
        the successor that has lost its place by this.
        """

    def end(self, hashed: str, by: str) -> tuple[bool, str | None]:
        """Ends a token for its successor `by`, or REVOKED; whether it has ended for that, now or
        before, and the successor it had."""

    def settle(self, hashed: str) -> None:
        """The token replaces none any longer."""

    def forget(self, hashed: str) -> None:
        """That this one has ended need be known for as long as a request takes, and no longer."""

    def current(self, player: str) -> str | None:
        """The hash of the token that a player uses."""

    def set_current(self, player: str, hashed: str) -> None: ...


class Tokens:
    """Tokens on `records`. No two records are changed in one step; whoever is interrupted between
    two of them may begin again."""

    def __init__(self, records: TokenRecords) -> None:
        self._records = records

    def issue(self, player: str, scopes: frozenset[str] = SCOPES) -> str:
        """A new token for a player in place of any other, which can never be read again."""
        if (current := self._records.current(player)) is not None:
            self._revoke(current)
        token = "elt_" + secrets.token_urlsafe(32)
        self._records.keep(token_hash(token), Record(Identity(player, scopes)))
        self._records.set_current(player, token_hash(token))
        return token

    def identify(self, token: str) -> Identity | None:
        """Whom a token stands for; None where it is nobody's."""
        return self.holder(token_hash(token))

    def holder(self, hashed: str) -> Identity | None:
        """The same by the token's hash. The first time ends the token that this one replaces."""
        record = self._records.get(hashed)
        if record is None:
            return None
        if record.replaces is not None and not self._take_over(hashed, record):
            self._revoke(hashed)
            return None
        return record.identity

    def replace(self, token: str, scopes: frozenset[str] | None = None) -> str | None:
        """A new token for the same player, with these scopes or the same; None where `token` is
        nobody's. That one is good until the new one is used, and until then replaced by the same
        as long as the scopes are; by other scopes, the one before is nobody's.
        """
        old = token_hash(token)
        known = self.holder(old)
        if known is None:
            return None
        scopes, salt = scopes or known.scopes, secrets.token_hex(16)
        claimed = self._records.claim(old, scopes, salt, token_hash(successor(token, salt)))
        if claimed is None:
            return None
        salt, displaced = claimed
        if displaced is not None:
            self._revoke(displaced)
        made = successor(token, salt)
        self._records.keep(token_hash(made), Record(Identity(known.player, scopes), old))
        return made

    def revoke(self, token: str) -> None:
        """Makes a token nobody's, and the one that was to replace it."""
        self._revoke(token_hash(token))

    def _revoke(self, hashed: str) -> None:
        following: str | None = hashed
        while following is not None:
            one = following
            _, following = self._records.end(one, REVOKED)
            self._records.forget(one)

    def _take_over(self, hashed: str, record: Record) -> bool:
        """Whether the token that this one replaces has ended for it, and for no other."""
        assert record.replaces is not None
        ended, _ = self._records.end(record.replaces, hashed)
        if not ended:
            return False
        self._records.set_current(record.identity.player, hashed)
        self._records.settle(hashed)
        self._records.forget(record.replaces)
        return True


class MemoryTokens:
    """TokenRecords of this process."""

    def __init__(self) -> None:
        self._good: dict[str, Record] = {}
        self._ended: dict[str, str] = {}
        self._named: dict[str, tuple[frozenset[str], str, str]] = {}
        self._current: dict[str, str] = {}
        self._lock = threading.Lock()

    def get(self, hashed: str) -> Record | None:
        return self._good.get(hashed)

    def keep(self, hashed: str, record: Record) -> None:
        if hashed not in self._ended:
            self._good.setdefault(hashed, record)

    def claim(
        self, hashed: str, scopes: frozenset[str], salt: str, successor: str
    ) -> tuple[str, str | None] | None:
        with self._lock:
            if hashed not in self._good:
                return None
            named = self._named.get(hashed)
            if named is not None and named[0] == scopes:
                return named[1], None
            self._named[hashed] = (scopes, salt, successor)
            return salt, named and named[2]

    def end(self, hashed: str, by: str) -> tuple[bool, str | None]:
        with self._lock:
            named = self._named.get(hashed)
            following = named and named[2]
            if hashed in self._good and by in {REVOKED, following}:
                del self._good[hashed]
                self._ended[hashed] = by
            return self._ended.get(hashed) == by, following

    def settle(self, hashed: str) -> None:
        if hashed in self._good:
            self._good[hashed] = msgspec.structs.replace(self._good[hashed], replaces=None)

    def forget(self, hashed: str) -> None:
        """Nothing: the process forgets all when it ends."""

    def current(self, player: str) -> str | None:
        return self._current.get(player)

    def set_current(self, player: str, hashed: str) -> None:
        self._current[player] = hashed


def successor(token: str, salt: str) -> str:
    made = hmac.digest(token.encode(), f"elsinore/1/token-successor {salt}".encode(), "sha256")
    return "elt_" + base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def token_hash(token: str) -> str:
    """What is stored of a token. It has 256 random bits, so a plain hash does."""
    return hashlib.sha256(token.encode()).hexdigest()
