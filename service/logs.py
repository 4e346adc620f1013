"""Structured logs: one JSON object a line, on standard error; gunicorn's lines among ours."""

import logging
import sys
from typing import Any

import msgspec
import structlog

SHARED: list[Any] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def set_up(level: str) -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            *SHARED,
            structlog.processors.JSONRenderer(serializer=_encoded),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            getattr(logging, level.upper(), logging.INFO)
        ),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


class Lines(structlog.stdlib.ProcessorFormatter):
    """What logs by the standard library, in lines as ours."""

    def __init__(self, *_: object) -> None:
        super().__init__(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *SHARED],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_text),
            ],
        )


def _encoded(value: object, **_: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=repr)


def _text(value: object, **_: object) -> str:
    return _encoded(value).decode()
