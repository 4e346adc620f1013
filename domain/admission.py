"""Whether a rule set from outside may stand beside those that are registered.

Looked at is what can be told at every start, without a game being played; the laws play games.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, Union, get_origin, get_type_hints

import msgspec
from msgspec import inspect

from domain.chance import CHAIN_LENGTH
from domain.game.views import SHARED
from domain.kernel import Event, Move, Ruleset
from domain.registry import HOUSE, RULESETS, event_types
from domain.scores import Outcome
from domain.visibility import SPECTATOR, audiences, undeclared_fields

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_EVENT = re.compile(r"[a-z][a-z0-9-]*")
_MOVE = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST = 40
_MOST_SEATS = 16
_RESERVED = "game"
"""The first word of the types of events that all games have."""


def flaw(candidate: object) -> str | None:
    """The first thing that speaks against it, in words that follow a colon; None where nothing."""
    if not isinstance(candidate, Ruleset):
        return f"it is of the type {type(candidate).__name__}, and not a Ruleset"
    for check in (_identity, _functions, _options, _moves, _events, _view, _beginning):
        try:
            found = next(check(candidate), None)
        except Exception as error:  # noqa: BLE001 - whatever a stranger's code does, it is a flaw
            found = f"{type(error).__name__} while its {check.__name__[1:]} was looked at: {error}"
        if found is not None:
            return found
    return None


def _identity(ruleset: Any) -> Iterator[str]:
    name, version, counts = ruleset.name, ruleset.version, ruleset.seat_counts
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > _LONGEST:
        yield f"its name {name!r} is not a few lower-case words joined by underscores"
    if name in HOUSE or name == _RESERVED:
        yield f"the name {name} is the house's own"
    if type(version) is not int or version < 1:
        yield f"its version {version!r} is not a whole number from 1 on"
    if ruleset.id in RULESETS:
        yield f"there is another {ruleset.id}"
    if not isinstance(ruleset.title, str) or not ruleset.title.strip():
        yield "it has no title"
    if not counts or len(set(counts)) < len(counts) or any(type(n) is not int for n in counts):
        yield "it does not say with how many seats it is played"
    if not all(1 <= seats <= _MOST_SEATS for seats in counts):
        yield f"a table has 1 to {_MOST_SEATS} seats"


def _functions(ruleset: Ruleset[Any]) -> Iterator[str]:
    for field in fields(ruleset):
        if get_origin(field.type) is Callable and not callable(getattr(ruleset, field.name)):
            yield f"its {field.name} cannot be called"


def _options(ruleset: Ruleset[Any]) -> Iterator[str]:
    for name in ("options", "scripted_deal"):
        if not _is_frozen(getattr(ruleset, name), msgspec.Struct):
            yield f"its {name} is not a frozen Struct"
    msgspec.json.schema(ruleset.options)
    msgspec.convert(msgspec.to_builtins(ruleset.options()), ruleset.options)


def _moves(ruleset: Ruleset[Any]) -> Iterator[str]:
    """A type of its own is named after the game; one that the house has is the very same class."""
    yield from _types(ruleset.moves, Move)
    others = {_tag(m): m for other in RULESETS.values() for m in other.moves}
    for move in ruleset.moves:
        if not _is_of_the_house(move) and not _is_named_after(ruleset, move, _MOVE):
            yield f"its move {_tag(move)} is not named {ruleset.name}.…"
        if others.get(_tag(move), move) is not move:
            yield f"another game has a move {_tag(move)}"


def _events(ruleset: Ruleset[Any]) -> Iterator[str]:
    yield from _types(ruleset.events, Event)
    others = event_types()
    for event in ruleset.events:
        if not _is_named_after(ruleset, event, _EVENT):
            yield f"its event {_tag(event)} is not named {ruleset.name}.…"
        if others.get(_tag(event), event) is not event:
            yield f"another game has an event {_tag(event)}"
        if undeclared := undeclared_fields(event):
            yield f"its event {_tag(event)} does not declare who may know {undeclared[0]}"
        to_one = any(audience.to == "its-seat" for _, audience in audiences(event))
        names = event.__struct_fields__
        if (to_one or "answers" in names) and "seat" not in names:
            yield f"its event {_tag(event)} is of a seat, and has no field seat"
        if b'"type":"number"' in msgspec.json.encode(msgspec.json.schema(event)):
            yield f"its event {_tag(event)} has a fraction, which has no canonical form"


def _view(ruleset: Ruleset[Any]) -> Iterator[str]:
    """Its Structs are components of the API's description, where each name stands once."""
    shown = get_type_hints(ruleset.view).get("return")
    if not _is_frozen(shown, msgspec.Struct):
        yield "its view does not say which frozen Struct it returns"
    assert isinstance(shown, type)
    for field in msgspec.structs.fields(shown):
        if field.encode_name in SHARED:
            yield f"the field {field.encode_name} of its view is one that all views have"
    own_name = "".join(word.capitalize() for word in ruleset.name.split("_"))
    others = {kind.__name__: kind for other in RULESETS.values() for kind in _structs(other)}
    for kind in _structs(ruleset):
        name = kind.__name__
        if not _is_of_the_house(kind) and not re.fullmatch(rf"{own_name}[A-Za-z0-9]*", name):
            yield f"the name of its Struct {name} does not begin with {own_name}"
        if others.get(name, kind) is not kind:
            yield f"another game has a Struct {name}"


