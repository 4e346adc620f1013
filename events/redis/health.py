"""Whether a Redis server is fit to keep the log: it evicts nothing, syncs before it answers, and
would take an append now."""

from collections.abc import Sequence
from typing import Any

import msgspec
import redis
import structlog

from events.redis.errors import UNAVAILABLE, first_words
from events.redis.failover import Demoted
from events.redis.keys import ALL_PARTITIONS
from events.redis.xread import is_cluster

NO_ROOM = 2**31 - 1
"""Replicas that a server must have to write: never so many. Said by whoever watches its disk."""

PASSING = {
    "unreachable", "loading", "not-primary", "no-replicas", "memory-full", "disk-full",
    "disk-failing",
}  # fmt: skip
"""Names of what may be over by and by; the service starts, answers what it can, and waits."""

_log = structlog.get_logger(__name__)


class HealthIssue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is wrong with the server. A fatal one keeps the service from running on it.

    `name` is unreachable, loading, evicting, eviction-unknown, not-persistent, not-synced,
    sync-unknown, not-primary, no-replicas, memory-full, disk-full or disk-failing; others may come.
    """

    name: str
    detail: str
    fatal: bool


def log_problems(client: redis.Redis, *, volatile_allowed: bool = False) -> tuple[HealthIssue, ...]:
    """Everything wrong with the log's server, or with any primary of its cluster.

    Eviction is always fatal, and so is whatever keeps an append from being taken. What may be lost
    with the machine is fatal unless `volatile_allowed`.
    Details are shown to anyone: they name no address.
    """
    try:
        found = [
            problem
            for server, probe in _servers(client)
            for problem in (
                *_problems(server, lasting=not volatile_allowed),
                *_refusals(server, probe),
            )
        ]
    except redis.exceptions.BusyLoadingError:
        return (HealthIssue("loading", "The log's server is still reading its files.", fatal=True),)
    except UNAVAILABLE as error:
        _log.warning("log-unreachable", reason=str(error))
        kind = type(error).__name__
        return (
            HealthIssue("unreachable", f"The log's server does not answer: {kind}.", fatal=True),
        )
    return tuple(dict.fromkeys(found))


def lasting(problems: Sequence[HealthIssue]) -> list[HealthIssue]:
    """Those that no waiting mends: nothing starts on such a server."""
    return [problem for problem in problems if problem.fatal and problem.name not in PASSING]


def is_fit(problems: Sequence[HealthIssue]) -> bool:
    return not any(problem.fatal for problem in problems)


def _servers(client: Any) -> list[tuple[Any, str | None]]:
    """The server itself, or every primary of a cluster; each with a key that it keeps, if any."""
    keys = [partition.probe for partition in ALL_PARTITIONS]
    if not is_cluster(client):
        return [(client, keys[0])]
    kept = {client.get_node_from_key(key).name: key for key in keys}
    return [
        (client.get_redis_connection(node), kept.get(node.name)) for node in client.get_primaries()
    ]


def _refusals(server: Any, probe: str | None) -> list[HealthIssue]:
    """Why an append would be refused: as is an empty string, which changes nothing where it goes
    and is written nowhere."""
    if probe is None:
        return []
    try:
        server.setrange(probe, 0, "")
    except redis.exceptions.OutOfMemoryError:
        return [
            HealthIssue("memory-full", "The log's server has come to its maxmemory.", fatal=True)
        ]
    except Demoted as refusal:
        return [_demoted(server, refusal)]
    except redis.ResponseError as error:
        if first_words(error).startswith("MISCONF"):
            return [
                HealthIssue("disk-failing", "The log's server cannot write to disk.", fatal=True)
            ]
    if _replicates(server):
        return [NOT_PRIMARY]
    return []


def _demoted(server: Any, refusal: Demoted) -> HealthIssue:
    if "NOREPLICAS" not in str(refusal):
        return NOT_PRIMARY
    if _setting(server, "min-replicas-to-write") == str(NO_ROOM):
        detail = "The disk of the log's server is full: it writes nothing until there is room."
        return HealthIssue("disk-full", detail, fatal=True)
    return HealthIssue("no-replicas", "The log's server has too few replicas to write.", fatal=True)


def _replicates(server: Any) -> bool:
    """Whether it takes writes that its own primary will undo."""
    try:
        return bool(server.info("replication").get("role") == "slave")
    except redis.ResponseError:
        return False


NOT_PRIMARY = HealthIssue("not-primary", "The log's server is a replica of another.", fatal=True)


def _problems(server: Any, *, lasting: bool) -> list[HealthIssue]:
    policy = _setting(server, "maxmemory-policy", "maxmemory_policy")
    persistent = _setting(server, "appendonly", "aof_enabled")
    synced = _setting(server, "appendfsync")
    found = []
    if policy is None:
        found.append(
            HealthIssue(
                "eviction-unknown", "The server does not tell its maxmemory-policy.", lasting
            )
        )
    elif policy != "noeviction":
        found.append(
            HealthIssue(
                "evicting", f"maxmemory-policy is {policy}; it must be noeviction.", fatal=True
            )
        )
    if persistent not in {"yes", "1"}:
        found.append(
            HealthIssue("not-persistent", "appendonly is not on: a restart loses the log.", lasting)
        )
    elif synced is None:
        found.append(
            HealthIssue("sync-unknown", "The server does not tell its appendfsync.", lasting)
        )
    elif synced != "always":
        found.append(
            HealthIssue(
                "not-synced",
                f"appendfsync is {synced}: a power cut loses what was acknowledged; set always.",
                lasting,
            )
        )
    return found


def _setting(client: Any, name: str, reported: str | None = None) -> str | None:
    """A setting by CONFIG, or as INFO reports it where CONFIG is refused; None if by neither."""
    try:
        value = client.config_get(name).get(name)
    except redis.ResponseError:
        value = None
    if value is None and reported is not None:
        try:
            value = client.info("everything").get(reported)
        except redis.ResponseError:
            value = None
    if isinstance(value, bytes):
        return value.decode()
    return None if value is None else str(value)
