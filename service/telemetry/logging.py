"""Structured logs: one JSON object a line, on standard error; gunicorn's lines among ours."""

import logging
import sys
import threading
from collections.abc import Iterable, MutableMapping
from traceback import format_tb
from types import TracebackType
from typing import Any

import msgspec
import structlog

from events.plugins import Refused

SHARED: list[Any] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def set_up(level: str) -> None:
    structlog.configure(
        processors=PROCESSORS,
        wrapper_class=structlog.make_filtering_bound_logger(
            getattr(logging, level.upper(), logging.INFO)
        ),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


def take_in() -> None:
    """Whatever a process without gunicorn says, in lines as ours: what libraries log, and what ends
    a thread or the process. Of an exception its kind and place; its text may name a card.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(_kind_and_place))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
    threading.excepthook = lambda met: _ended(met.exc_type, met.exc_value, met.exc_traceback)
    sys.excepthook = _ended


def refused(plugins: Iterable[Refused]) -> None:
    """A line for each thing from outside that this process does without."""
    log = structlog.get_logger(__name__)
    for plugin in plugins:
        log.error("plugin-refused", **plugin._asdict())


class Lines(structlog.stdlib.ProcessorFormatter):
    """What logs by the standard library, in lines as ours."""

    def __init__(self, first: Any = structlog.stdlib.add_logger_name) -> None:
        super().__init__(
            foreign_pre_chain=[first, structlog.stdlib.add_logger_name, *SHARED],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_text),
            ],
        )


def _encoded(value: object, **_: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=repr)


PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    *SHARED,
    structlog.processors.JSONRenderer(serializer=_encoded),
]
"""One list: a logger keeps the one that it has first seen."""


def _text(value: object, **_: object) -> str:
    return _encoded(value).decode()


def _ended(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        logging.getLogger("elsinore").error("unexpected", exc_info=error and (kind, error, trace))


def _kind_and_place(_: object, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if met := line.pop("exc_info", None):
        kind, _error, trace = met
        line["error"], line["where"] = kind.__name__, format_tb(trace)
    return line