def _beginning(ruleset: Ruleset[Any]) -> Iterator[str]:
    for seats in ruleset.seat_counts:
        options = ruleset.complete_options(ruleset.options(), seats)
        if not 0 <= ruleset.max_draws(options, seats) < CHAIN_LENGTH:
            yield f"with {seats} seats it needs more draws than a game has"
        state = ruleset.initial(options, seats)
        if ruleset.outcome(state) is not None:
            yield f"with {seats} seats it is over before it begins"
        teams = ruleset.teams(options, seats)
        if teams and sorted(seat for team in teams for seat in team) != list(range(seats)):
            yield f"with {seats} seats its teams are not every seat once"
        msgspec.json.encode(ruleset.view(state, SPECTATOR))
        for better in ("higher", "lower"):
            if not isinstance(ruleset.won_by((0,) * seats, better, None), Outcome):
                yield "its won_by gives no Outcome"


def _types(kinds: tuple[type[Any], ...], base: type[Any]) -> Iterator[str]:
    what = base.__name__.lower()
    if not kinds:
        yield f"it has no {what}"
    for kind in kinds:
        if not _is_frozen(kind, base):
            yield f"its {what} {getattr(kind, '__name__', kind)} is not a frozen {base.__name__}"
    if len({_tag(kind) for kind in kinds}) < len(kinds):
        yield f"it has a type of {what} twice"
    msgspec.json.Decoder(Union[kinds])  # noqa: UP007


def _structs(ruleset: Ruleset[Any]) -> list[type[msgspec.Struct]]:
    """Every Struct of its moves and its view, however deep."""
    found: dict[type[msgspec.Struct], None] = {}
    left: list[Any] = [inspect.type_info(kind) for kind in ruleset.moves]
    left.append(inspect.type_info(get_type_hints(ruleset.view)["return"]))
    while left:
        info = left.pop()
        if isinstance(info, inspect.StructType):
            if info.cls not in found:
                found[info.cls] = None
                left += [field.type for field in info.fields]
        elif isinstance(info, inspect.Type):
            left += [getattr(info, name) for name in info.__struct_fields__]
        elif isinstance(info, tuple):
            left += info
    return list(found)


def _is_of_the_house(kind: type[Any]) -> bool:
    return kind.__module__.partition(".")[0] == "domain"


def _is_named_after(ruleset: Ruleset[Any], kind: type[Any], form: re.Pattern[str]) -> bool:
    name, _, word = _tag(kind).partition(".")
    return name == ruleset.name and form.fullmatch(word) is not None


def _is_frozen(kind: Any, base: type[Any]) -> bool:
    return isinstance(kind, type) and issubclass(kind, base) and _config(kind).frozen


def _tag(kind: Any) -> str:
    return str(_config(kind).tag)


def _config(kind: Any) -> Any:
    return kind.__struct_config__
