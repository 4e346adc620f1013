"""`elsinore bench`: every figure in one run, as a table and as JSON lines."""

import importlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import redis
from rich.console import Console
from rich.progress import track
from rich.table import Table

from service.cli.benchmarks.figure import Figure
from service.cli.ops.embedded_valkey import EmbeddedServer

DEALS = 10
BENCHMARKS = {
    "commands": {1},
    "folding": {2, 4},
    "playouts": {3},
    "streams": {5},
    "turns": {6, 7},
}
"""The figures that each of them measures."""


@click.command()
@click.option("--only", type=int, multiple=True, help="Measure these figures only.")
def bench(only: tuple[int, ...]) -> None:
    """Measure ratios against stated references; a table on stderr, JSON lines on stdout."""
    console = Console(stderr=True)
    names = [name for name, figures in BENCHMARKS.items() if not only or figures & set(only)]
    found: list[Figure] = []
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedServer(Path(directory) / "log", appendfsync="always") as server,
    ):
        for name in track(names, "measuring", console=console):
            found += _measured(name, server.url, Path(directory) / "queue")
    figures = [figure for figure in found if not only or figure.figure in only]
    console.print(_table(figures))
    for figure in figures:
        click.echo(msgspec.json.encode(figure).decode())


def _measured(name: str, url: str, queue_directory: Path) -> Iterator[Figure]:
    """What one benchmark says; `url` is that of a log's server."""
    benchmark = _benchmark(name)
    match name:
        case "folding":
            store, game = _benchmark("games").finished_game(DEALS)
            yield from benchmark.figures(store, game, redis.from_url(url))
        case "playouts":
            yield benchmark.figure()
        case "turns":
            with EmbeddedServer(queue_directory, appendfsync="everysec") as queue:
                yield from benchmark.figures(url, queue.url)
        case _:
            yield from benchmark.figures(url)


def _benchmark(name: str) -> Any:
    """Imported when it runs: the references are packages that the service does not need."""
    try:
        return importlib.import_module(f"service.cli.benchmarks.{name}")
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"{missing.name} is not installed; `make bench` installs the references."
        ) from None


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
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            "" if figure.target is None else f"{bound} {figure.target}{reached}",
        )
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"
