"""Every setting of the service, read from the environment once, and typed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from events.redis.client import check_url

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
LIMIT = re.compile(rf"([0-9]+)\s*(?:/|per)\s*([0-9]*)\s*({'|'.join(UNITS)})s?")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Sizes in bytes, times in seconds. docs/operations.md says what each is for.

    The limits are for each player and each API process, those of registrations for each address:
    a number in a time, such as `200/second` or `2000/10 minutes`, or `off`. What they are here is
    far beyond what people and their clients do; they keep a mad client from taking the whole
    service. A player is `connected` for `presence_window` after a call, or while a stream is open.
    A client that stands still for `send_seconds` in the midst of a message is cut off.
    """

    redis_url: str = ""
    queue_redis_url: str = ""
    data: Path = Path("var")
    bind: str = "127.0.0.1:8000"
    api_processes: int = 1
    cors_origins: frozenset[str] = frozenset()
    body_limit: int = 64 * KIB
    opening_limit: int = 256 * KIB
    heartbeat: float = 15.0
    longest_wait: float = 60.0
    send_seconds: float = 60.0
    streams: int = 5000
    streams_per_player: int = 16
    presence_window: float = 75.0
    limit_moves: str = "500/second"
    limit_lobby: str = "500/second"
    limit_reads: str = "2000/second"
    limit_registrations: str = "6000/minute"
    volatile_allowed: bool = False
    card_sets: Path | None = None
    log_level: str = "info"

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Raises InvalidSetting."""
        return cls(
            redis_url=_url(environment, "REDIS_URL"),
            queue_redis_url=_url(environment, "QUEUE_REDIS_URL"),
            data=Path(environment.get("ELSINORE_DATA") or "var"),
            bind=environment.get("ELSINORE_BIND") or "127.0.0.1:8000",
            api_processes=_whole(environment, "ELSINORE_API_PROCESSES", 1),
            cors_origins=frozenset(environment.get("ELSINORE_CORS_ORIGINS", "").split()),
            body_limit=_whole(environment, "ELSINORE_BODY_LIMIT", 64 * KIB),
            opening_limit=_whole(environment, "ELSINORE_OPENING_LIMIT", 256 * KIB),
            heartbeat=_seconds(environment, "ELSINORE_HEARTBEAT_SECONDS", 15.0),
            longest_wait=_seconds(environment, "ELSINORE_LONGEST_WAIT_SECONDS", 60.0),
            send_seconds=_seconds(environment, "ELSINORE_SEND_SECONDS", 60.0),
            streams=_whole(environment, "ELSINORE_STREAMS", 5000),
            streams_per_player=_whole(environment, "ELSINORE_STREAMS_PER_PLAYER", 16),
            presence_window=_seconds(environment, "ELSINORE_PRESENCE_SECONDS", 75.0),
            limit_moves=_limit(environment, "MOVES", "500/second"),
            limit_lobby=_limit(environment, "LOBBY", "500/second"),
            limit_reads=_limit(environment, "READS", "2000/second"),
            limit_registrations=_limit(environment, "REGISTRATIONS", "6000/minute"),
            volatile_allowed=_yes(environment, "ELSINORE_ALLOW_VOLATILE"),
            card_sets=_directory(environment, "ELSINORE_CARDSETS"),
            log_level=_log_level(environment),
        )


def _url(environment: Mapping[str, str], name: str) -> str:
    """The message never holds the address: there may be a password in it."""
    given = environment.get(name, "")
    if given:
        try:
            check_url(given)
        except ValueError as error:
            raise InvalidSetting(f"{name} is no address of a server: {error}") from None
    return given


def _log_level(environment: Mapping[str, str]) -> str:
    given = environment.get("ELSINORE_LOG_LEVEL", "").lower() or "info"
    if given not in LOG_LEVELS:
        raise InvalidSetting(f"ELSINORE_LOG_LEVEL is {given!r}; it must be of {LOG_LEVELS}")
    return given


def _whole(environment: Mapping[str, str], name: str, default: int) -> int:
    given = environment.get(name, "")
    if not given:
        return default
    if not given.isdecimal() or int(given) < 1:
        raise InvalidSetting(f"{name} is {given!r}; it must be a whole number above 0")
    return int(given)


def _seconds(environment: Mapping[str, str], name: str, default: float) -> float:
    given = environment.get(name, "")
    if not given:
        return default
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", given) or float(given) == 0:
        raise InvalidSetting(f"{name} is {given!r}; it must be a number of seconds above 0")
    return float(given)


def _directory(environment: Mapping[str, str], name: str) -> Path | None:
    given = environment.get(name, "")
    if given and not Path(given).is_dir():
        raise InvalidSetting(f"{name} is {given!r}; there is no such directory")
    return Path(given) if given else None


def _limit(environment: Mapping[str, str], name: str, default: str) -> str:
    given = environment.get(f"ELSINORE_LIMIT_{name}", "").strip() or default
    try:
        parse_limit(given)
    except ValueError:
        raise InvalidSetting(
            f"ELSINORE_LIMIT_{name} is {given!r}; it must be like 200/second, or off"
        ) from None
    return given


def _yes(environment: Mapping[str, str], name: str) -> bool:
    given = environment.get(name, "").lower()
    if given not in {"", "0", "no", "false", "1", "yes", "true"}:
        raise InvalidSetting(f"{name} is {given!r}; it must be yes or no")
    return given in {"1", "yes", "true"}
