"""`elsinore demo`: one game of every rule set over HTTP, replayed, downloaded, judged offline."""

import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from domain.kernel import Ruleset
from domain.registry import RULESETS, latest
from events.audit.audit import audit, lines_of
from service.cli.client import Client, Refused
from service.cli.terminal.tables import cells
from workers.bots import uniform

LEVELS = ("easy", "normal", "hard")
MOMENTS = 3
STOP_SECONDS = 10.0
WAIT_SECONDS = 10
PATIENCE = 3
"""Waits without any news after which a game stands still."""

Note = Callable[[str], object]


class StandsStill(Exception):
    """The bots of a game do not move."""


@dataclass(slots=True)
class Played:
    """What a person saw and got in one game, and what came of it."""

    ruleset: str
    game: str = ""
    views: list[dict[str, Any]] = field(default_factory=list)
    receipts: list[dict[str, Any]] = field(default_factory=list)
    entries: int = 0
    seconds: float = 0.0
    replay: str = "-"
    audit: str = "-"
    trouble: str = ""

    @property
    def is_well(self) -> bool:
        return not self.trouble and self.replay == "ok" and self.audit == "ok"


@click.command()
def demo() -> None:
    """Run the whole service on free ports, play one game of every rule set, check everything."""
    names = sorted({ruleset.name for ruleset in RULESETS.values()})
    with (
        tempfile.TemporaryDirectory(prefix="elsinore-demo-") as folder,
        service(Path(folder)) as address,
        Client.registered(address, "Demo") as person,
        _progress() as progress,
    ):
        games = [_played(person, latest(name), progress) for name in names]
    Console().print(_table(games))
    for played in games:
        if played.trouble:
            click.echo(f"{played.ruleset}: {played.trouble}")
    sys.exit(0 if all(played.is_well for played in games) else 1)


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """The address of a service of its own, ended at the end. Its log is shown where it fails."""
    said = folder / "up.log"
    command = [sys.executable, "-m", "service.cli.main", "up", "--port", "0"]
    command += ["--data", str(folder / "data")]
    with (
        said.open("wb") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,  # noqa: S603
    ):
        assert process.stdout
        try:
            words = process.stdout.readline().split()
            if not words:
                raise click.ClickException(f"The service did not start: {said.read_text()[-2000:]}")
            yield words[-1]
        finally:
            process.terminate()
            try:
                status = process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    if status:
        raise click.ClickException(f"The service ended with status {status}.")


def play_game(person: Client, ruleset: Ruleset[Any], played: Played, note: Note) -> None:
    """A person in seat 0 among bots, who answers any legal move, to the end."""
    bots = [{"bot": LEVELS[n % len(LEVELS)]} for n in range(ruleset.seat_counts[0] - 1)]
    opened = person.call("POST", "/v1/games", {"ruleset": ruleset.name, "seats": ["me", *bots]})
    played.game = opened["id"]
    path = f"/v1/games/{played.game}"
    sat = person.call("PUT", f"{path}/seats/0", {"entropy": secrets.token_hex(32)})
    played.receipts += [opened["receipt"], sat["receipt"]]
    played.views.append(opened["view"])
    waited = 0
    while (view := person.call("GET", path)["view"])["status"] != "finished":
        waited = 0 if view["version"] > played.views[-1]["version"] else waited + 1
        played.views.append(view)
        note(_where(view))
        if view["question"] is not None:
            move = uniform.choose(view, view["legal_moves"], secrets.token_bytes(32))
            played.receipts.append(person.call("POST", f"{path}/moves", move)["receipt"])
        elif waited > PATIENCE:
            raise StandsStill(f"nothing happens after entry {view['version']}")
        else:
            person.call("GET", f"{path}/events?after={view['version']}&wait={WAIT_SECONDS}")
    played.views.append(view)


def check_game(person: Client, played: Played) -> None:
    """Whether past moments are as they were seen, and what the audit says of the log."""
    path = f"/v1/games/{played.game}"
    step = len(played.views) // (MOMENTS + 1)
    moments = [played.views[step * number] for number in range(1, MOMENTS + 1)]
    replayed = all(
        person.call("GET", f"{path}?at={view['version']}")["view"] == view for view in moments
    )
    played.replay = "ok" if replayed else "differ"
    keys = {key["id"]: key["public_key"] for key in person.call("GET", "/v1/keys")["keys"]}
    lines = lines_of(person.fetch("GET", f"{path}/log"))
    played.entries = len(lines)
    played.audit = audit(lines, receipts=played.receipts, keys=keys).status


def _played(person: Client, ruleset: Ruleset[Any], progress: Progress) -> Played:
    """One game. What goes wrong in it is said of it, and the next one is played all the same."""
    played, began = Played(ruleset.id), time.monotonic()
    task = progress.add_task(ruleset.title, total=None, where="")
    try:
        play_game(person, ruleset, played, lambda where: progress.update(task, where=where))
        check_game(person, played)
    except (Refused, StandsStill, OSError, HTTPException, KeyError) as error:
        played.trouble = str(error) if isinstance(error, (Refused, StandsStill)) else repr(error)
    played.seconds = time.monotonic() - began
    progress.update(task, total=1, completed=1)
    return played


def _progress() -> Progress:
    """Nobody knows how long a game will be: a bar that runs, and where the game is."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(24),
        TextColumn("{task.fields[where]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )


def _where(view: dict[str, Any]) -> str:
    deal = f"deal {view['deal']}, " if "deal" in view else ""
    return f"{deal}entry {view['version']}"


def _table(games: list[Played]) -> Table:
    table = Table("rule set", "entries", "receipts", "seconds", "replay", "audit")
    for played in games:
        table.add_row(
            *cells(
                played.ruleset,
                played.entries,
                len(played.receipts),
                f"{played.seconds:.1f}",
                f"{MOMENTS} moments: {played.replay}",
                f"audit: {played.audit}",
            )
        )
    return table
