"""Tables and verdicts drawn for a terminal, the same for every ruleset.

What a log says is shown as it stands: it styles nothing, and nothing in it is obeyed.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from rich.console import Group
from rich.table import Table
from rich.text import Text

from domain.game.views import SHARED
from domain.kernel import RuleViolation
from domain.registry import find
from domain.visibility import Viewer
from events.audit.audit import Report

APART = SHARED | {"actions"}
"""Fields of a view that say nothing about the cards on the table, or are drawn by themselves."""

MANY = (list, tuple, dict)
COLOURS = {"ok": "green", "failed": "red", "not-given": "dim"}


def table_at(public: dict[str, Any], seats: Sequence[dict[str, Any]]) -> Group:
    """What lies on the table, then each seat with what is its own. `seats` are their views."""
    by_seat, own = facts_by_seat(public), own_facts(public, seats)
    apart = {*APART, *by_seat, *own}
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for name, value in public.items():
        if name not in apart and value not in (None, [], ()):
            grid.add_row(_heading(name), Text(text(value)))
    for number, occupant in enumerate(public["seats"]):
        view = seats[number] if seats else public
        facts = {name: view[name][number] for name in by_seat}
        long = {name: value for name, value in facts.items() if isinstance(value, MANY)}
        short = [f"{_words(name)} {text(facts[name])}" for name in facts if name not in long]
        grid.add_row()
        grid.add_row(Text(f"seat {number}", "bold"), Text(_who(public, occupant, number), "bold"))
        for name in own:
            if name == "hand" or view[name] not in (None, [], ()):
                hidden = view[name] is None
                grid.add_row(_heading(name), Text("hidden" if hidden else text(view[name])))
        for name, value in long.items():
            grid.add_row(_heading(name), Text(text(value)))
        if short:
            grid.add_row("", Text(", ".join(short)))
    title = f"{public['ruleset']}, version {public['version']}, {public['status']}"
    return Group(Text(plain(title), "bold"), Text(), grid)


def own_facts(public: dict[str, Any], seats: Sequence[dict[str, Any]]) -> list[str]:
    """The hand, and all else that each seat sees for itself and that is not told by seat."""
    by_seat = facts_by_seat(public)
    told = [list(public[name]) for name in by_seat]
    own = {
        name
        for name in public.keys() - APART - set(by_seat)
        if any(view[name] != public[name] for view in seats)
        and [view[name] for view in seats] not in told
    }
    return [name for name in public if name == "hand" or name in own]


def facts_by_seat(public: dict[str, Any]) -> list[str]:
    """The lists of a view that have an item per seat, also those that are null until a reveal.

    They are told from lists that grow to the same length by how a table looks at which nothing
    was played yet, with every number of seats that the game can have.
    """
    ruleset = find(public["ruleset"])
    number = len(public["seats"])
    names = {n for n in public if n not in APART and _is_list_of(public[n], number)}
    options = msgspec.convert(public["options"], ruleset.options)
    for places in {*ruleset.seat_counts, number}:
        with suppress(RuleViolation):  # not with these options
            fresh = msgspec.to_builtins(ruleset.view(ruleset.initial(options, places), Viewer()))
            names = {n for n in names if _may_be_by_seat(public[n], fresh[n], places)}
    return [name for name in public if name in names]


def verdicts(report: Report) -> Table:
    title = Text(plain(", ".join(filter(None, (report.game, report.ruleset))) or "no game"))
    table = Table("verdict", "answer", "entry", "detail", title=title)
    for verdict in report.verdicts:
        colour = COLOURS.get(verdict.status, "yellow")
        values = [
            f"{name}: {value}"
            for name, value in (("expected", verdict.expected), ("found", verdict.found))
            if value is not None
        ]
        table.add_row(
            verdict.name,
            Text(verdict.status, colour),
            "" if verdict.version is None else str(verdict.version),
            Text("\n".join(map(plain, (verdict.detail, *values)))),
        )
    return table


def text(value: Any) -> str:
    """A value of a view in a few words; cards in the order they lie."""
    match value:
        case None | [] | {} if not value:
            return "-"
        case bool():
            return "yes" if value else "no"
        case {"seat": seat, "card": card, **rest} if not rest:
            return f"{seat}:{plain(card)}"
        case dict():
            return ", ".join(f"{_words(name)} {text(part)}" for name, part in value.items())
        case list() | tuple():
            within = any(isinstance(part, (list, tuple)) or _is_long(part) for part in value)
            return (" | " if within else " ").join(map(text, value))
        case _:
            return plain(value)


def plain(value: object) -> str:
    """A text without what a terminal would obey: that is written as an escape."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(value)
    )


def cells(*values: object) -> list[Text]:
    """A row of a table, of values that we did not write."""
    return [Text(plain(value)) for value in values]


def _may_be_by_seat(now: Any, fresh: Any, places: int) -> bool:
    """A list that was null at first is by seat, unless it lists the seats: all have won."""
    if fresh is None:
        return list(now) != list(range(len(now)))
    return _is_list_of(fresh, places)


def _is_list_of(value: Any, length: int) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == length


def _is_long(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() != {"seat", "card"}


def _who(public: dict[str, Any], occupant: dict[str, Any], number: int) -> str:
    who = occupant["player"] or " ".join(filter(None, (occupant["kind"], occupant["level"])))
    asked = public["to_act"].get(str(number))
    partners = [str(n) for team in public.get("teams", ()) if number in team for n in team]
    partners = [n for n in partners if n != str(number)]
    together = f", with seat {' and '.join(partners)}" if partners else ""
    return plain(f"{who}{together}" + (f", is asked {asked}" if asked else ""))


def _heading(name: str) -> Text:
    return Text(_words(name))


def _words(name: str) -> str:
    return plain(name).replace("_", " ")
