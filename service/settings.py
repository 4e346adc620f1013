"""Every setting of the service, read from the environment once, and typed."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from events.redis.client import check_url

T = TypeVar("T")

KIB = 1024
OFF = "off"
DAY = 24 * 60 * 60
UNITS = {
    "second": 1,
    "minute": 60,
    "hour": 60 * 60,
    "day": DAY,
    "month": 30 * DAY,
    "year": 360 * DAY,
}
"""Seconds; a month is thirty days, a year twelve of them."""

LIMIT = re.compile(rf"([0-9]+)\s*(?:/|per)\s*([0-9]*)\s*({'|'.join(UNITS)})s?")
ORIGIN = re.compile(
    r"(?!http://.*:80$|https://.*:443$)"
    r"[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?"
)
"""As browsers send it, who leave out the usual ports."""

PATH_PREFIX = r"(/[A-Za-z0-9._~-]+)+"
LOG_LEVELS = ("debug", "info", "warning", "error", "critical")


class Limit(NamedTuple):
    """At most so many in so many seconds."""

    amount: int
    seconds: int


def parse_limit(text: str) -> Limit | None:
    """`200/second`, `2000/10 minutes`, `5 per hour`; None of `off`. Raises ValueError."""
    if text == OFF:
        return None
    found = LIMIT.fullmatch(text.strip().lower())
    limit = found and Limit(int(found[1]), int(found[2] or 1) * UNITS[found[3]])
    if not limit or 0 in limit:
        raise ValueError(f"{text!r} is not like 200/second, or off")
    return limit


class InvalidSetting(ValueError):
    """A setting in the environment that cannot be read; the message names it."""


def _url(name: str, given: str) -> str:
    """The message never holds the address: there may be a password in it."""
    try:
        check_url(given)
    except ValueError as error:
        raise InvalidSetting(f"{name} is no address of a server: {error}") from None
    return given


def _text(_name: str, given: str) -> str:
    return given


def _path(_name: str, given: str) -> Path:
    return Path(given)


def _origins(name: str, given: str) -> frozenset[str]:
    for origin in given.split():
        if origin != "*" and not ORIGIN.fullmatch(origin):
            raise InvalidSetting(
                f"{name} is {origin!r} in one place; an origin is as browsers send it, like "
                "https://table.example or http://localhost:5173, without a path, or *"
            )
    return frozenset(given.split())


def _prefix(name: str, given: str) -> str:
    if not re.fullmatch(PATH_PREFIX, given):
        raise InvalidSetting(f"{name} is {given!r}; it must be like /games, without a slash behind")
    return given


def _whole(name: str, given: str) -> int:
    if not given.isdecimal() or int(given) < 1:
        raise InvalidSetting(f"{name} is {given!r}; it must be a whole number above 0")
    return int(given)


def _seconds(name: str, given: str) -> float:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", given) or float(given) == 0:
        raise InvalidSetting(f"{name} is {given!r}; it must be a number of seconds above 0")
    return float(given)


def _limit(name: str, given: str) -> str:
    try:
        parse_limit(given.strip())
    except ValueError:
        raise InvalidSetting(f"{name} is {given!r}; it must be like 200/second, or off") from None
    return given.strip()


def _yes(name: str, given: str) -> bool:
    given = given.lower()
    if given not in {"0", "no", "false", "1", "yes", "true"}:
        raise InvalidSetting(f"{name} is {given!r}; it must be yes or no")
    return given in {"1", "yes", "true"}


def _directory(name: str, given: str) -> Path:
    if not Path(given).is_dir():
        raise InvalidSetting(f"{name} is {given!r}; there is no such directory")
    return Path(given)


def _log_level(name: str, given: str) -> str:
    given = given.lower()
    if given not in LOG_LEVELS:
        raise InvalidSetting(f"{name} is {given!r}; it must be of {LOG_LEVELS}")
    return given


def _setting(name: str, read: Callable[[str, str], T], default: T) -> T:
    """A field that `read` makes of the environment's variable `name`, where that is not empty."""
    return field(default=default, metadata={"name": name, "read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Sizes in bytes, times in seconds. docs/operations.md says what each is for.

    The limits are for each player and each API process, those of registrations and of reads without
    a token for each address: a number in a time, such as `200/second` or `2000/10 minutes`, or
    `off`. What they are here is far beyond what people and their clients do; they keep a mad client
    from taking the whole service. A player is `connected` for `presence_window` after a call, or
    while a stream is open. A client that stands still for `send_seconds` in the midst of a message
    is cut off; between two requests, after `keepalive`.
    """

    redis_url: str = _setting("REDIS_URL", _url, "")
    queue_redis_url: str = _setting("QUEUE_REDIS_URL", _url, "")
    data: Path = _setting("ELSINORE_DATA", _path, Path("var"))
    bind: str = _setting("ELSINORE_BIND", _text, "127.0.0.1:8000")
    api_processes: int = _setting("ELSINORE_API_PROCESSES", _whole, 1)
    cors_origins: frozenset[str] = _setting("ELSINORE_CORS_ORIGINS", _origins, frozenset())
    path_prefix: str = _setting("ELSINORE_PATH_PREFIX", _prefix, "")
    trusted_proxies: int = _setting("ELSINORE_TRUSTED_PROXIES", _whole, 0)
    body_limit: int = _setting("ELSINORE_BODY_LIMIT", _whole, 64 * KIB)
    opening_limit: int = _setting("ELSINORE_OPENING_LIMIT", _whole, 256 * KIB)
    heartbeat: float = _setting("ELSINORE_HEARTBEAT_SECONDS", _seconds, 15.0)
    longest_wait: float = _setting("ELSINORE_LONGEST_WAIT_SECONDS", _seconds, 60.0)
    send_seconds: float = _setting("ELSINORE_SEND_SECONDS", _seconds, 60.0)
    keepalive: float = _setting("ELSINORE_KEEPALIVE_SECONDS", _seconds, 75.0)
    streams: int = _setting("ELSINORE_STREAMS", _whole, 5000)
    streams_per_player: int = _setting("ELSINORE_STREAMS_PER_PLAYER", _whole, 16)
    presence_window: float = _setting("ELSINORE_PRESENCE_SECONDS", _seconds, 75.0)
    limit_moves: str = _setting("ELSINORE_LIMIT_MOVES", _limit, "500/second")
    limit_lobby: str = _setting("ELSINORE_LIMIT_LOBBY", _limit, "500/second")
    limit_reads: str = _setting("ELSINORE_LIMIT_READS", _limit, "2000/second")
    limit_open_reads: str = _setting("ELSINORE_LIMIT_OPEN_READS", _limit, "2000/second")
    limit_registrations: str = _setting("ELSINORE_LIMIT_REGISTRATIONS", _limit, "6000/minute")
    volatile_allowed: bool = _setting("ELSINORE_ALLOW_VOLATILE", _yes, default=False)
    card_sets: Path | None = _setting("ELSINORE_CARDSETS", _directory, None)
    log_level: str = _setting("ELSINORE_LOG_LEVEL", _log_level, "info")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Raises InvalidSetting. What the environment does not say is as it stands above."""
        found: dict[str, Any] = {}
        for setting in fields(cls):
            name, read = setting.metadata["name"], setting.metadata["read"]
            if given := environment.get(name):
                found[setting.name] = read(name, given)
        return cls(**found)
