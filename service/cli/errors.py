"""What goes wrong in a command, said in a sentence."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import click
import redis
import structlog

from events.errors import (
    Busy,
    EventsError,
    LogBroken,
    LogMissing,
    NotFinished,
    UnknownGame,
    UnknownRuleset,
    UnknownSchema,
    UnknownVersion,
)
from service.cli.ops.embedded_valkey import EmbeddedServerError
from service.cli.terminal.tables import plain
from service.telemetry import logging

P = ParamSpec("P")
R = TypeVar("R")

_log = structlog.get_logger(__name__)


WHERE = "name the directory by --data or ELSINORE_DATA, as `up` or `make run DATA=` had it"


class NoData(Exception):
    """There is no log where a command is to read one."""

    def __init__(self, data: Path) -> None:
        super().__init__(f"There is no data in {data}: {WHERE}.")
        self.data = data


def errors_in_sentences(command: Callable[P, R]) -> Callable[P, R]:
    """What goes wrong is said in a sentence, with a status that is not 0."""

    @wraps(command)
    def said(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except BrokenPipeError:
            raise
        except (EmbeddedServerError, NoData) as error:
            raise click.ClickException(plain(error)) from None
        except EventsError as error:
            raise click.ClickException(sentence(error)) from None
        except redis.RedisError as error:
            away = isinstance(error, (redis.ConnectionError, redis.TimeoutError))
            what = "does not answer" if away else "refuses"
            raise click.ClickException(f"The server {what}: {plain(error)}") from None
        except OSError as error:
            where = f"{plain(error.filename)}: " if error.filename else ""
            raise click.ClickException(f"{where}{error.strerror}.") from None

    return said


def logged(command: Callable[P, R]) -> Callable[P, R]:
    """The same of one process among others: all that it says is lines of the log."""

    @wraps(command)
    def said(*args: P.args, **kwargs: P.kwargs) -> R:
        logging.set_up("info")
        logging.take_in()
        try:
            return errors_in_sentences(command)(*args, **kwargs)
        except click.ClickException as error:
            _log.error("process-ends", detail=error.format_message())
            sys.exit(error.exit_code)

    return said


def sentence(error: EventsError) -> str:
    """An error of the log in words."""
    text = plain(error)
    match error:
        case UnknownGame():
            return f"There is no game {text}."
        case LogMissing():
            return f"The game {text} was opened, and its log is gone."
        case LogBroken():
            return f"The log is broken at {text}."
        case UnknownRuleset():
            return text
        case UnknownSchema():
            return f"This release cannot read the log: {text}."
        case UnknownVersion() | NotFinished():
            return f"{text[:1].upper()}{text[1:]}."
        case Busy():
            return f"The server does not answer: {plain(error.__cause__ or text)}"
        case _:
            return text or type(error).__name__
