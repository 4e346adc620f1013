"""`make bench`: every figure in one run, as a table and as JSON lines."""

import importlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks import due_work
from benchmarks.figure import Figure
from benchmarks.serving import Servers
from service.cli.ops.embedded_valkey import EmbeddedServer

BENCHMARKS = {
    "commands": {1},
    "fairness": {12},
    "folding": {2, 4},
    "long_games": {9, 10, 11},
    "playouts": {3},
    "streams": {5},
    "turns": {6, 7},
}
"""The figures that each of them measures."""

Benchmark = Callable[[Servers], Iterable[Figure]]


@click.command()
@click.option("--only", type=int, multiple=True, help="Measure these figures only.")
def main(only: tuple[int, ...]) -> None:
    """Measure ratios against stated references; a table on stderr, JSON lines on stdout."""
    console = Console(stderr=True)
    names = [name for name, figures in BENCHMARKS.items() if not only or figures & set(only)]
    benchmarks = track([_benchmark(name) for name in names], "measuring", console=console)
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedServer(Path(directory) / "log", appendfsync="always") as log,
        EmbeddedServer(Path(directory) / "queue", appendfsync="everysec") as queue,
    ):
        found = list(measured(benchmarks, Servers(log.url, queue.url)))
    figures = [figure for figure in found if not only or figure.figure in only]
    console.print(_table(figures))
    for figure in figures:
        click.echo(msgspec.json.encode(figure).decode())


def measured(benchmarks: Iterable[Benchmark], servers: Servers) -> Iterator[Figure]:
    """What each of them finds; none begins before the work that another left due is done."""
    for benchmark in benchmarks:
        yield from benchmark(servers)
        due_work.finish(servers)


def _benchmark(name: str) -> Benchmark:
    """Imported when it is asked for: the references are packages that the service does not need."""
    try:
        figures: Benchmark = importlib.import_module(f"benchmarks.{name}").figures
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"{missing.name} is not installed; `make bench` installs the references."
        ) from None
    return figures


def _table(figures: list[Figure]) -> Table:
    table = Table("", "what", "ours", "reference", "ratio", "target", show_lines=True)
    for figure in sorted(figures, key=lambda figure: figure.figure):
        bound = "≤" if figure.at_most else "≥"
        reached = {True: " ✓", False: " ✗", None: ""}[figure.reached]
        table.add_row(
            str(figure.figure),
            f"{figure.name} ({figure.unit})",
            _number(figure.value),
            "" if figure.reference is None else _number(figure.reference),
            _ratio(figure),
            "" if figure.target is None else f"{bound} {figure.target}{reached}",
        )
    return table


def _ratio(figure: Figure) -> str:
    if figure.ratio is None:
        return ""
    if figure.spread is None:
        return f"{figure.ratio:.2f}"
    lower, upper = figure.spread
    return f"{figure.ratio:.2f} ({lower:.2f}-{upper:.2f})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"


if __name__ == "__main__":
    main()
