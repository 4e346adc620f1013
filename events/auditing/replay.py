"""The game of a log played again: its events folded, every draw redone, every command decided."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.chance import Draw
from domain.game import consequence, evolve, new_game
from domain.kernel import Event
from domain.lifecycle import Game, Opened
from events.auditing.lines import Line
from events.auditing.report import Failed, NotRevealed, Unsupported, entry
from events.auditing.secrets import Secrets, parts_in
from events.entry import Entry, canonical, event_of, known_types, same_event


@dataclass(slots=True)
class Replay:
    """Events of a log as far as their secrets are out, with the state before each.

    `stop` is why it does not go on, where the fault is the log's. `script` is whether the scripted
    deals, if any, are out.
    """

    lines: list[Line]
    secrets: Secrets
    events: list[Event] = field(default_factory=list)
    states: list[Game] = field(default_factory=list)
    stop: Failed | Unsupported | None = None
    script: bool = True

    def before(self, place: int) -> Game:
        """The state before entry `place`, counted from 0; there is none before the first."""
        return self.states[place - 1]

    @property
    def facts(self) -> list[tuple[int, Event]]:
        return list(enumerate(self.events, start=1))

    @property
    def finished(self) -> bool:
        return self.lines[-1].head.type == "game.finished"

    def whole(self) -> "Replay":
        """Itself, where the whole game is out and folds; raises why not otherwise."""
        if self.stop is not None:
            raise self.stop
        if not self.finished:
            raise NotRevealed("the game is not finished")
        if self.secrets.root is None:
            raise Failed(len(self.lines), "the root does not lead to the commitment")
        if len(self.events) < len(self.lines):
            raise Failed(len(self.events) + 1, "a value of this entry is not known")
        return self


def replay(lines: list[Line], secrets: Secrets) -> Replay:
    """Folds events until one whose secrets are not out, or that cannot be folded."""
    found = Replay(lines, secrets)
    types = known_types()
    for line in lines:
        try:
            with entry(line.version):
                given = _stored(line, found)
                if given is None:
                    break
                event = event_of(given, line.head, types)
                found.events.append(event)
                found.states.append(_after(found, event))
        except (Failed, Unsupported) as stop:
            found.stop = stop
            break
    return found


def _stored(line: Line, found: Replay) -> Entry | None:
    """The entry with its secrets; None while they are not out.

    A game can be followed without its root, and without its script where no draw is taken from it.
    """
    values = {}
    for part in parts_in(line):
        if part.place in found.secrets.values:
            values[part.path] = found.secrets.values[part.place]
        elif part.place == (1, "/root"):
            values["/root"] = ""
        elif line.version == 1 and part.path.startswith("/scripted_deals/"):
            found.script = False
        else:
            return None
    if line.version == 1 and not found.script:
        values = {path: value for path, value in values.items() if path == "/root"}
        values["/scripted_deals"] = []
    secrets = canonical(values) if values else b""
    return Entry(line.version, line.public, line.digest, secrets)


def _after(found: Replay, event: Event) -> Game:
    if found.states:
        return evolve(found.states[-1], event)
    if not isinstance(event, Opened):
        raise Failed(1, "the first entry does not open a game")
    return new_game(event)


def check_draws(found: Replay) -> str:
    """Draws numbered without gaps, each redone from its link, each link released in time."""
    count = _check_numbers(found.lines)
    redone = 0
    for place, event in enumerate(found.events):
        with entry(place + 1):
            draw = getattr(event, "draw", None)
            if isinstance(draw, Draw) and _can_redo(found, draw):
                _check_draw(found, place, event)
                redone += 1
    if isinstance(found.stop, Unsupported) or (found.stop is not None and redone < count):
        raise found.stop
    if redone < count and found.finished:
        raise Failed(len(found.lines), f"only {redone} of {count} draws have a link that is right")
    if redone < count or not found.finished:
        raise NotRevealed(f"{redone} of {count} draws redone; the rest is not out yet")
    return f"{count} draws"


def _can_redo(found: Replay, draw: Draw) -> bool:
    return draw.number in found.secrets.links and (found.script or not draw.scripted)


def _check_draw(found: Replay, place: int, event: Event) -> None:
    game = found.before(place)
    if not found.script:
        game = replace(game, script=None)
    expected = consequence(game, found.secrets.chain)
    if expected is None or not same_event(expected, event):
        raise Failed(
            place + 1,
            "the draw is not the one that the rules demand, redone from link and entropy",
            expected=stated(expected),
            found=stated(event),
        )


def _check_numbers(lines: list[Line]) -> int:
    """How many draws there are; each follows the one before, and is opened when it has ended."""
    types = known_types()
    count, secret = 0, False
    ended: tuple[int, str] | None = None
    for line in lines:
        with entry(line.version):
            if ended is not None and line.head.command != ended[1]:
                raise Failed(ended[0], f"the command that ended draw {count} kept its link back")
            draw = line.data.get("draw")
            if line.head.type == "game.deal-revealed":
                if draw != count or not secret or ended is None:
                    raise Failed(line.version, f"draw {draw} is revealed and has not just ended")
                secret, ended = False, None
            elif draw is not None:
                if draw["number"] != count + 1 or secret:
                    raise Failed(
                        line.version,
                        "the draws are not numbered without gaps, one secret at a time",
                        expected=count + 1,
                        found=draw["number"],
                    )
                count, secret = count + 1, draw.get("link") is None
            kind = types.get(line.head.type)
            if kind is not None and kind.ends_draw and secret:
                ended = line.version, line.head.command
    if ended is not None and lines[-1].head.type == "game.finished":
        raise Failed(ended[0], f"the command that ended draw {count} kept its link back")
    return count


def commands(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The entries of each command, in order."""
    for _, group in groupby(lines, key=lambda line: line.head.command):
        yield list(group)


def stated(event: Event | None) -> Any:
    return None if event is None else msgspec.to_builtins(event)
