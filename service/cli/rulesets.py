"""`elsinore ruleset`: whether an installed game keeps what holds of every game."""

import sys
from collections.abc import Iterator

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from domain.kernel import Ruleset, RuleViolation
from domain.laws.all_laws import LAWS, Law, name_of, sentence_of, verdict
from domain.laws.playing import Played, play
from domain.registry import find, latest
from service.cli.terminal.tables import plain


@click.group()
def ruleset() -> None:
    """Look at a rule set, of the house or from outside."""


@ruleset.command()
@click.argument("name")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="For each number of seats.",
)
@click.option("--seats", "counts", type=int, multiple=True, help="Only with so many; repeatable.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the first.")
def check(name: str, games: int, counts: tuple[int, ...], seed: int) -> None:
    """Judge the rule set NAME, or NAME@VERSION, by every law, over games played by chance.

    The exit status is 1 where a law is broken; the same seed breaks it again.
    """
    rules = _asked_for(name)
    if strange := sorted(set(counts) - set(rules.seat_counts)):
        raise click.UsageError(f"{rules.id} is not played with {strange[0]} seats.")
    tables = [
        (seats, number)
        for seats in counts or rules.seat_counts
        for number in range(seed, seed + games)
    ]
    broken: dict[Law, list[str]] = {law: [] for law in LAWS}
    for law, where in _found(rules, tables):
        broken[law].append(where)
    Console().print(_verdicts(rules, broken, len(tables)))
    sys.exit(1 if any(broken.values()) else 0)


def _asked_for(name: str) -> Ruleset[object]:
    try:
        return find(name) if "@" in name else latest(name)
    except RuleViolation as refusal:
        raise click.UsageError(refusal.detail) from None


def _found(rules: Ruleset[object], tables: list[tuple[int, int]]) -> Iterator[tuple[Law, str]]:
    """Every law that does not hold of a game, and what breaks it; a bar tells how far it is."""
    console = Console(stderr=True)
    steps = [(table, law) for table in tables for law in LAWS]
    game: Played | None = None
    for (seats, seed), law in track(
        steps, rules.id, console=console, disable=not console.is_terminal, transient=True
    ):
        if game is None or (game.seats, game.seed) != (seats, seed):
            game = play(rules, seats, seed)
        if (said := verdict(law, game)) is not None:
            yield law, f"--seats {seats} --seed {seed}: {said}"


def _verdicts(rules: Ruleset[object], broken: dict[Law, list[str]], games: int) -> Table:
    table = Table("law", "verdict", "found", title=f"{rules.id}, {games} games")
    for law, found in broken.items():
        if not found:
            table.add_row(name_of(law), Text("ok", "green"), "")
            continue
        more = f"\nand in {len(found) - 1} more games" if len(found) > 1 else ""
        told = Text(f"{sentence_of(law)}\n{plain(found[0])}{more}")
        table.add_row(name_of(law), Text("broken", "red"), told)
    return table
