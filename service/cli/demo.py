"""`elsinore demo`: one game of every rule set over HTTP, replayed, downloaded, judged offline."""

import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from domain.kernel import Ruleset
from domain.registry import RULESETS, latest
from events.audit import audit, lines_of
from service.cli.client import Client
from workers.finding import bot_of

LEVELS = ("easy", "normal", "hard")
MOMENTS = 3
STOP_SECONDS = 10.0
WAIT_SECONDS = 20


@dataclass(slots=True)
class Played:
    """What a person saw and got in one game."""

    game: str
    ruleset: str
    views: list[dict[str, Any]]
    receipts: list[dict[str, Any]]
    seconds: float = 0.0


@click.command()
def demo() -> None:
    """Run the whole service on free ports, play one game of every rule set, check everything."""
    console = Console(stderr=True)
    rows: list[tuple[Played, int, bool, str]] = []
    names = sorted({ruleset.name for ruleset in RULESETS.values()})
    with (
        tempfile.TemporaryDirectory(prefix="elsinore-demo-") as folder,
        Progress(
            SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console
        ) as progress,
    ):
        task = progress.add_task("starting")
        with (
            service(Path(folder)) as address,
            Client.registered(address, "Demo") as person,
        ):
            for name in names:
                progress.update(task, description=f"playing {name}")
                played = play_game(person, latest(name))
                rows.append((played, *_checked(person, played)))
        progress.update(task, description="done")
    Console().print(_table(rows))
    sys.exit(0 if all(replayed and verdict == "ok" for _, _, replayed, verdict in rows) else 1)


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """The address of a service of its own, ended at the end. Its log is shown where it fails."""
    said = folder / "up.log"
    with (
        said.open("wb") as log,
        subprocess.Popen(  # noqa: S603
            [
                sys.executable,
                "-m",
                "service.cli.main",
                "up",
                "--port",
                "0",
                "--data",
                str(folder / "data"),
            ],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
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


def play_game(person: Client, ruleset: Ruleset[Any]) -> Played:
    """A person in seat 0 among bots, to the end."""
    began = time.monotonic()
    bots = [{"bot": LEVELS[n % len(LEVELS)]} for n in range(ruleset.seat_counts[0] - 1)]
    opened = person.call("POST", "/v1/games", {"ruleset": ruleset.name, "seats": ["me", *bots]})
    path = f"/v1/games/{opened['id']}"
    played = Played(opened["id"], ruleset.id, [opened["view"]], [opened["receipt"]])
    sat = person.call("PUT", f"{path}/seats/0", {"entropy": secrets.token_hex(32)})
    played.receipts.append(sat["receipt"])
    while (view := person.call("GET", path)["view"])["status"] != "finished":
        played.views.append(view)
        if view["question"] is None:
            person.call("GET", f"{path}/events?after={view['version']}&wait={WAIT_SECONDS}")
            continue
        move = bot_of(ruleset.id).choose(view, view["legal_moves"], secrets.token_bytes(32))
        played.receipts.append(person.call("POST", f"{path}/moves", move)["receipt"])
    played.views.append(view)
    played.seconds = time.monotonic() - began
    return played


def _checked(person: Client, played: Played) -> tuple[int, bool, str]:
    """How many entries; whether the moments are as they were seen; what the audit says."""
    path = f"/v1/games/{played.game}"
    step = len(played.views) // (MOMENTS + 1)
    moments = [played.views[step * number] for number in range(1, MOMENTS + 1)]
    replayed = all(
        person.call("GET", f"{path}?at={view['version']}")["view"] == view for view in moments
    )
    keys = {key["id"]: key["public_key"] for key in person.call("GET", "/v1/keys")["keys"]}
    lines = lines_of(person.fetch("GET", f"{path}/log"))
    report = audit(lines, receipts=played.receipts, keys=keys)
    return len(lines), replayed, report.status


def _table(rows: list[tuple[Played, int, bool, str]]) -> Table:
    table = Table("rule set", "entries", "receipts", "seconds", "replay", "audit")
    for played, entries, replayed, verdict in rows:
        table.add_row(
            played.ruleset,
            str(entries),
            str(len(played.receipts)),
            f"{played.seconds:.1f}",
            f"{MOMENTS} moments: {'ok' if replayed else 'differ'}",
            f"audit: {verdict}",
        )
    return table
