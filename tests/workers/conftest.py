"""Redis for the workers: a fake one, and a real one."""

import signal
from collections.abc import Iterator
from typing import Any

import fakeredis
import pytest


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.processes)])
def client(request: pytest.FixtureRequest) -> Iterator[Any]:
    """One server for log and queue, empty at the start. Replies are bytes."""
    if request.param == "fake":
        yield fakeredis.FakeRedis()
    else:
        yield request.getfixturevalue("log_redis")


@pytest.fixture
def signals() -> Iterator[None]:
    """A worker that works in this process takes over its signals; they are given back."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)
