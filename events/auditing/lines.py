"""Lines of a log, taken apart byte by byte: public object, digest, and the values known."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from events.auditing.report import Failed, Unsupported, entry
from events.entry import SCHEME, Entry, Envelope, canonical, entry_digest, envelope

_HASH = re.compile(r"[0-9a-f]{64}")
_COMMAND = re.compile(r"[0-9a-f]{32}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_MEMBERS = frozenset(Envelope.__struct_fields__)
_LARGEST = 2**53 - 1


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


_tails = msgspec.json.Decoder(_Tail)


def lines_of(log: bytes) -> list[bytes]:
    """The lines of a log file. What follows the last line feed is a line of its own."""
    lines = log.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def read(lines: Iterable[bytes]) -> tuple[list[Line], Failed | Unsupported | None]:
    """The lines up to the first that cannot be read, and why it cannot."""
    found: list[Line] = []
    try:
        for number, line in enumerate(lines, start=1):
            with entry(number):
                found.append(_line(line.removesuffix(b"\n"), number))
    except (Failed, Unsupported) as stop:
        return found, stop
    return found, None if found else Failed(1, "the log has no lines")


def check_chain(lines: list[Line], stop: Failed | Unsupported | None) -> str:
    """Every line in its form, numbered without gaps, of one game, each digest right."""
    previous = b""
    for line in lines:
        digest = entry_digest(lines[0].head.game, previous, line.public)
        if line.head.game != lines[0].head.game:
            raise Failed(
                line.version,
                "an entry of another game",
                expected=lines[0].head.game,
                found=line.head.game,
            )
        if line.digest != digest:
            raise Failed(
                line.version,
                "the digest is not that of this entry and the one before it",
                expected=digest.hex(),
                found=line.digest.hex(),
            )
        previous = digest
    if stop is not None:
        raise stop
    return f"{len(lines)} entries"


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
    if number == 1 and members.get("scheme", SCHEME) != SCHEME:
        raise Unsupported(1, f"unknown scheme {members['scheme']!r}")
    expected = _MEMBERS if number == 1 else _MEMBERS - {"scheme"}
    if members.keys() != expected:
        raise Failed(
            number,
            "the public object has not the members of an entry",
            expected=sorted(expected),
            found=sorted(members),
        )
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
    if line.head.version != number:
        raise Failed(
            number,
            "the versions have a gap or go back",
            expected=number,
            found=line.head.version,
        )
    if not _COMMAND.fullmatch(line.head.command):
        raise Failed(number, "the command id is not 32 lower-case hex digits")
    if not _MOMENT.fullmatch(line.head.at):
        raise Failed(number, "the time is not RFC 3339 UTC milliseconds", found=line.head.at)
    return line


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
