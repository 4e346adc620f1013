"""A log checker written from docs/fairness.md alone; it shares no code with what it checks.

What is a game's own lies in its folder, tests/games/<name>/draws.py: EVENTS, the fields of each
type; SEALED, those that are sealed, and to whom; LINKED, the types that state a draw; DEALS, those
whose draw stays secret until the deal is scored; check(log, keys, sets), which redoes its draws.

`§` is a section of that page. The verdicts `rules` and `scores` are left to others.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .scheme import (
    EVENTS,
    SCHEME,
    Entry,
    Log,
    Unsupported,
    message,
    need,
    plain_hash,
    salt_of,
    same,
    seal_of,
    unhex,
    walk_back,
)

LINKS, TABLE = 1024, {"kind": "table"}
FOLDERS = Path(__file__).parent / "../games"
GAMES = {
    name: import_module(f"tests.games.{name}.draws")
    for name in sorted(path.parent.name for path in FOLDERS.glob("*/draws.py"))
}
RULESETS = {f"{name}@1" for name in GAMES}
LINKED = {kind for game in GAMES.values() for kind in game.LINKED}
DEALS = {kind for game in GAMES.values() for kind in game.DEALS}
SEALED = {kind: fields for game in GAMES.values() for kind, fields in game.SEALED.items()}
EVENTS.update({kind: fields for game in GAMES.values() for kind, fields in game.EVENTS.items()})
ENDS = ("game.deal-revealed", "game.finished")  # they release a key and open what it sealed
# What hostile bytes can bring about; a check that does not hold is a ValueError.
WRONG = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)


def chain(log: Log) -> None:
    """§7 and §10."""
    previous, commands, first = b"", set[str](), log[0]
    for entry in log:
        public = entry.public
        previous = plain_hash("entry", log.game, previous, entry.encoded)
        need(public["game"] == log.game and previous.hex() == entry.digest, "wrong digest")
        if public["causation"] is None:
            need(public["command"] not in commands, "a command twice")
            need(public["actor"] != TABLE, "a command of the table")
            commands.add(public["command"])
            first = entry
        else:
            due = first.public | {"actor": TABLE, "causation": first.version}
            for name in ("actor", "at", "causation", "command", "correlation"):
                need(same(public[name], due[name]), f"{name} is not that of its command")
            need(entry.version > first.version, "nothing before it")


def commitment(log: Log) -> None:
    """§2."""
    need(same(log[0].data["links"], LINKS), "links")
    unhex(log[0].data["commitment"])
    for entry in log:
        release = released_by(entry)
        need(release is None or leads(log, *release), "does not lead to the commitment")


def released_by(entry: Entry) -> tuple[int, bytes] | None:
    data = entry.data
    if entry.type == "game.finished":
        return LINKS, unhex(data["root"])
    if entry.type == "game.deal-revealed":
        k, link = data["draw"], data["link"]
    elif entry.type in LINKED and "link" in data["draw"]:
        k, link = data["draw"]["number"], data["draw"]["link"]
    else:
        return None
    need(type(k) is int and 0 < k < LINKS, "number of a draw")
    return k, unhex(link)


def leads(log: Log, k: int, link: bytes) -> bool:
    return walk_back(log.game, link, k).hex() == log[0].data["commitment"]


def keys_of(log: Log) -> dict[Any, bytes]:
    """§8: what is out and leads to the commitment, the root under "game"."""
    keys = dict[Any, bytes]()
    for entry in log:
        try:
            release = released_by(entry)
        except WRONG:
            continue
        if release is not None and leads(log, *release):
            keys[release[0]] = release[1]
    if LINKS in keys:
        for k in range(LINKS - 1, 0, -1):
            keys[k] = walk_back(log.game, keys[k + 1], 1)
        keys["game"] = keys.pop(LINKS)
    return keys


def sealed_parts(
    entry: Entry, secret: int | None, seats: int
) -> dict[tuple[int, str], dict[str, Any]]:
    """§8: by version and path, in the order of the table. `secret`: the draw that is."""
    data, plan = entry.data, list[tuple[str, Any, list[Any], Any]]()
    if entry.type == "game.opened":
        parts, script = data["scripted_deals"], data["script"]
        need(isinstance(parts, list), "scripted_deals")
        need(len(parts) == (0 if script is None else script["deals"]), "number of scripted deals")
        plan = [(f"/scripted_deals/{i}", p, ["opener"], "game") for i, p in enumerate(parts)]
        plan.append(("/root", data["root"], [], "game"))
    for name, to_whom in SEALED.get(entry.type, []):
        if to_whom.startswith("each"):
            until = secret if to_whom == "each" else "game"
            each = [(f"/{name}/{seat}", p, [seat], until) for seat, p in enumerate(data[name])]
            need(isinstance(data[name], list) and len(each) == seats, name)
            plan += each
        elif to_whom == "own":
            need(type(data["seat"]) is int and 0 <= data["seat"] < seats, "seat")
            plan.append((f"/{name}", data[name], [data["seat"]], secret))
        else:
            plan.append((f"/{name}", data[name], [], secret))
    for path, part, to, until in plan:
        need(until is not None and unhex(part["sealed"]), path)
        need(same(part, {"sealed": part["sealed"], "to": to, "until": until}), path)
    need(count_seals(data) == len(plan), "sealed what is public")
    return {(entry.version, path): part for path, part, _, _ in plan}


def count_seals(value: Any) -> int:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = isinstance(value, dict) and set(value) == {"sealed", "to", "until"}
    return own + sum(map(count_seals, items))


def seals(log: Log) -> None:
    keys, seats = keys_of(log), log[0].data["seats"]
    need(isinstance(seats, list), "seats")
    secret, closed = None, dict[tuple[int, str], dict[str, Any]]()
    for entry in log:
        if entry.type in DEALS:
            secret = entry.data["draw"]["number"]
        parts = sealed_parts(entry, secret, len(seats))
        missing = {path for _, path in parts} - set(entry.known)
        need(not missing or not log.finished, "a sealed part is not in known")
        for path, (salt, value) in entry.known.items():
            part = parts[entry.version, path]
            need(seal_of(log.game, salt, value) == part["sealed"], f"seal of {path}")
            key = keys.get(part["until"])
            need(not key or salt == salt_of(key, log.game, entry.version, path), f"salt of {path}")
        closed |= parts
        if entry.type in ENDS:
            until = entry.data.get("draw")  # none: all but the root
            due = [place for place, part in closed.items() if until in (None, part["until"])]
            opened = {place: closed.pop(place) for place in due if place != (1, "/root")}
            check_opened(log.game, entry.data["parts"], opened, keys)
            secret = None
    if log.finished:
        root = log[-1].data["root"]
        salt = salt_of(unhex(root), log.game, 1, "/root")
        need(seal_of(log.game, salt, root) == log[0].data["root"]["sealed"], "root")


def check_opened(
    game: str, items: Any, opened: dict[tuple[int, str], Any], keys: dict[Any, bytes]
) -> None:
    need(isinstance(items, list), "parts")
    for item, ((version, path), part) in zip(items, opened.items(), strict=True):
        need(same(item, {"path": path, "value": item["value"], "version": version}), "parts")
        salt = salt_of(keys[part["until"]], game, version, path)
        need(seal_of(game, salt, item["value"]) == part["sealed"], f"value of {path}")


def draws(log: Log, sets: Mapping[str, dict[str, Any]]) -> None:
    """§4, §5, and the section of the game."""
    GAMES[log[0].data["ruleset"].partition("@")[0]].check(log, keys_of(log), sets)


def entropy_list(log: Log) -> None:
    """§3."""
    need(isinstance(log[0].data["seats"], list), "seats")
    latest: list[str | None] = [None] * len(log[0].data["seats"])
    started = False
    for entry in log:
        if entry.type == "game.seat-taken":
            seat, brought = entry.data["seat"], entry.data["entropy"]
            need(not started and type(seat) is int and 0 <= seat < len(latest), "seat")
            need(brought is None or entry.data["player"] is not None, "entropy of a bot")
            need(brought is None or unhex(brought, 16, 64), "not 16 to 64 bytes")
            latest[seat] = brought
        elif entry.type == "game.seat-left" and not started:
            need(type(entry.data["seat"]) is int and 0 <= entry.data["seat"] < len(latest), "seat")
            latest[entry.data["seat"]] = None
        elif entry.type == "game.started":
            need(not started and same(entry.data["entropy"], latest), "not the list of the seats")
            started = True


def check_receipts(log: Log, receipts: Sequence[Any], keys: Mapping[str, str]) -> None:
    """§12."""
    for receipt in receipts:
        names = ("digest", "game", "key", "signature", "version")
        digest, game, key, signature, version = (receipt[name] for name in names)
        need(len(receipt) == 5 and type(version) is int and version > 0, "form of a receipt")
        log.line = log[version - 1].version
        need(game == log.game and digest == log[version - 1].digest, "another entry")
        public = unhex(keys[key])
        need(hashlib.sha256(public).digest()[:8].hex() == key, "not the name of the key")
        signed = message("receipt", game, version, unhex(digest))
        verify(public, unhex(signature, 64), signed)


@lru_cache(maxsize=1 << 12)
def verify(public: bytes, signature: bytes, signed: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(public).verify(signature, signed)


def unsupported(log: Log) -> str:
    """Why, or nothing. Another scheme is `other_scheme`."""
    for entry in log:
        if entry.type not in EVENTS or entry.public["schema"] > 1:
            return f"unsupported: {entry.type}, schema {entry.public['schema']}"
    ruleset = log[0].data.get("ruleset")
    known = isinstance(ruleset, str) and ruleset in RULESETS
    return "" if known else f"unsupported: rule set {ruleset}"


def other_scheme(log: bytes) -> str:
    try:
        scheme = json.loads(log.split(b"\n", 1)[0])["scheme"]
    except WRONG:
        return ""
    other = isinstance(scheme, str) and scheme != SCHEME
    return f"unsupported: scheme {scheme}" if other else ""


def answer(log: Log, one: Callable[..., object], *given: Any) -> str:
    try:
        one(*given)
    except Unsupported as why:
        return f"unsupported: {why}"
    except (*WRONG, InvalidSignature) as why:
        return f"failed: line {log.line}: {str(why) or type(why).__name__}"
    return "ok"


def check(
    log: bytes,
    receipts: Sequence[Any] = (),
    keys: Mapping[str, str] | None = None,
    sets: Mapping[str, dict[str, Any]] | None = None,
) -> dict[str, str]:
    """§13: the verdicts over the bytes of a log. `keys`: public keys in hex, by their names.

    `sets`: card sets by their digests, as `cardset.by_digest` has them.
    """
    read = Log()
    checks: dict[str, Callable[[Log], None]] = {
        "commitment": commitment,
        "seals": seals,
        "draws": lambda log: draws(log, sets or {}),
        "entropy": entropy_list,
    }
    whole = other_scheme(log) or answer(read, read.read, log)
    answers = dict.fromkeys(("chain", *checks, "receipts"), whole)
    if whole == "ok":
        answers["chain"] = answer(read, chain, read)
        beyond = unsupported(read)
        answers |= {name: beyond or answer(read, one, read) for name, one in checks.items()}
        answers["receipts"] = answer(read, check_receipts, read, receipts, keys or {})
        started = any(entry.type == "game.started" for entry in read)
        open_yet = [name for name in checks if name != "entropy" or not started]
        secret = [name for name in open_yet if answers[name] == "ok" and not read.finished]
        answers |= dict.fromkeys(secret, "not-revealed")
    return answers if receipts else answers | {"receipts": "not-given"}
