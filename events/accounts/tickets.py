"""Tickets: what stands for a token where only a URL can be given, for one minute.

A ticket is kept as its SHA-256 and names the hash of the token it was got with, so it is worth
nothing once that token is.
"""

import secrets
import time
from collections.abc import Callable
from typing import Any, Protocol

import redis

from events.accounts.tokens import token_hash
from events.redis.errors import translate_errors

SECONDS = 60


class TicketStore(Protocol):
    """Raises Busy where the store does not answer."""

    def issue(self, token: str) -> str:
        """A ticket for the token with this hash."""

    def token_of(self, ticket: str) -> str | None:
        """The hash of the token it was issued for; None where it has expired or never was."""


class MemoryTickets:
    """A TicketStore that keeps everything in this process. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tickets: dict[str, tuple[str, float]] = {}

    def issue(self, token: str) -> str:
        ticket, now = _new_ticket(), self._clock()
        self._tickets = {key: kept for key, kept in self._tickets.items() if kept[1] > now}
        self._tickets[token_hash(ticket)] = (token, now + SECONDS)
        return ticket

    def token_of(self, ticket: str) -> str | None:
        token, until = self._tickets.get(token_hash(ticket), (None, 0.0))
        return token if until > self._clock() else None


class RedisTickets:
    """A TicketStore on Redis, which lets them expire. `client` must not decode."""

    def __init__(self, client: redis.Redis) -> None:
        self._client: Any = client

    def issue(self, token: str) -> str:
        ticket = _new_ticket()
        with translate_errors():
            self._client.set(_key(ticket), token, ex=SECONDS)
        return ticket

    def token_of(self, ticket: str) -> str | None:
        with translate_errors():
            token = self._client.get(_key(ticket))
        return None if token is None else token.decode()


def _new_ticket() -> str:
    return "elk_" + secrets.token_urlsafe(32)


def _key(ticket: str) -> str:
    return f"el:ticket:{token_hash(ticket)}"
