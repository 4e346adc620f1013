"""The secrets of a log as far as they are out: links, root, sealed parts and their values."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from domain.chance import CHAIN_LENGTH, Chain
from domain.hashing import digest
from events.audit.parsing import Line
from events.audit.report import Failed, NotRevealed, Unsupported, entry

_HASH = re.compile(r"[0-9a-f]{64}")
ROOT = (1, "/root")

Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class SealedPart:
    """A sealed part as it stands in an entry."""

    version: int
    path: str
    seal: str
    to: list[Any]
    until: Any

    @property
    def place(self) -> Place:
        return self.version, self.path


@dataclass(slots=True)
class Secrets:
    """What is known of the secrets: `links` by number, `values` by place, in order of the log.

    All links once the root is out; only such as lead to the commitment.
    """

    game: str
    links: dict[int, bytes] = field(default_factory=dict)
    parts: dict[Place, SealedPart] = field(default_factory=dict)
    values: dict[Place, Any] = field(default_factory=dict)

    @property
    def root(self) -> bytes | None:
        return self.links.get(CHAIN_LENGTH)

    def key(self, until: Any) -> bytes | None:
        """What opens a part sealed until `until`, once it is out."""
        return self.links.get(CHAIN_LENGTH if until == "game" else until)

    @property
    def chain(self) -> Chain:
        """The chain as far as it is out; a link that is not is empty."""
        links = tuple(self.links.get(number, b"") for number in range(CHAIN_LENGTH + 1))
        return Chain(self.game, links)


def check_commitment(lines: list[Line], secrets: Secrets) -> str:
    """Every released link, and at the end the root, hashes down to the commitment."""
    with entry(1):
        if not is_number(lines[0].data["links"], CHAIN_LENGTH):
            raise Failed(1, f"the first entry does not commit to a chain of {CHAIN_LENGTH} links")
        read_hash(lines[0].data["commitment"])
    count = 0
    for line in lines:
        with entry(line.version):
            for number, link in _released(line):
                _check_link(line.version, number, link, secrets)
                count += 1
    if lines[-1].head.type != "game.finished":
        raise NotRevealed(f"{count} links check; the root is secret until the end")
    return f"root and {count - 1} links lead to the commitment"


def _check_link(version: int, number: int, link: bytes, secrets: Secrets) -> None:
    nearest = max(known for known in secrets.links if known < number)
    found = _hashed(secrets.game, link, number - nearest)
    if found != secrets.links[nearest] or secrets.links.get(number) != link:
        raise Failed(
            version,
            f"link {number} does not lead to link {nearest}, and so to the commitment",
            expected=secrets.links[nearest].hex(),
            found=found.hex(),
        )


def _hashed(game: str, link: bytes, times: int) -> bytes:
    for _ in range(times):
        link = digest("link", game, link)
    return link


def _released(line: Line) -> Iterator[tuple[int, bytes]]:
    """The links that an entry makes public, by number."""
    draw = line.data.get("draw")
    if line.head.type == "game.deal-revealed":
        yield _number(line.version, draw), read_hash(line.data["link"])
    elif line.head.type == "game.finished":
        yield CHAIN_LENGTH, read_hash(line.data["root"])
    elif isinstance(draw, dict) and "link" in draw:
        yield _number(line.version, draw["number"]), read_hash(draw["link"])


def _number(version: int, stated: Any) -> int:
    if type(stated) is not int or not 1 <= stated < CHAIN_LENGTH:
        raise Failed(version, "there is no such draw", found=stated)
    return stated


def gather(lines: list[Line]) -> Secrets:
    """What the log tells of its secrets: values as stated, links that lead to the commitment.

    Never raises; what cannot be read is for the checks to say.
    """
    secrets = Secrets(lines[0].head.game)
    stated: list[tuple[int, bytes]] = []
    for line in lines:
        with suppress(Failed, Unsupported), entry(line.version):
            _gather_from(line, secrets, stated)
    with suppress(Failed), entry(1):
        secrets.links[0] = read_hash(lines[0].data["commitment"])
        _adopt(stated, secrets)
    if secrets.root is not None:
        secrets.links = dict(enumerate(Chain.derive(secrets.game, secrets.root).links))
        secrets.values[ROOT] = secrets.root.hex()
    return secrets


def _gather_from(line: Line, secrets: Secrets, stated: list[tuple[int, bytes]]) -> None:
    stated.extend(_released(line))
    for part in parts_in(line):
        secrets.parts[part.place] = part
    for known in line.known:
        secrets.values[line.version, known.path] = known.value
    if line.head.type in {"game.deal-revealed", "game.finished"}:
        for opened in line.data["parts"]:
            secrets.values.setdefault((opened["version"], opened["path"]), opened["value"])


def _adopt(stated: list[tuple[int, bytes]], secrets: Secrets) -> None:
    """Each link that reaches the nearest one below it by as many hashes as it takes."""
    for number, link in sorted(set(stated)):
        nearest = max(secrets.links)
        if (
            number > nearest
            and _hashed(secrets.game, link, number - nearest) == secrets.links[nearest]
        ):
            secrets.links[number] = link


def parts_in(line: Line) -> Iterator[SealedPart]:
    """The sealed parts that stand in the data of an entry, whatever its type."""
    for name, value in line.data.items():
        if _is_sealed(value):
            yield SealedPart(line.version, f"/{name}", *_members(value))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if _is_sealed(item):
                    yield SealedPart(line.version, f"/{name}/{index}", *_members(item))


def seals_in(value: Any) -> int:
    """How many sealed parts there are anywhere in a value, be it where none belongs."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return _is_sealed(value) + sum(map(seals_in, inner))


def _is_sealed(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"sealed", "to", "until"}


def _members(value: dict[str, Any]) -> tuple[str, list[Any], Any]:
    return value["sealed"], value["to"], value["until"]


def is_number(value: Any, number: int | None) -> bool:
    """Whether a value is this whole number; true is not 1."""
    return type(value) is int and value == number


def read_hash(text: str) -> bytes:
    if not _HASH.fullmatch(text):
        raise ValueError("not 64 lower-case hex digits")
    return bytes.fromhex(text)
