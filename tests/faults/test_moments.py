"""Killed at the very moment that hurts most, and cut off without a word."""

import threading

import pytest

from tests.faults.conftest import Play, end
from tests.faults.processes import (
    API,
    DISPATCHER,
    WORKER,
    Service,
    check_goes_on,
    wait_until_moved,
)
from tests.faults.proxy import Proxy

APPEND = (b"EVALSHA", b":outbox")
CUT_SECONDS = 6.0

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize(
    ("part", "words", "when"),
    [
        pytest.param(API, APPEND, "after", id="b10-the-api-between-append-and-answer"),
        pytest.param(API, APPEND, "before", id="the-api-before-it-appends"),
        pytest.param(WORKER, APPEND, "after", id="b16-c15-a-worker-in-mid-turn"),
        pytest.param(
            WORKER, (b"EVALSHA", b":scoresheet:"), "after", id="c04-a-worker-in-mid-scoring"
        ),
        pytest.param(
            WORKER, (b"EVALSHA", b"score:"), "before", id="c04-a-worker-before-it-settles"
        ),
        pytest.param(DISPATCHER, (b"XACK",), "before", id="the-dispatcher-between-read-and-ack"),
    ],
)
def test_killed_in_the_middle(
    proxy: tuple[Service, Proxy], play: Play, part: str, words: tuple[bytes, ...], when: str
) -> None:
    service, between = proxy
    crowd = play(service)
    wait_until_moved(crowd)
    trap = between.trap(part, *words, when=when)  # type: ignore[arg-type]
    assert trap.sprung.wait(20)
    service.wait_for_another(part, trap.killed)
    check_goes_on(crowd)
    end(crowd, service)


def test_connections_to_the_log_that_are_open_on_one_side_only(
    proxy: tuple[Service, Proxy], play: Play
) -> None:
    service, between = proxy
    crowd = play(service)
    wait_until_moved(crowd)
    between.cut()
    threading.Event().wait(CUT_SECONDS)
    between.mend()
    check_goes_on(crowd)
    end(crowd, service)
