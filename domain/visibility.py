"""Who may know what: declared on the fields of events, applied by one function.

A field is secret until its type says otherwise. What is not public leaves the public object as a
sealed part, `{"sealed": hex, "to": [...], "until": k}`, the same for every reader; the value
itself travels beside it, to those it is for.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, NoReturn, TypeVar, get_type_hints

import msgspec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may know a field and what opens it to all: the end of its draw, or of the game."""

    to: Literal["everyone", "its-seat", "each-seat", "opener", "nobody"]
    until: Literal["draw", "game"] = "game"


EVERYONE = Audience("everyone")
UNDECLARED = Audience("nobody", "game")

Public = Annotated[T, EVERYONE]
SeatOnly = Annotated[T, Audience("its-seat", "draw")]
PerSeat = Annotated[tuple[T, ...], Audience("each-seat", "draw")]
PerSeatForTheGame = Annotated[tuple[T, ...], Audience("each-seat", "game")]
Hidden = Annotated[T, Audience("nobody", "draw")]
Secret = Annotated[T, Audience("nobody", "game")]
OpenerOnly = Annotated[tuple[T, ...], Audience("opener", "game")]


class Viewer(msgspec.Struct, frozen=True):
    """Someone who looks: a seat or none, and the opener of the game or not."""

    seat: int | None = None
    opener: bool = False

    def may_know(self, to: Iterable[int | str]) -> bool:
        return any(who == self.seat or (self.opener and who == "opener") for who in to)


SPECTATOR = Viewer()


class NotKnown(Exception):
    """Something depends on a sealed value that whoever follows the game does not know."""


def _looked_at(*_: object) -> NoReturn:
    raise NotKnown("it depends on a sealed value that is not out")


_LOOKS = (
    *("__getattr__", "__bool__", "__eq__", "__ne__", "__hash__", "__lt__", "__le__", "__gt__"),
    *("__ge__", "__len__", "__iter__", "__contains__", "__getitem__", "__index__", "__int__"),
    *("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__mod__", "__and__"),
    *("__rand__", "__or__", "__ror__", "__xor__", "__rxor__", "__str__", "__format__", "__call__"),
)
UNKNOWN: Any = type("Unknown", (), dict.fromkeys(_LOOKS, _looked_at))()
"""Stands in an event for a sealed value that is not out: a card face down.

It may be passed on and kept. Whoever looks at it, in any way, raises NotKnown. So a game can be
followed for as long as nothing depends on what is hidden.
"""


class Part(msgspec.Struct, frozen=True):
    """A secret value of one event: where it stands in `data` (JSON Pointer), and whom it is for."""

    path: str
    value: Any
    to: tuple[int | str, ...]
    until: int | str


@cache
def audiences(event_type: type[msgspec.Struct]) -> tuple[tuple[str, Audience], ...]:
    """Each field of an event type with its declared audience; undeclared fields are for nobody."""
    hints = get_type_hints(event_type, include_extras=True)
    return tuple((name, _declared(hints[name])) for name in event_type.__struct_fields__)


def undeclared_fields(event_type: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(name for name, audience in audiences(event_type) if audience is UNDECLARED)


@cache
def secret_fields(event_type: type[msgspec.Struct]) -> tuple[tuple[str, Audience], ...]:
    return tuple((n, a) for n, a in audiences(event_type) if a.to != "everyone")


def secret_parts(event: msgspec.Struct, draw: int | None) -> tuple[Part, ...]:
    """The secret values of `event`; `draw` is the number of the secret draw they belong to."""
    return tuple(
        part
        for name, audience in secret_fields(type(event))
        for part in _parts(event, name, audience, draw)
    )


def redact(parts: Iterable[Part], viewer: Viewer) -> tuple[Part, ...]:
    """Of an entry's secret parts, those its viewer may know. The same at any time."""
    return tuple(part for part in parts if viewer.may_know(part.to))


def _parts(
    event: msgspec.Struct, name: str, audience: Audience, draw: int | None
) -> Iterator[Part]:
    value = getattr(event, name)
    until: int | str = draw if audience.until == "draw" and draw is not None else "game"
    match audience.to:
        case "each-seat":
            for seat, item in enumerate(value):
                yield Part(f"/{name}/{seat}", _plain(item), (seat,), until)
        case "opener":
            for index, item in enumerate(value):
                yield Part(f"/{name}/{index}", _plain(item), ("opener",), until)
        case "its-seat":
            yield Part(f"/{name}", _plain(value), (event.seat,), until)  # type: ignore[attr-defined]
        case _:
            yield Part(f"/{name}", _plain(value), (), until)


def _plain(value: Any) -> Any:
    return value if value is UNKNOWN else msgspec.to_builtins(value)


def _declared(hint: Any) -> Audience:
    found = [m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Audience)]
    return found[0] if found else UNDECLARED
