"""Child processes under one parent: started, watched, restarted, and ended together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import click
import structlog

from service.cli.ops.disk_room import allow, has_room, is_low, setting
from service.cli.ops.embedded_valkey import (
    DIE_WITH_PARENT,
    HAS_PDEATHSIG,
    EmbeddedServer,
    EmbeddedServerError,
)

POLL_SECONDS = 0.05
DRAIN_SECONDS = 3.5
"""What is not done by then is killed, so that all of it, the servers too, ends within five."""

STEADY_SECONDS = 10.0
RESTARTS = 5
LOOK_SECONDS = 1.0
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0

_log = structlog.get_logger(__name__)


class Stop:
    """Set by SIGTERM or SIGINT. A plain flag: a handler must not take locks."""

    def __init__(self) -> None:
        self.requested = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._request)

    def _request(self, *_: object) -> None:
        self.requested = True

    def __call__(self) -> bool:
        return self.requested


class Tended(Protocol):
    """What is kept running until all is ended."""

    name: str

    def tend(self) -> bool:
        """Starts it where it does not run and may again; False where it fails over and over."""

    def terminate(self) -> None:
        """Asks it to end."""

    def wait(self, deadline: float) -> None:
        """Returns when it has ended, by force after `deadline`."""


class Patience:
    """How often something that ends may be started again, and how soon."""

    def __init__(self) -> None:
        self.failures = 0
        self._started = time.monotonic()
        self._start_at = 0.0

    @property
    def is_over(self) -> bool:
        return self.failures > RESTARTS

    @property
    def has_waited(self) -> bool:
        return time.monotonic() >= self._start_at

    def start(self, name: str, begin: Callable[[], None]) -> None:
        """Begins it; where that fails, for want of memory or of processes say, it has ended."""
        self._started = time.monotonic()
        try:
            begin()
        except (EmbeddedServerError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            click.echo(f"{name} did not start: {reason}", err=True)
            self.note_end()

    def note_end(self) -> None:
        now = time.monotonic()
        steady = now - self._started >= STEADY_SECONDS
        self.failures = 1 if steady else self.failures + 1
        doubled = FIRST_PAUSE * 2 ** min(self.failures - 1, 16)
        self._start_at = now + min(doubled, LONGEST_PAUSE)


class Server:
    """An embedded server that is started already; whoever started it stops it at the end.

    While its disk has no room it takes no writes, and is not given up.
    """

    def __init__(self, name: str, server: EmbeddedServer) -> None:
        self.name = name
        self._server = server
        self._patience = Patience()
        self._writes = True
        self._look_at = 0.0

    def tend(self) -> bool:
        if self._server.has_ended:
            click.echo(f"{self.name} has ended.", err=True)
            self._server.stop()
            self._patience.note_end()
        if self._server.pid is None:
            return self._begin()
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + LOOK_SECONDS
            self._watch_room()
        return True

    def _begin(self) -> bool:
        if self._patience.has_waited:
            self._writes = has_room(self._server.directory)
            if self._writes and self._patience.is_over:
                return False
            self._server.more = setting(writes=self._writes)
            self._patience.start(self.name, self._server.start)
        return True

    def _watch_room(self) -> None:
        directory = self._server.directory
        room = not is_low(directory) if self._writes else has_room(directory)
        if room != self._writes and allow(self._server.socket, writes=room):
            self._writes = room
            if room:
                _log.info("disk-has-room", server=self.name)
            else:
                _log.error("disk-full", server=self.name)

    def terminate(self) -> None:
        """Nothing: its clients end first."""

    def wait(self, deadline: float) -> None:
        """Nothing, for the same reason."""


class Child:
    """One process that is to run as long as its parent; killed with it, however that ends.

    One that nothing else rests upon is never `given_up`: the others go on, whatever it meets.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        given_up: bool = True,
    ) -> None:
        self.name = name
        self._given_up = given_up
        self._command = list(command)
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._patience = Patience()

    def tend(self) -> bool:
        if self._process is not None:
            status = self._process.poll()
            if status is None:
                return True
            self._process = None
            self._patience.note_end()
            click.echo(f"{self.name} ended with status {status}.", err=True)
            if self._patience.is_over and not self._given_up:
                times = self._patience.failures
                _log.error("keeps-ending", process=self.name, status=status, times=times)
        if self._patience.is_over and self._given_up:
            return False
        if self._patience.has_waited:
            self._patience.start(self.name, self._start)
        return True

    def terminate(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def wait(self, deadline: float) -> None:
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            click.echo(f"{self.name} did not end in time and is killed.", err=True)
            self._process.kill()
            self._process.wait()

    def _start(self) -> None:
        command = self._command
        if HAS_PDEATHSIG:
            command = [sys.executable, "-ISc", DIE_WITH_PARENT, str(os.getpid()), *command]
        # A session of its own: Ctrl-C is for the parent, which ends its children in order.
        self._process = subprocess.Popen(  # noqa: S603
            command, env=self._environment, start_new_session=True, stdin=subprocess.DEVNULL
        )


def supervise(
    children: Sequence[Tended],
    stop: Stop,
    *,
    ready: Callable[[], bool] = lambda: True,
    when_ready: Callable[[], None] = lambda: None,
    patience: float = 60.0,
) -> int:
    """Runs `children` until `stop`; the exit status. `ready` is asked until it says yes."""
    try:
        return _run(children, stop, ready, when_ready, time.monotonic() + patience)
    finally:
        for child in children:
            child.terminate()
        deadline = time.monotonic() + DRAIN_SECONDS
        for child in children:
            child.wait(deadline)


def _run(
    children: Sequence[Tended],
    stop: Stop,
    ready: Callable[[], bool],
    when_ready: Callable[[], None],
    deadline: float,
) -> int:
    waiting = True
    while not stop():
        if failing := [child.name for child in children if not child.tend()]:
            click.echo(f"{', '.join(failing)} will not run; giving up.", err=True)
            return 1
        if waiting and ready():
            waiting = False
            when_ready()
        elif waiting and time.monotonic() > deadline:
            click.echo("The service did not become ready; giving up.", err=True)
            return 1
        time.sleep(POLL_SECONDS)
    return 0
