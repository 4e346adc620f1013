"""Work on a card set that is shared out among all cores, with a bar that tells how far it is."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from domain.rulesets.hamlet_play.cardset.model import CardSet
from events.cardsets import read_card_set

T = TypeVar("T")
R = TypeVar("R")

_of_this_process: dict[Path, CardSet] = {}


def on_all_cores(
    work: Callable[[CardSet, T], R], directory: Path, items: Sequence[T], what: str
) -> Iterator[R]:
    """The result of `work`, a function of a module, on each item, in the order of the items."""
    console = Console(stderr=True)
    with ProcessPoolExecutor() as pool:
        results = pool.map(partial(_work, work, directory), items)
        yield from track(
            results, what, total=len(items), console=console, disable=not console.is_terminal
        )


def _work(work: Callable[[CardSet, T], R], directory: Path, item: T) -> R:
    if directory not in _of_this_process:
        _of_this_process[directory] = read_card_set(directory)
    return work(_of_this_process[directory], item)
