"""What `elsinore cardset check` proves: use, sense, reach, and that the engine never stumbles."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from domain.rulesets.hamlet_play.analysis.lines import Line, line_to_action, line_to_ending
from domain.rulesets.hamlet_play.analysis.soundness import every_ending
from domain.rulesets.hamlet_play.analysis.trials import wander
from domain.rulesets.hamlet_play.cardset.model import CardSet
from service.cli.cardset.cores import on_all_cores

ACTIONS_WITH = 4
"""Seats at the table at which each action is to be reached."""
FIRST_GAMES = 100
"""At random, to see how many Scenes they have."""


class Task(msgspec.Struct, frozen=True):
    """To reach an ending or an action, by its id, or to play the game of this number at random."""

    kind: Literal["ending", "action", "game"]
    seats: int
    name: str


class Found(msgspec.Struct, frozen=True):
    task: Task
    line: Line | None = None
    scenes: int = 0
    flaw: str = ""


def tasks(cards: CardSet, seat_counts: Sequence[int]) -> list[Task]:
    """Every ending with these numbers of seats, and every action."""
    return [
        *(
            Task("ending", seats, ending.id)
            for seats in seat_counts
            for ending in every_ending(cards)
        ),
        *(Task("action", ACTIONS_WITH, ref) for ref in cards.actions),
    ]


def prove(cards: CardSet, task: Task) -> Found:
    match task.kind:
        case "ending":
            lines = next(e.lines for e in every_ending(cards) if e.id == task.name)
            line = line_to_ending(cards, task.seats, lines)
            return _reached(task, line, f"the ending {task.name} with {task.seats} seats")
        case "action":
            line = line_to_action(cards, task.seats, task.name)
            return _reached(task, line, f"the action {task.name}")
        case "game":
            return _wandered(cards, task)


def proofs(
    directory: Path, cards: CardSet, seat_counts: Sequence[int], scenes: int
) -> Iterator[Found]:
    """On all cores; games at random until there have been so many Scenes."""
    yield from on_all_cores(prove, directory, tasks(cards, seat_counts), "proving")
    games, played = 0, 0
    while played < scenes:
        more = 1 + int((scenes - played) * games / played) if played else FIRST_GAMES
        batch = [
            Task("game", seat_counts[number % len(seat_counts)], f"{number}")
            for number in range(games, games + more)
        ]
        games += more
        for found in on_all_cores(prove, directory, batch, "wandering"):
            played += found.scenes
            yield found
            if found.flaw:
                return


def summary(found: Iterable[Found]) -> str:
    """What was looked at, and how much of it is well."""
    kinds: dict[str, list[Found]] = {"ending": [], "action": [], "game": []}
    for one in found:
        kinds[one.task.kind].append(one)
    well = {kind: sum(not one.flaw for one in group) for kind, group in kinds.items()}
    scenes = sum(one.scenes for one in kinds["game"])
    return (
        f"{well['ending']} of {len(kinds['ending'])} endings reached, for each number of seats; "
        f"{well['action']} of {len(kinds['action'])} actions; {scenes} scenes at random"
    )


def lines_json(cards: CardSet, found: Iterable[Found]) -> bytes:
    """The lines to the endings, one on each line of the file, under the digest of the set."""
    rows = [
        msgspec.json.encode([one.task.name, one.line.seats, one.line.dice, one.line.moves])
        for one in found
        if one.task.kind == "ending" and one.line is not None
    ]
    head = b'{"digest": "' + cards.digest.encode() + b'", "lines": [\n'
    return head + b",\n".join(rows) + b"\n]}\n"


def _reached(task: Task, line: Line | None, what: str) -> Found:
    return Found(task, line, flaw="" if line else f"no line was found to {what}")


def _wandered(cards: CardSet, task: Task) -> Found:
    try:
        return Found(task, scenes=wander(cards, task.seats, task.name.encode()))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return Found(task, flaw=f"game {task.name} with {task.seats} seats: {error!r}")
