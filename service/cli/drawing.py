"""Tables and verdicts drawn for a terminal, the same for every ruleset."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from events.audit import Report

SHARED = frozenset({
    "ruleset", "options", "status", "version", "commitment", "chance", "script", "opener", "seats",
    "seat", "question", "legal_moves", "refused", "to_act", "outcome", "scheme", "digest", "hand",
})  # fmt: skip
"""Fields of a view that say nothing about the cards on the table, or are drawn by themselves."""

COLOURS = {"ok": "green", "failed": "red", "not-given": "dim"}


def table_at(public: dict[str, Any], seats: Sequence[dict[str, Any]]) -> Table:
    """A row per seat, a column for all that is by seat. `seats` are the views of the seats."""
    places = len(public["seats"])
    by_seat = [
        name
        for name, value in public.items()
        if name not in SHARED and isinstance(value, (list, tuple)) and len(value) == places
    ]
    table = Table(
        title=Text(f"{public['ruleset']}, version {public['version']}, {public['status']}"),
        caption=Text(_caption(public, by_seat)),
    )
    for heading in ("seat", "who", "is asked", "hand", *by_seat):
        table.add_column(heading.replace("_", " "))
    for number, occupant in enumerate(public["seats"]):
        hand = seats[number].get("hand") if seats else None
        who = occupant["player"] or " ".join(filter(None, (occupant["kind"], occupant["level"])))
        cells = (
            str(number),
            who,
            public["to_act"].get(str(number), ""),
            "hidden" if hand is None else text(hand),
            *(text(public[name][number]) for name in by_seat),
        )
        table.add_row(*map(Text, cells))
    return table


def verdicts(report: Report) -> Table:
    """What a log says is shown as it stands: a hostile one must not style the auditor's table."""
    title = Text(f"{report.game}, {report.ruleset}")
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
            Text("\n".join([verdict.detail, *values])),
        )
    return table


def text(value: Any) -> str:
    """A value of a view in a few words; cards in the order they lie."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case {"seat": seat, "card": card}:
            return f"{seat}:{card}"
        case dict():
            return ", ".join(f"{name} {text(part)}" for name, part in value.items())
        case list() | tuple():
            return " ".join(map(text, value))
        case _:
            return str(value)


def _caption(public: dict[str, Any], by_seat: Sequence[str]) -> str:
    return "\n".join(
        f"{name.replace('_', ' ')}: {text(value)}"
        for name, value in public.items()
        if name not in SHARED and name not in by_seat and value not in (None, [], ())
    )
