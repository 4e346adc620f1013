"""What we override and call in other people's packages that they have not promised to keep.

An upgrade that changes any of it fails here first, and says what leans on it.
"""

import inspect
import tomllib
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
BOUNDED = ("rq", "gunicorn", "gevent", "flask-smorest", "webargs", "redis", "fakeredis")

ATTRIBUTE = None
"""In the place of parameters: no function, but there."""

OVERRIDDEN: dict[str, dict[str, tuple[str | None, str]]] = {
    "workers.queue.rq_worker:InProcessWorker": {
        "subscribe": ("self", "a worker takes no commands"),
        "check_for_suspension": ("self burst", "a server that is away ends no worker"),
        "set_state": ("self state pipeline", "a server that is away ends no worker"),
        "heartbeat": ("self timeout pipeline", "a server that is away ends no worker"),
        "execute_job": ("self job queue", "a server that is away ends no worker"),
        "run_maintenance_tasks": ("self", "what rq cannot read in its own sets ends no worker"),
        "handle_exception": ("self job exc_info", "rq's log would have the error's text in it"),
        "handle_job_failure": (
            "self job queue started_job_registry exc_string execution",
            "rq would keep the error's text, `exc_string`",
        ),
        "get_heartbeat_ttl": ("self job working_time", "a dead worker's job runs again in seconds"),
        "dequeue_timeout": (ATTRIBUTE, "a worker asks again soon on a connection that has died"),
        "connection_timeout": (ATTRIBUTE, "no answer is none after this"),
        "max_connection_wait_time": (ATTRIBUTE, "a server that is back is found within a second"),
    },
    "workers.queue.untrusted_jobs:StrictQueue": {
        "lmove": ("connection queue_key timeout", "an id that is none of ours reaches no worker"),
        "lpop": ("queue_keys timeout connection", "what rq calls on a server of unknown version"),
        "move_dependents_to_ready": (
            "self job pipeline exclude_job_id refresh_job_status",
            "no job waits for another",
        ),
    },
    "workers.queue.jobs:WorkJob": {
        "refresh": ("self", "a job that is no hash is thrown away"),
        "restore": ("self raw_data", "what is stored is checked, and our own terms are put in"),
        "func": (ATTRIBUTE, "only entry points of ours are called"),
        "_execute": ("self", "and only with a game and a version"),
        "success_callback": (ATTRIBUTE, "no function is called that a job names"),
        "failure_callback": (ATTRIBUTE, "no function is called that a job names"),
        "stopped_callback": (ATTRIBUTE, "no function is called that a job names"),
        "send_webhooks": ("self status exc_string", "no address is called that a job names"),
    },
    "service.server.worker:Worker": {
        "patch": ("self", "a warning of gevent about redis is not for the log"),
        "handle": ("self listener client addr", "a client that does not read is cut off"),
        "timeout_ctx": ("self", "it bounds the head of a request, and no more the time before it"),
        "handle_request": ("self listener_name req sock addr", "and StopIteration closes quietly"),
        "handle_error": ("self req client addr exc", "refusals are problem details"),
    },
    "service.server.worker:Logger": {
        "setup": ("self cfg", "its handlers on `error_log` write lines as ours"),
    },
    "service.http.error_handlers:Api": {
        "handle_http_exception": ("self error", "refusals are problem details"),
    },
    "service.http.requests:Blueprint": {
        "ARGUMENTS_PARSER": (ATTRIBUTE, "bodies and queries are read by our parser"),
        "route": ("self rule parameters tags options", "it is given a type"),
        "arguments": (
            "self schema location content_type required description example examples kwargs",
            "it is given a type",
        ),
        "doc": ("kwargs", "it writes `_apidoc` without a wrapper around the view"),
    },
    "service.http.requests:Parser": {
        "DEFAULT_UNKNOWN_BY_LOCATION": (ATTRIBUTE, "unknown parameters of a query are refused"),
        "load_json": ("self req schema", "bodies are read strictly"),
        "load_querystring": ("self req schema", "queries are read strictly"),
    },
    "events.redis.client:Pool": {
        "get_connection": (
            "self command_name keys options",
            "whether it is a primary, now and then",
        ),
        "release": ("self connection", "connections that nobody wants are closed"),
    },
}
"""By our class: what it overrides, with the parameters of what it overrides, and why."""

CALLED = {
    "rq.job_lifecycle:call_exception_handlers": ("handlers job", "workers.queue.rq_worker"),
    "rq.utils:as_text": ("v", "workers.queue.work_queue"),
    "rq.timeouts:BaseDeathPenalty": ("timeout exception", "workers.queue.rq_worker"),
    "rq.timeouts:TimerDeathPenalty": ("timeout exception", "workers.queue.rq_worker"),
    "rq.timeouts:UnixSignalDeathPenalty": ("timeout exception", "workers.queue.rq_worker"),
    "gunicorn.workers.base_async:AsyncWorker.handle": (
        "self listener client addr",
        "service.server.worker, past what gevent's worker does",
    ),
    "gunicorn.util:write_nonblock": ("sock data", "service.server.worker, for a refusal"),
    "gevent.socket:wait_read": (
        "fileno timeout",
        "service.live.disconnects, service.server.worker",
    ),
    "redis.cluster:NodesManager": ("connection_pool_class", "events.redis.client"),
    "redis.crc:key_slot": ("key", "tests of what is in one slot"),
    "redis._parsers:BaseParser.parse_error": ("response", "tests/events/test_flaws.py"),
}
"""What we call beyond what is documented: the parameters we give it, and who does."""


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


@pytest.mark.parametrize("ours", OVERRIDDEN)
def test_what_we_override_is_there_and_nothing_else_of_theirs_has_our_names(ours: str) -> None:
    cls = resolve_name(ours)
    theirs = cls.__mro__[1]
    for name, (expected, why) in OVERRIDDEN[ours].items():
        leans = f"{ours} overrides {theirs.__name__}.{name}: {why}"
        assert hasattr(theirs, name), leans
        if expected is not ATTRIBUTE:
            assert " ".join(parameters(getattr(theirs, name))) == expected, leans

    names = {name for name in vars(cls) if hasattr(theirs, name) and name[:2] != "__"}
    assert names - {"_abc_impl"} == OVERRIDDEN[ours].keys(), f"{ours} overrides {theirs.__name__}"


@pytest.mark.parametrize("what", CALLED)
def test_what_we_call_takes_what_we_give_it(what: str) -> None:
    given, who = CALLED[what]

    try:
        found = parameters(resolve_name(what))
    except (ImportError, AttributeError) as gone:
        raise AssertionError(f"{what} is used by {who}") from gone
    assert {*given.split()} <= {*found}, f"{what} is called by {who}"


@pytest.mark.parametrize("name", BOUNDED)
def test_what_we_lean_on_has_an_upper_bound_and_is_pinned_below_it(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    [required] = [found for found in map(Requirement, listed) if found.name == name]
    pins = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text().split() if "==" in line
    )

    assert any(bound.operator == "<" for bound in required.specifier)
    assert Version(pins[name]) in required.specifier
