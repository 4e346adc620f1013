"""Entries: an event in its envelope, its secrets sealed, chained by digest to the entry before.

The bytes of the public object are canonical (RFC 8785), and they are what is hashed, stored,
served and exported. docs/fairness.md specifies every byte.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Annotated, Any

import msgspec

from domain.chance import Chain
from domain.game.model import LIFECYCLE_EVENTS, Actor, Hex
from domain.hashing import continued, digest, keyed, message
from domain.kernel import Event, type_name
from domain.registry import event_types
from domain.visibility import UNKNOWN, Part, Viewer, redact, secret_fields, secret_parts
from events.errors import LogBroken, UnknownSchema
from events.log.upcasting import upcast

SCHEME = "elsinore/1-draft"

Timestamp = Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]


class Context(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public object of one entry but for its event."""

    actor: Actor
    at: Timestamp
    causation: int | None
    command: str
    correlation: str
    game: str
    schema: int
    scheme: str | None = None
    version: int


class Envelope(Context, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The public object of one entry, with its data undecoded."""

    data: msgspec.Raw
    type: str


class Entry(msgspec.Struct, frozen=True):
    """One entry as stored. `secrets` is the JSON of its sealed values by path, or empty."""

    version: int
    public: bytes
    digest: bytes
    secrets: bytes = b""


class KnownPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sealed value as its reader is given it, beside the public object that it is sealed in."""

    path: str
    salt: Hex
    value: Any


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Whence an entry comes: who acted, by which command, when (RFC 3339, information only)."""

    actor: Actor
    command: str
    correlation: str
    at: str
    causation: int | None = None


_envelopes = msgspec.json.Decoder(Envelope)
_secrets = msgspec.json.Decoder(dict[str, Any])


def timestamp(milliseconds: int) -> Timestamp:
    """Milliseconds since the epoch as RFC 3339, UTC: the form of every time we write."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{rest:03d}Z"


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a value made of objects with ASCII keys, arrays, strings, integers."""
    return msgspec.json.encode(value, order="sorted")


def entry_digest(game: str, previous: bytes, public: bytes) -> bytes:
    return hashlib.sha256(continued(entry_start(game), previous, public)).digest()


def sealed(game: str, salt: bytes, value: Any) -> str:
    return digest("seal", game, salt, canonical(value)).hex()


def salt_of(chain: Chain, version: int, part: Part) -> bytes:
    return keyed(chain.opening_key(part.until), "salt", chain.game, version, part.path)


def make_entry(
    event: Event,
    origin: Origin,
    chain: Chain,
    version: int,
    previous: bytes,
    draw: int | None,
) -> Entry:
    """Seals what is secret in `event` under `draw` or the root, and chains it to `previous`."""
    secrets = secret_fields(type(event))
    parts = secret_parts(event, draw) if secrets else ()
    data = msgspec.to_builtins(event)
    kind = data.pop("type")
    for name, audience in secrets:
        if audience.to in {"each-seat", "opener"}:
            data[name] = list(data[name])
    for part in parts:
        seal = sealed(chain.game, salt_of(chain, version, part), part.value)
        _put(data, part.path, {"sealed": seal, "to": list(part.to), "until": part.until})
    public: dict[str, Any] = {
        "actor": origin.actor,
        "at": origin.at,
        "causation": origin.causation,
        "command": origin.command,
        "correlation": origin.correlation,
        "data": data,
        "game": chain.game,
        "schema": type(event).schema,
        "type": kind,
        "version": version,
    }
    if version == 1:
        public["scheme"] = SCHEME
    encoded = canonical(public)
    return Entry(
        version=version,
        public=encoded,
        digest=entry_digest(chain.game, previous, encoded),
        secrets=canonical({part.path: part.value for part in parts}) if parts else b"",
    )


def envelope(entry: Entry) -> Envelope:
    return _envelopes.decode(entry.public)


def check_consecutive(after: int, entries: Sequence[Entry]) -> None:
    """A log has no gaps: raises ValueError unless `entries` come right after version `after`."""
    versions = [entry.version for entry in entries]
    if not versions or versions != list(range(after + 1, versions[-1] + 1)):
        raise ValueError(f"entries {versions} do not follow version {after}")


def parts_of(entry: Entry, head: Envelope) -> tuple[Part, ...]:
    """The secret parts of an entry, as declared when it was written; in the order of the data."""
    if not entry.secrets:
        return ()
    data = msgspec.json.decode(head.data)
    parts = []
    for path, value in _secrets.decode(entry.secrets).items():
        seal = _at(data, path)
        parts.append(Part(path, value, tuple(seal["to"]), seal["until"]))
    return tuple(parts)


def known_types() -> dict[str, type[Event]]:
    """The class of every event type this release can read."""
    return event_types() | _lifecycle_types()


def event_of(entry: Entry, head: Envelope, types: Mapping[str, type[Event]] | None = None) -> Event:
    """The event of an entry, secret values in place, brought up to the schema of this release.

    `types` are the known types, for who reads many. Raises UnknownSchema on a type or a schema
    this release does not know.
    """
    return event_with(_secrets.decode(entry.secrets) if entry.secrets else {}, head, types)


def event_with(
    values: Mapping[str, Any], head: Envelope, types: Mapping[str, type[Event]] | None = None
) -> Event:
    """As `event_of`, the sealed values by path; UNKNOWN where one is not known."""
    known = (known_types() if types is None else types).get(head.type)
    if known is None or head.schema > known.schema:
        raise UnknownSchema(
            f"entry {head.version}: {head.type} schema {head.schema} is newer than this release"
        )
    if not values and head.schema == known.schema:
        return _event_decoder(known).decode(head.data)
    data = msgspec.json.decode(head.data)
    for path, value in values.items():
        assert "sealed" in _at(data, path)
        _put(data, path, value)
    if head.schema < known.schema:
        data = upcast(head.type, head.schema, known.schema, data)
    if any(value is UNKNOWN for value in values.values()):
        return _converted_in_part(data, known)
    return msgspec.convert(data, known)


def _converted_in_part(data: Mapping[str, Any], kind: type[Event]) -> Event:
    fields = msgspec.structs.fields(kind)
    return kind(**{field.name: _field(data[field.name], field.type) for field in fields})


def _field(value: Any, kind: Any) -> Any:
    """What is UNKNOWN stays so, itself or as an item of a list."""
    if value is UNKNOWN:
        return UNKNOWN
    if isinstance(value, list) and any(item is UNKNOWN for item in value):
        return tuple(
            item if item is UNKNOWN else msgspec.convert([item], kind)[0] for item in value
        )
    return msgspec.convert(value, kind)


def same_event(one: Event, other: Event) -> bool:
    """Whether two events say the same, whether just decided or read from a log."""
    return type(one) is type(other) and canonical(one) == canonical(other)


def check_follows(entry: Entry, game: str, version: int, previous: bytes) -> None:
    """Raises LogBroken unless the entry is number `version` and its digest chains to `previous`."""
    if entry.version != version:
        raise LogBroken(version, f"the log goes on with entry {entry.version}")
    if entry.digest != entry_digest(game, previous, entry.public):
        raise LogBroken(version, "the digest does not match the entry and the one before it")


def line(entry: Entry, known: Iterable[Part], chain: Chain, version: int) -> bytes:
    """The one shape of line: the public object, its digest, and the parts its reader may know."""
    parts = [
        KnownPart(path=part.path, salt=salt_of(chain, version, part).hex(), value=part.value)
        for part in known
    ]
    return b'%b,"digest":"%b","known":%b}' % (
        entry.public[:-1],
        entry.digest.hex().encode(),
        canonical(parts),
    )


def line_for(entry: Entry, viewer: Viewer, chain: Chain) -> bytes:
    """The line as one viewer sees it, the same at any time."""
    if not entry.secrets:
        return line(entry, (), chain, entry.version)
    return line(entry, redact(parts_of(entry, envelope(entry)), viewer), chain, entry.version)


def whole_line(entry: Entry, chain: Chain) -> bytes:
    """The line with every part, for the log of a finished game."""
    return line(entry, parts_of(entry, envelope(entry)), chain, entry.version)


@lru_cache(maxsize=1024)
def entry_start(game: str) -> bytes:
    """What the digest of every entry of a game begins with."""
    return message("entry", game)


@cache
def _lifecycle_types() -> dict[str, type[Event]]:
    return {type_name(kind): kind for kind in LIFECYCLE_EVENTS}


@cache
def _event_decoder(kind: type[Event]) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(kind)


def _put(data: dict[str, Any], path: str, value: Any) -> None:
    name, _, index = path[1:].partition("/")
    if index:
        data[name][int(index)] = value
    else:
        data[name] = value


def _at(data: dict[str, Any], path: str) -> Any:
    name, _, index = path[1:].partition("/")
    return data[name][int(index)] if index else data[name]
