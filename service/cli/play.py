"""`elsinore play`: whole games among bots, without a service."""

import secrets
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from domain.game.model import Game, Level, OpenGame, SeatPlan
from domain.kernel import RuleViolation
from domain.registry import latest
from events.files import put_file
from service.cli.composition import Runtime, configured, data_directory, data_option, in_memory
from service.cli.errors import errors_in_sentences
from service.telemetry import logging
from workers.bot_turns import Turns

OPENER = "elsinore-play"
LEVELS = get_args(Level)


@click.command()
@click.argument("ruleset", default="hearts")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--level",
    "levels",
    type=click.Choice(LEVELS),
    multiple=True,
    help="Of seat 0, seat 1 …; repeated from the first where there are more seats.",
)
@click.option("--seats", type=int, help="How many; by default the fewest that the game takes.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Of the rule set.")
@click.option("--keep", is_flag=True, help="Play on the configured log, not in memory.")
@click.option(
    "--logs",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the logs here.",
)
@data_option
@errors_in_sentences
def play(  # noqa: PLR0913, PLR0917 - one for each option
    ruleset: str,
    games: int,
    levels: tuple[Level, ...],
    seats: int | None,
    options: tuple[str, ...],
    keep: bool,  # noqa: FBT001
    folder: Path | None,
    data: Path | None,
) -> None:
    """Play games of RULESET with a bot in every seat, and show how they ended."""
    logging.set_up("warning")
    try:
        allowed = latest(ruleset).seat_counts
    except RuleViolation as refusal:
        raise click.UsageError(refusal.detail) from None
    seats = allowed[0] if seats is None else seats
    if seats not in allowed:
        raise click.UsageError(f"{ruleset} takes {_listed(allowed)} seats.")
    plan = tuple(
        SeatPlan(kind="bot", level=(levels or LEVELS)[seat % len(levels or LEVELS)])
        for seat in range(seats)
    )
    command = OpenGame(opener=OPENER, ruleset=ruleset, options=_options(options), seats=plan)
    place: AbstractContextManager[Runtime] = (
        configured(data_directory(data)) if keep else nullcontext(in_memory())
    )
    console = Console(stderr=True)
    with place as runtime:
        ended = {
            game: runtime.reader.current(game).game
            for game in track(
                (play_out(runtime, command) for _ in range(games)),
                "playing",
                total=games,
                console=console,
            )
        }
        if folder is not None:
            _write(runtime, ended, folder)
    Console().print(_summary(ruleset, plan, list(ended.values())))
    if keep:
        click.echo("\n".join(ended))


def play_out(runtime: Runtime, command: OpenGame) -> str:
    """The id of a game that its bots have played to the end."""
    later: list[tuple[str, int]] = []
    turns = Turns(runtime.handler, lambda game, version: later.append((game, version)))
    try:
        opened = runtime.handler.open(command, secrets.token_hex(16), secrets.token_hex(8))
    except RuleViolation as refusal:
        raise click.UsageError(refusal.detail) from None
    turns.bot_turn(opened.game, opened.version)
    while later:
        turns.bot_turn(*later.pop())
    if (status := runtime.reader.current(opened.game).game.status) != "finished":
        raise click.ClickException(f"Game {opened.game} is {status}; its bots stopped.")
    return opened.game


def _listed(counts: tuple[int, ...]) -> str:
    return " or ".join(map(str, counts))


def _options(given: tuple[str, ...]) -> dict[str, Any]:
    """Values are JSON where they can be read so, else text."""
    options: dict[str, Any] = {}
    for option in given:
        name, _, text = option.partition("=")
        try:
            options[name] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            options[name] = text
    return options


def _write(runtime: Runtime, games: dict[str, Game], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        lines = b"".join(line + b"\n" for line in runtime.reader.log(game))
        put_file(folder / f"{game}.ndjson", lines)


def _summary(ruleset: str, plan: tuple[SeatPlan, ...], games: list[Game]) -> Table:
    table = Table(
        "seat", "level", "won or shared", "mean total", title=f"{len(games)} games of {ruleset}"
    )
    outcomes = [game.outcome for game in games if game.outcome is not None]
    for seat, bot in enumerate(plan):
        won = sum(seat in outcome.winners for outcome in outcomes)
        totals = [outcome.standings.totals[seat] for outcome in outcomes]
        mean = f"{sum(totals) / len(totals):.1f}" if totals else "-"
        table.add_row(str(seat), bot.level, str(won), mean)
    return table
