"""Progress where there is something to wait for, on a terminal only."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

T = TypeVar("T")

MANY = 400
"""Lines of a log that are gone through at a glance."""


@contextmanager
def followed(items: Sequence[T], reading: str, then: str) -> Iterator[Iterable[T]]:
    """The same items for one loop, a bar telling how far that is; `then` is done with them."""
    console = Console(stderr=True)
    few = len(items) < MANY
    with Progress(
        console=console, transient=True, disable=few or not console.is_terminal
    ) as progress:
        task = progress.add_task(reading, total=len(items))

        def each() -> Iterator[T]:
            for item in items:
                yield item
                progress.advance(task)
            progress.update(task, description=then, total=None)

        yield each()


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """For a step of which nobody can say how far it is."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        progress.add_task(what, total=None)
        yield
