"""`elsinore bench`: every figure in one run, as a table and as JSON lines."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import redis
from rich.console import Console
from rich.progress import track
from rich.table import Table

from service.cli.benchmarks import commands, folding, games, playouts
from service.cli.benchmarks.figure import Figure
from service.cli.embedded import EmbeddedServer

DEALS = 10


@click.command()
@click.option("--only", type=int, multiple=True, help="Measure these figures only.")
def bench(only: tuple[int, ...]) -> None:
    """Measure ratios against stated references; a table on stderr, JSON lines on stdout."""
    figures = [
        figure
        for figure in track(_measured(only), "measuring", console=Console(stderr=True))
        if not only or figure.figure in only
    ]
    Console(stderr=True).print(_table(figures))
    for figure in figures:
        click.echo(msgspec.json.encode(figure).decode())


def _measured(only: tuple[int, ...]) -> Iterator[Figure]:
    def wanted(*figures: int) -> bool:
        return not only or bool(set(figures) & set(only))

    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedServer(Path(directory), appendfsync="always") as server,
    ):
        if wanted(1):
            yield from commands.figures(server.url)
        if wanted(2, 4):
            store, game = games.finished_game(DEALS)
            yield from folding.figures(store, game, redis.from_url(server.url))
        if wanted(3):
            yield playouts.figure()


def _table(figures: list[Figure]) -> Table:
    table = Table("figure", "what", "ours", "reference", "unit", "ratio", "target", "reached")
    for figure in sorted(figures, key=lambda figure: figure.figure):
        bound = "≤" if figure.at_most else "≥"
        table.add_row(
            str(figure.figure),
            figure.name,
            f"{figure.value:,.0f}",
            "" if figure.reference is None else f"{figure.reference:,.0f}",
            figure.unit,
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            "" if figure.target is None else f"{bound} {figure.target}",
            {True: "yes", False: "no", None: ""}[figure.reached],
        )
    return table
