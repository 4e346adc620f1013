"""Whether a Redis server is fit to keep the log: it evicts nothing, and syncs before it answers."""

from collections.abc import Sequence
from typing import Any

import msgspec
import redis
import structlog

from events.redis.errors import UNAVAILABLE
from events.redis.xread import is_cluster

_log = structlog.get_logger(__name__)


class HealthIssue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is wrong with the server. A fatal one keeps the service from running on it.

    `name` is unreachable, evicting, eviction-unknown, not-persistent, not-synced or sync-unknown;
    others may come.
    """

    name: str
    detail: str
    fatal: bool


def log_problems(client: redis.Redis, *, volatile_allowed: bool = False) -> tuple[HealthIssue, ...]:
    """Everything wrong with the log's server, or with any primary of its cluster.

    Eviction is always fatal. What may be lost with the machine is fatal unless `volatile_allowed`.
    Details are shown to anyone: they name no address.
    """
    try:
        found = [
            problem
            for server in _servers(client)
            for problem in _problems(server, lasting=not volatile_allowed)
        ]
    except UNAVAILABLE as error:
        _log.warning("log-unreachable", reason=str(error))
        kind = type(error).__name__
        return (
            HealthIssue("unreachable", f"The log's server does not answer: {kind}.", fatal=True),
        )
    return tuple(dict.fromkeys(found))


def is_fit(problems: Sequence[HealthIssue]) -> bool:
    return not any(problem.fatal for problem in problems)


def _servers(client: Any) -> list[Any]:
    """The server itself, or every primary of a cluster."""
    if not is_cluster(client):
        return [client]
    return [client.get_redis_connection(node) for node in client.get_primaries()]


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
