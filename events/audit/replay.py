"""The game of a log played again: its events folded, every draw redone, every command decided."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.chance import Chain, Draw
from domain.game.aggregate import consequence, evolve, new_game
from domain.game.model import Game, Opened, ScriptPlan
from domain.kernel import Event
from domain.visibility import UNKNOWN, NotKnown, secret_fields
from events.audit.keys import Secrets, is_number, parts_in
from events.audit.parsing import Line
from events.audit.report import Failed, NotRevealed, Unsupported, entry
from events.log.entry import Envelope, canonical, event_with, known_types, same_event


@dataclass(slots=True)
class Replay:
    """Events of a log, as far as it can be followed, with the state after each.

    `stop` is why it does not go on, where the fault is the log's. `sealed` are the places of events
    of which not all is out. `script` is whether the scripted deals, if any, are out.
    """

    lines: list[Line]
    secrets: Secrets
    events: list[Event] = field(default_factory=list)
    states: list[Game] = field(default_factory=list)
    sealed: set[int] = field(default_factory=set)
    stop: Failed | Unsupported | None = None
    script: bool = True

    def before(self, place: int) -> Game:
        """The state before entry `place`, counted from 0; there is none before the first.

        While its script is not out, every draw is due as in a game without one.
        """
        game = self.states[place - 1]
        return game if self.script else replace(game, script=None)

    def event(self, place: int) -> Event | None:
        """The event of entry `place`, where the replay has come to it and all of it is out."""
        if place >= len(self.events) or place in self.sealed:
            return None
        return self.events[place]

    def is_out(self, place: int) -> bool:
        """Whether all of entry `place` is out, and what it was drawn from."""
        event, drawn = self.event(place), _drawn(self.lines[place])
        if self.finished or event is None:
            return event is not None
        if drawn is not None:
            return _is_out(self, drawn)
        return place == 0 or not is_from_root(event)

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
    """Folds events until one that cannot be folded, or until something hidden has to be known.

    What is not out while the game goes on is UNKNOWN in the events; so a game is followed for as
    long as nothing depends on it. Once the game is finished all has to be out but the root.
    """
    found = Replay(lines, secrets)
    types = known_types()
    for line in lines:
        try:
            with entry(line.version):
                event = _event(line, found, types)
                found.events.append(event)
                found.states.append(_after(found, event))
        except NotRevealed:
            break
        except (Failed, Unsupported) as stop:
            found.stop = stop
            break
    return found


def _event(line: Line, found: Replay, types: Mapping[str, type[Event]]) -> Event:
    known, head = found.secrets.values, line.head
    values = {part.path: known.get(part.place, UNKNOWN) for part in parts_in(line)}
    if line.version == 1:
        head, values = _opening(line, values, found)
    if any(value is UNKNOWN for value in values.values()):
        if found.finished:
            raise NotRevealed("a value of this entry is not known")
        found.sealed.add(line.version - 1)
    return event_with(values, head, types)


def _opening(line: Line, values: dict[str, Any], found: Replay) -> tuple[Envelope, dict[str, Any]]:
    """Without the root and the scripted deals, while they are not out."""
    root = {"/root": (found.secrets.root or b"").hex()} if "/root" in values else {}
    deals = (value for path, value in values.items() if path.startswith("/scripted_deals/"))
    if not any(deal is UNKNOWN for deal in deals):
        return line.head, values | root
    found.script = False
    data = msgspec.Raw(canonical(line.data | {"scripted_deals": []}))
    return replace(line.head, data=data), root


def _after(found: Replay, event: Event) -> Game:
    if found.states:
        return evolve(found.states[-1], event)
    if not isinstance(event, Opened):
        raise Failed(1, "the first entry does not open a game")
    return new_game(event)


def check_draws(found: Replay) -> str:
    """Draws numbered without gaps, each redone from its link, each link released in time."""
    with entry(1):
        _check_plan(found.lines[0].data["script"])
    count, chain = _check_numbers(found.lines), found.secrets.chain
    redone = 0
    for place in range(1, min(len(found.lines), len(found.states) + 1)):
        with entry(place + 1):
            redone += _check_draw(found, place, chain)
    if found.stop is not None and redone < count:
        raise found.stop
    if redone < count and found.finished:
        raise Failed(len(found.lines), f"only {redone} of {count} draws have a link that is right")
    if redone < count or not found.finished:
        raise NotRevealed(f"{redone} of {count} draws redone; the rest is not out yet")
    return f"{count} draws"


def _check_plan(script: Any) -> None:
    if script is None:
        return
    plan = msgspec.convert(script, ScriptPlan, strict=True)
    if script.keys() != {"first_deal", "deals"} or plan.first_deal < 1 or plan.deals < 1:
        raise Failed(1, "a script has at least one deal, from the first on", found=script)


def _check_draw(found: Replay, place: int, chain: Chain) -> bool:
    """Whether entry `place` is a draw redone; raises Failed where it, or none, is the one due."""
    line, event = found.lines[place], found.event(place)
    drawn = _drawn(line)
    if drawn is None and line.head.type == "game.finished":
        return False  # too early or not: that is for the rules to say
    try:
        expected = consequence(found.before(place), chain)
    except NotKnown:
        return False
    due = getattr(expected, "draw", None)
    if drawn is None and not isinstance(due, Draw):
        _check_root_draw(found, line.version, expected, event)
        return False
    out = _is_out(found, drawn)
    right = _same_draw(due, drawn) or (not found.script and drawn is not None)
    if out and event is not None:
        right = right and expected is not None and same_event(expected, event)
    if not right:
        raise _other_draw(line.version, expected, line.data if event is None else stated(event))
    return out and event is not None


def _check_root_draw(
    found: Replay, version: int, expected: Event | None, event: Event | None
) -> None:
    """What the table deals from the root, such as endings; its type keeps it until the end."""
    if expected is None or event is None or not (found.finished and found.script):
        return
    if is_from_root(expected) and not same_event(expected, event):
        raise _other_draw(version, expected, stated(event))


def is_from_root(event: Event) -> bool:
    """Whether it holds what its type keeps until the end of the game."""
    return any(audience.until == "game" for _, audience in secret_fields(type(event)))


def _other_draw(version: int, expected: Event | None, found: Any) -> Failed:
    return Failed(
        version,
        "the draw is not the one that the rules demand, redone from its key and entropy",
        expected=stated(expected),
        found=found,
    )


def _drawn(line: Line) -> Any:
    return None if line.head.type == "game.deal-revealed" else line.data.get("draw")


def _is_out(found: Replay, drawn: Any) -> bool:
    if not isinstance(drawn, dict):
        return False
    known = drawn.get("number") in found.secrets.links
    return known and (found.script or not drawn.get("scripted"))


def _same_draw(due: Any, drawn: Any) -> bool:
    return isinstance(due, Draw) and canonical(due) == canonical(drawn)


def _check_numbers(lines: list[Line]) -> int:
    """How many draws there are; each follows the one before, and is opened when it has ended."""
    types = known_types()
    count, secret = 0, False
    ended: Line | None = None
    for line in lines:
        with entry(line.version):
            reveals = line.head.type == "game.deal-revealed"
            if ended is not None and (not reveals or line.head.command != ended.head.command):
                raise Failed(ended.version, f"the command that ended draw {count} kept its link")
            if reveals:
                if not is_number(line.data["draw"], count) or ended is None:
                    raise Failed(line.version, "a draw is revealed that has not just ended")
                secret, ended = False, None
            elif (draw := _drawn(line)) is not None:
                if not is_number(draw["number"], count + 1) or secret:
                    raise Failed(
                        line.version,
                        "the draws are not numbered without gaps, one secret at a time",
                        expected=count + 1,
                        found=draw["number"],
                    )
                count, secret = count + 1, "link" not in draw
            if types[line.head.type].ends_draw:
                if not secret:
                    raise Failed(line.version, "a draw ends that is none")
                ended = line
            if line.head.type == "game.finished" and secret:
                raise Failed(line.version, f"the link of draw {count} is kept back")
    return count


def commands(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The entries of each command, in order."""
    for _, group in groupby(lines, key=lambda line: line.head.command):
        yield list(group)


def stated(event: Event | None) -> Any:
    """As plain values, for a report."""
    return None if event is None else msgspec.to_builtins(event, enc_hook=lambda _: "sealed")
