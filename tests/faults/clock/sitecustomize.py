"""Imported by every Python process that has this folder on PYTHONPATH: another wall clock.

The file that FAULT_CLOCK names says what time it is: `-3600.0` or `+3600.0` seconds from the true
time, or `=1700000000.0` for ever. It is read each time anybody asks.
"""

import datetime as dt
import os
import time
from typing import Any

_FILE = os.environ["FAULT_CLOCK"]
_true_time = time.time


def _now() -> float:
    with open(_FILE, encoding="ascii") as file:  # noqa: PTH123 - nothing more is imported here
        said = file.read()
    return float(said[1:]) if said[0] == "=" else _true_time() + float(said)


class _Kind(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _datetime)


_datetime = dt.datetime


class _Datetime(_datetime, metaclass=_Kind):
    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Any:
        return _datetime.fromtimestamp(_now(), tz)

    @classmethod
    def utcnow(cls) -> Any:
        return _datetime.fromtimestamp(_now(), dt.UTC).replace(tzinfo=None)


time.time = _now
time.time_ns = lambda: int(_now() * 1e9)
dt.datetime = _Datetime  # type: ignore[misc]
