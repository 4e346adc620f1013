"""Lines of a log, taken apart byte by byte: public object, digest, and the values known."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from domain.game.model import TABLE
from domain.kernel import Event
from domain.registry import RULESETS
from events.audit.report import Failed, Unsupported, entry
from events.log.entry import SCHEME, Entry, Envelope, canonical, entry_digest, envelope, known_types

_HASH = re.compile(r"[0-9a-f]{64}")
_COMMAND = re.compile(r"[0-9a-f]{32}")
_GAME = re.compile(r"[a-z2-7]{25}[aeimquy4]")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_MEMBERS = frozenset(Envelope.__struct_fields__)
_LARGEST = 2**53 - 1
_ACTORS: dict[str, tuple[set[str], set[str]]] = {
    "player": ({"kind", "id"}, {"seat"}),
    "bot": ({"kind", "seat", "level", "bot"}, {"fallback"}),
    "table": ({"kind"}, set()),
}
"""Of each kind of actor the members it has, and those it may have."""


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sealed value that the reader of a line may know, with the salt of its seal."""

    path: str
    salt: str
    value: Any


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a log, known to be in the only form that it can have."""

    version: int
    public: bytes
    digest: bytes
    known: tuple[Known, ...]
    head: Envelope
    data: dict[str, Any]

    @property
    def entry(self) -> Entry:
        """The entry as it was stored."""
        secrets = {known.path: known.value for known in self.known}
        return Entry(self.version, self.public, self.digest, canonical(secrets) if secrets else b"")


class _Tail(msgspec.Struct, frozen=True):
    digest: str
    known: tuple[Known, ...]


class _Opening(msgspec.Struct, frozen=True):
    scheme: str


_tails = msgspec.json.Decoder(_Tail)
_openings = msgspec.json.Decoder(_Opening)


def lines_of(log: bytes) -> list[bytes]:
    """The lines of a log file. What follows the last line feed is a line of its own."""
    lines = log.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def read(lines: Iterable[bytes]) -> tuple[list[Line], Failed | Unsupported | None]:
    """The lines up to the first that has not the form of its place, and why it has not."""
    found: list[Line] = []
    types = known_types()
    try:
        for number, line in enumerate(lines, start=1):
            with entry(number):
                if number == 1:
                    _check_scheme(line)
                read_now = _line(line.removesuffix(b"\n"), number)
                _check_place(read_now, found)
                _check_data(read_now, types)
                found.append(read_now)
    except (Failed, Unsupported) as stop:
        return found, stop
    return found, None if found else Failed(1, "the log has no lines")


def unknown_in(lines: list[Line]) -> Unsupported | None:
    """What this release has no rules for, where there is such a thing."""
    ruleset = lines[0].data.get("ruleset")
    if lines[0].head.schema == 1 and (not isinstance(ruleset, str) or ruleset not in RULESETS):
        return Unsupported(1, f"unknown rule set {ruleset!r}")
    types = known_types()
    for line in lines:
        kind = types.get(line.head.type)
        if kind is None or line.head.schema > kind.schema:
            return Unsupported(line.version, f"unknown event {line.head.type} {line.head.schema}")
    return None


def check_chain(lines: list[Line]) -> str:
    """Entries of one game, each digest right, command after command."""
    game, previous = lines[0].head.game, b""
    first, commands = lines[0], set[str]()
    for line in lines:
        digest = entry_digest(game, previous, line.public)
        if line.head.game != game:
            raise Failed(
                line.version, "an entry of another game", expected=game, found=line.head.game
            )
        if line.digest != digest:
            raise Failed(
                line.version,
                "the digest is not that of this entry and the one before it",
                expected=digest.hex(),
                found=line.digest.hex(),
            )
        previous = digest
        if line.head.causation is None or line.version == 1:
            first = line
            _check_begins(line, commands)
            commands.add(line.head.command)
        else:
            _check_follows(line, first)
    return f"{len(lines)} entries"


def _check_begins(line: Line, before: set[str]) -> None:
    if line.head.causation is not None:
        raise Failed(line.version, "the first entry follows from another")
    if line.head.command in before:
        raise Failed(line.version, "a command id comes back", found=line.head.command)
    if line.head.actor == TABLE:
        raise Failed(line.version, "the table sends no commands")


def _check_follows(line: Line, first: Line) -> None:
    """What follows in a command is of the table, and has the rest from the entry that began it."""
    found = {"actor": line.head.actor, "causation": line.head.causation}
    due = {"actor": TABLE, "causation": first.version}
    for name in ("at", "command", "correlation"):
        found[name], due[name] = getattr(line.head, name), getattr(first.head, name)
    if found != due:
        raise Failed(
            line.version,
            "the entry does not belong to the command before it",
            expected=msgspec.to_builtins(due),
            found=msgspec.to_builtins(found),
        )


def _check_scheme(line: bytes) -> None:
    """Another scheme may have lines of another form."""
    scheme = SCHEME
    with suppress(msgspec.DecodeError, RecursionError):
        scheme = _openings.decode(line).scheme
    if scheme != SCHEME:
        raise Unsupported(1, f"unknown scheme {scheme!r}")


def _line(line: bytes, number: int) -> Line:
    tail = _tails.decode(line)
    ending = b',"digest":"%b","known":%b}' % (
        tail.digest.encode(),
        canonical(list(tail.known)),
    )
    if not line.endswith(ending):
        raise Failed(number, "the line does not end with its digest and known, written canonically")
    if not _HASH.fullmatch(tail.digest) or not all(_HASH.fullmatch(k.salt) for k in tail.known):
        raise Failed(number, "a digest or salt is not 64 lower-case hex digits")
    paths = [known.path for known in tail.known]
    if paths != sorted(set(paths)):
        raise Failed(number, "the known parts are not sorted by path, each once", found=paths)
    public = line[: -len(ending)] + b"}"
    members = msgspec.json.decode(public)
    _check_plain(members, number)
    _check_plain(msgspec.to_builtins([known.value for known in tail.known]), number)
    if canonical(members) != public:
        raise Failed(
            number,
            "the public object is not canonical",
            expected=canonical(members).decode(),
            found=public.decode(),
        )
    return _enveloped(number, public, tail, members)


def _enveloped(number: int, public: bytes, tail: _Tail, members: dict[str, Any]) -> Line:
    expected = _MEMBERS if number == 1 else _MEMBERS - {"scheme"}
    _check_members(number, "the public object", members, expected)
    data = members["data"]
    if not isinstance(data, dict):
        raise Failed(number, "data is not an object")
    line = Line(
        version=number,
        public=public,
        digest=bytes.fromhex(tail.digest),
        known=tail.known,
        head=envelope(Entry(number, public, b"")),
        data=data,
    )
    _check_head(line, number)
    _check_actor(number, members["actor"])
    return line


def _check_head(line: Line, number: int) -> None:
    head = line.head
    if head.version != number:
        raise Failed(
            number, "the versions have a gap or go back", expected=number, found=head.version
        )
    if number == 1 and head.scheme != SCHEME:
        raise Failed(1, "the scheme is no text")
    if not _COMMAND.fullmatch(head.command):
        raise Failed(number, "the command id is not 32 lower-case hex digits")
    if not _GAME.fullmatch(head.game):
        raise Failed(number, "the game id is not 16 bytes in base32", found=head.game)
    if not _MOMENT.fullmatch(head.at):
        raise Failed(number, "the time is not RFC 3339 UTC milliseconds", found=head.at)
    if head.schema < 1 or (head.causation is not None and head.causation < 1):
        raise Failed(number, "a schema or a causation is less than 1")


def _check_actor(number: int, actor: dict[str, Any]) -> None:
    """Types of members are checked already; null is none."""
    has, may_have = _ACTORS.get(actor["kind"], (set(), set()))
    _check_members(number, "the actor", actor, has | (may_have & actor.keys()))
    if None in actor.values() or actor.get("fallback") is False or actor.get("seat", 0) < 0:
        raise Failed(number, "the actor states what does not apply", found=actor)


def _check_place(line: Line, before: list[Line]) -> None:
    """A game is opened by its first entry and no other, and ends with the one that finishes it."""
    if (line.head.type == "game.opened") != (line.version == 1):
        raise Failed(line.version, "a game is opened by its first entry", found=line.head.type)
    if before and before[-1].head.type == "game.finished":
        raise Failed(line.version, "the log goes on after the end of the game")


def _check_data(line: Line, types: Mapping[str, type[Event]]) -> None:
    kind = types.get(line.head.type)
    if kind is not None and line.head.schema == kind.schema:
        _check_members(line.version, "data", line.data, frozenset(kind.__struct_fields__))


def _check_members(
    number: int, what: str, members: dict[str, Any], expected: set[str] | frozenset[str]
) -> None:
    if members.keys() != expected:
        raise Failed(
            number,
            f"{what} has not the members it must have",
            expected=sorted(expected),
            found=sorted(members),
        )


def _check_plain(value: Any, number: int) -> None:
    """Objects with ASCII names, arrays, texts, whole numbers below 2^53, true, false and null."""
    match value:
        case dict():
            if not all(name.isascii() for name in value):
                raise Failed(number, "a member name is not ASCII")
            for member in value.values():
                _check_plain(member, number)
        case list():
            for item in value:
                _check_plain(item, number)
        case float():
            raise Failed(number, "a number is not whole", found=value)
        case int() if abs(value) > _LARGEST:
            raise Failed(number, "a number is too large", found=value)
