"""A log checker written from docs/fairness.md alone; it shares no code with what it checks.

`§` is a section of that page. The verdicts `rules` and `scores` are left to others.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .dealing import RULES, Rules, Table, check_deal, rules_of
from .scheme import (
    EVENTS,
    SCHEME,
    Entry,
    Log,
    below,
    encode,
    message,
    need,
    plain_hash,
    salt_of,
    same,
    seal_of,
    shuffle,
    unhex,
    walk_back,
    words,
)

LINKS, TABLE = 1024, {"kind": "table"}
RULESETS = {f"{name}@1" for name in RULES}
DEALS = {f"{name}.dealt" for name in RULES}
DRAWN = DEALS | {rules.first[0] for rules in RULES.values() if rules.first}
SCORES = {f"{name}.deal-scored" for name in RULES}
SEALED = {kind: fields for rules in RULES.values() for kind, fields in rules.sealed.items()}
ENDS = ("game.deal-revealed", "game.finished")  # they release a key and open what it sealed
# What hostile bytes can bring about; a check that does not hold is a ValueError.
WRONG = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)


def chain(log: Log) -> None:
    """§7 and §10."""
    previous, commands, first = b"", set[str](), log[0]
    for entry in log:
        public = entry.public
        previous = plain_hash("entry", log.game, previous, encode(public))
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
    elif entry.type in DRAWN and "link" in data["draw"]:
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
        if to_whom == "each":
            each = [(f"/{name}/{seat}", p, [seat], secret) for seat, p in enumerate(data[name])]
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


def draws(log: Log) -> None:
    """§4 and §5."""
    rules, keys, entropy = rules_of(log[0].data), keys_of(log), list[str | None]()
    table = Table(len(log[0].data["seats"]), log[0].data["options"], 0, 0)
    name, number = log[0].data["ruleset"].partition("@")[0], 0
    secret, before, dealt, drawn = False, log[0], log[0], rules.first is None
    script_item(log, 1)
    for entry in log:
        own = entry.type.partition(".")[0] in ("game", name)
        need(own, "of another rule set")
        if before.type in SCORES:
            need(entry.type == "game.deal-revealed", "the link is kept back")
            need(entry.public["command"] == before.public["command"], "the link comes later")
        first = rules.first is not None and entry.type == rules.first[0]
        due = before.type in ("game.started", "game.deal-revealed", *(rules.first or ())[:1])
        need(not due or entry.type in DRAWN | {"game.finished"}, "no deal")
        if first:
            need(before.type == "game.started" and not drawn, "drawn twice, or late")
            number, drawn = 1, True
            table = table._replace(first=check_first(log, rules, entry, entropy, keys))
        elif entry.type == "game.started":
            entropy = entry.data["entropy"]
        elif entry.type in DEALS:
            need(due and drawn and not secret and number < LINKS - 1, "a deal out of turn")
            number, dealt, secret = number + 1, entry, True
            table = table._replace(number=table.number + 1)
            check_dealt(log, rules, table, entry, number)
        elif entry.type in SCORES:
            need(secret, "no deal to score")
        elif entry.type == "game.deal-revealed":
            need(before.type in SCORES, "not the draw that ended")
            need(same(entry.data["draw"], number), "not the draw that ended")
            check_hands(log, rules, table, dealt, entry, entropy, keys)
            secret = False
        elif entry.type == "game.finished":
            need(not secret, "a draw is not revealed")
        before = entry


def check_first(
    log: Log, rules: Rules, entry: Entry, entropy: list[str | None], keys: dict[Any, bytes]
) -> int:
    """§16, §17: who deals or leads first, by draw 1 or as deal 1 is written down."""
    assert rules.first is not None
    field = rules.first[1]
    seat, draw = entry.data[field], entry.data["draw"]
    need(type(seat) is int and 0 <= seat < len(log[0].data["seats"]), field)
    item = script_item(log, 1)
    written = None
    if item is not None:
        if not log.finished:
            scripted = draw.get("scripted", False)
            need(scripted is True or "scripted" not in draw, "draw")
            written = seat if scripted else None
        else:
            written = log[0].known[f"/scripted_deals/{item}"][1][field]
    due: dict[str, Any] = {"number": 1, "purpose": field, "link": draw["link"]}
    need(same(draw, due | ({} if written is None else {"scripted": True})), "draw")
    if written is None:
        stream = words(keys[1], log.game, field, entropy)
        written = below(len(log[0].data["seats"]), stream)
    need(same(seat, written), f"not the {field} that had to come")
    return int(seat)


def check_dealt(log: Log, rules: Rules, table: Table, entry: Entry, number: int) -> None:
    draw: dict[str, Any] = {"number": number, "purpose": f"d{table.number}.deal"}
    draw |= {} if script_item(log, table.number) is None else {"scripted": True}
    due = {"deal": table.number, "draw": draw} | rules.head(table)
    need(same({name: entry.data[name] for name in due}, due), "draw")
    if "direction" in due:
        need((entry.data["leader"] is None) == (due["direction"] != "none"), "leader")


def script_item(log: Log, number: int) -> int | None:
    """§11."""
    script = log[0].data["script"]
    if script is None:
        return None
    need(set(script) == {"first_deal", "deals"}, "script")
    need(all(type(n) is int and n > 0 for n in script.values()), "script")
    item = int(number - script["first_deal"])
    return item if 0 <= item < script["deals"] else None


def check_hands(
    log: Log,
    rules: Rules,
    table: Table,
    dealt: Entry,
    revealed: Entry,
    entropy: list[str | None],
    keys: dict[Any, bytes],
) -> None:
    """§5. The values are those in `known`, where they are all there, else those in `parts`."""
    places = [place for place, _ in sealed_places(dealt)]
    values = {path: value for path, (_, value) in dealt.known.items()}
    if set(values) != set(places):
        parts = [part for part in revealed.data["parts"] if part["version"] == dealt.version]
        values = {part["path"]: part["value"] for part in parts}
    stated = dict(dealt.data)
    for name, to_whom in SEALED[dealt.type]:
        paths = [path for path, field in sealed_places(dealt) if field == name]
        found = [values[path] for path in paths]
        stated[name] = found if to_whom == "each" else found[0]
    item = script_item(log, table.number)
    if item is None:
        draw = dealt.data["draw"]
        stream = words(keys[draw["number"]], log.game, draw["purpose"], entropy)
        check_deal(table, rules, stated, shuffle(rules.deck(table), stream))
    elif log.finished:
        check_deal(table, rules, stated, log[0].known[f"/scripted_deals/{item}"][1])


def sealed_places(dealt: Entry) -> list[tuple[str, str]]:
    """Path and field of each sealed part of a deal."""
    places = list[tuple[str, str]]()
    for name, to_whom in SEALED[dealt.type]:
        if to_whom == "each":
            places += [(f"/{name}/{seat}", name) for seat in range(len(dealt.data[name]))]
        else:
            places.append((f"/{name}", name))
    return places


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
        Ed25519PublicKey.from_public_bytes(public).verify(unhex(signature, 64), signed)


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
    except (*WRONG, InvalidSignature) as why:
        return f"failed: line {log.line}: {str(why) or type(why).__name__}"
    return "ok"


def check(
    log: bytes, receipts: Sequence[Any] = (), keys: Mapping[str, str] | None = None
) -> dict[str, str]:
    """§13: the verdicts over the bytes of a log. `keys`: public keys in hex, by their names."""
    read = Log()
    checks = {"commitment": commitment, "seals": seals, "draws": draws, "entropy": entropy_list}
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
