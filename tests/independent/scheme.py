"""Bytes, links, draws, seals and lines, from docs/fairness.md alone (§1 to §9, §16 to §18)."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

SCHEME = "elsinore/1-draft"
FRENCH = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
ESCAPED = re.compile(r'["\\\x00-\x1f]')
SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
MEMBERS = "actor at causation command correlation data game schema type version".split()  # noqa: SIM905

EVENTS = {  # the fields of `data`, public and sealed; each game adds its own
    "game.opened": "ruleset options seats opener commitment links script scripted_deals root",
    "game.seat-taken": "seat player level entropy",
    "game.seat-left": "seat player level",
    "game.seat-resumed": "seat player",
    "game.started": "entropy",
    "game.deal-revealed": "draw link parts",
    "game.finished": "reason outcome root parts",
}
ACTORS = {  # the members each kind has, and may have
    "player": (["kind", "id"], ["seat"]),
    "bot": (["kind", "seat", "level", "bot"], ["fallback"]),
    "table": (["kind"], []),
}


class Unsupported(Exception):
    """Nothing is wrong, and something cannot be checked here. Never taken for ok."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise ValueError(why)


def unhex(text: str, least: int = 32, most: int = 0) -> bytes:
    """Lower case, `least` to `most` bytes."""
    form = rf"([0-9a-f]{{2}}){{{least},{most or least}}}"
    need(re.fullmatch(form, text), "not the hexadecimal digits there must be")
    return bytes.fromhex(text)


def message(tag: str, *fields: str | int | bytes) -> bytes:
    raw = [f if isinstance(f, bytes) else str(f).encode() for f in (f"elsinore/1/{tag}", *fields)]
    return b"".join(len(f).to_bytes(4, "big") + f for f in raw)


def plain_hash(tag: str, *fields: str | int | bytes) -> bytes:
    return hashlib.sha256(message(tag, *fields)).digest()


def keyed_hash(key: bytes, tag: str, *fields: str | int | bytes) -> bytes:
    return hmac.digest(key, message(tag, *fields), "sha256")


def walk_back(game: str, link: bytes, steps: int) -> bytes:
    """From `link[i]` to `link[i - steps]`."""
    for _ in range(steps):
        link = link_before(game, link)
    return link


# Here and below: of a log that is checked a hundred times, one place changed, the rest is known.
@lru_cache(maxsize=1 << 16)
def link_before(game: str, link: bytes) -> bytes:
    return plain_hash("link", game, link)


def words(
    key: bytes, game: str, purpose: str, entropy: Sequence[str | None], tag: str = "draw"
) -> Iterator[int]:
    brought = [bytes.fromhex(item or "") for item in entropy]
    counter = 0
    while True:
        block = keyed_hash(key, tag, game, purpose, *brought, counter)
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))
        counter += 1


def below(n: int, stream: Iterator[int]) -> int:
    return next(word for word in stream if word < 2**32 - 2**32 % n) % n


def shuffle(deck: Sequence[str], stream: Iterator[int]) -> list[str]:
    cards = list(deck)
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1, stream)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def salt_of(key: bytes, game: str, version: int, path: str) -> bytes:
    return keyed_hash(key, "salt", game, version, path)


def seal_of(game: str, salt: bytes, value: Any) -> str:
    return plain_hash("seal", game, salt, encode(value)).hex()


def encode(value: Any) -> bytes:
    """RFC 8785, of what a log may hold."""
    match value:
        case None | bool():
            return {None: b"null", True: b"true", False: b"false"}[value]
        case int() if abs(value) < 2**53:
            return str(value).encode()
        case str():
            return b'"' + ESCAPED.sub(escape, value).encode() + b'"'
        case list():
            return b"[" + b",".join(encode(item) for item in value) + b"]"
        case dict() if all(isinstance(name, str) and name.isascii() for name in value):
            members = (encode(name) + b":" + encode(value[name]) for name in sorted(value))
            return b"{" + b",".join(members) + b"}"
    raise ValueError(f"{type(value).__name__} without a canonical form")


def escape(found: re.Match[str]) -> str:
    return SHORT.get(found[0], f"\\u{ord(found[0]):04x}")


def same(one: Any, other: Any) -> bool:
    """As JSON: `true` is not 1."""
    return encode(one) == encode(other)


class Entry(NamedTuple):
    version: int
    public: dict[str, Any]
    encoded: bytes  # the canonical bytes of `public`
    digest: str
    known: dict[str, tuple[bytes, Any]]  # path to salt and value
    type: str
    data: dict[str, Any]


class Log(list[Entry]):
    line = 1  # being checked
    game = ""
    finished = False

    def __iter__(self) -> Iterator[Entry]:
        for index in range(len(self)):
            self.line = index + 1
            yield self[index]

    def read(self, log: bytes) -> str:
        """§6."""
        for self.line, text in enumerate(log.removesuffix(b"\n").split(b"\n"), 1):
            self.append(read_line(self.line, text))
            need((self[-1].type == "game.opened") == (self.line == 1), "game.opened is the first")
            need(self.line == 1 or self[-2].type != "game.finished", "more after the end")
        self.game = self[0].public["game"]
        self.finished = any(entry.type == "game.finished" for entry in self)
        return "ok"


@lru_cache(maxsize=1 << 14)
def read_line(version: int, text: bytes) -> Entry:
    public = json.loads(text.decode())
    digest, known = public.pop("digest"), public.pop("known")
    # A name that came twice, a float, a space: none of them comes back.
    encoded = encode(public)
    again = encoded[:-1] + b',"digest":' + encode(digest) + b',"known":' + encode(known)
    need(text == again + b"}", "not in canonical form")
    need(isinstance(known, list) and all(len(item) == 3 for item in known), "known")
    need(all(isinstance(item["path"], str) for item in known), "known")
    values = {item["path"]: (unhex(item["salt"]), item["value"]) for item in known}
    need([item["path"] for item in known] == sorted(values), "known is not sorted")
    need(set(public) == {*MEMBERS, *(["scheme"] if version == 1 else [])}, "members")
    need(public.get("scheme", SCHEME) == SCHEME and same(public["version"], version), "version")
    need(type(public["schema"]) is int and public["schema"] > 0, "schema")
    need(isinstance(public["type"], str) and isinstance(public["correlation"], str), "a text")
    need(isinstance(public["data"], dict), "data")
    need(unhex(public["command"], 16) and unhex(digest), "command, digest")
    need(re.fullmatch(r"[a-z2-7]{25}[aeimquy4]", public["game"]), "game")
    need(re.fullmatch(r"\d{4}(-\d\d){2}T\d\d(:\d\d){2}\.\d{3}Z", public["at"], re.ASCII), "at")
    cause = public["causation"]
    need(cause is None or (type(cause) is int and cause > 0), "causation")
    check_actor(public["actor"])
    if public["type"] in EVENTS and public["schema"] == 1:
        need(set(public["data"]) == set(EVENTS[public["type"]].split()), "fields of data")
    return Entry(version, public, encoded, digest, values, public["type"], public["data"])


def check_actor(actor: dict[str, Any]) -> None:
    has, may_have = ACTORS[actor["kind"]]
    need(set(has) <= set(actor) <= {*has, *may_have}, "members of actor")
    for name, value in actor.items():
        match name:
            case "seat":
                need(type(value) is int and value >= 0, "seat of actor")
            case "level":
                need(value in ("easy", "normal", "hard"), "level of actor")
            case "fallback":
                need(value is True, "fallback of actor")
            case _:
                need(isinstance(value, str), f"{name} of actor")
