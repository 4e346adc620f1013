"""A log checker written from docs/fairness.md alone; it shares no code with what it checks.

`§` is a section of that page. The verdicts `rules` and `scores` are left to others.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .scheme import (
    FRENCH,
    SCHEME,
    Entry,
    Log,
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

RULESET, LINKS = "hearts@1", 1024
EVENTS = {  # the fields of `data`, public and sealed
    "game.opened": "ruleset options seats opener commitment links script scripted_deals root",
    "game.seat-taken": "seat player level entropy",
    "game.seat-left": "seat player",
    "game.started": "entropy",
    "game.deal-revealed": "draw link parts",
    "game.finished": "reason outcome root parts",
    "hearts.dealt": "deal direction draw leader hands",
    "hearts.cards-passed": "deal seat answers cards",
    "hearts.passes-swapped": "deal direction leader received",
    "hearts.card-played": "deal trick seat answers card breaks_hearts",
    "hearts.trick-taken": "deal trick seat cards points",
    "hearts.deal-scored": "deal captured moon points totals",
}
ENDS = ("game.deal-revealed", "game.finished")  # they release a key and open what it sealed
# What hostile bytes can bring about; a check that does not hold is a ValueError.
WRONG = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)


def chain(log: Log) -> None:
    """§7, §9 and §10."""
    previous, commands, first = b"", set[str](), log[0]
    for entry in log:
        public = entry.public
        previous = plain_hash("entry", log.game, previous, encode(public))
        need(public["game"] == log.game and previous.hex() == entry.digest, "wrong digest")
        if public["causation"] is None:
            need(public["command"] not in commands, "a command twice")
            commands.add(public["command"])
            first = entry
        else:
            due = first.public | {"actor": {"kind": "table"}, "causation": first.version}
            for name in ("actor", "at", "causation", "command", "correlation"):
                need(same(public[name], due[name]), f"{name} is not that of its command")
            need(entry.version > first.version, "nothing before it")
        need((entry.type == "game.opened") == (entry.version == 1), "game.opened is the first")
        if entry.type in EVENTS and public["schema"] == 1:
            need(set(entry.data) == set(EVENTS[entry.type].split()), "fields of data")


def commitment(log: Log) -> None:
    """§2."""
    need(same(log[0].data["links"], LINKS), "links")
    for entry in log:
        end = entry.type == "game.finished"
        need(not end or entry is log[-1], "more after the end")
        if entry.type in ENDS:
            k, link = (LINKS if end else entry.data["draw"]), entry.data["root" if end else "link"]
            need(type(k) is int and 0 < k < LINKS + end, "number of the draw")
            first = walk_back(log.game, unhex(link), k)
            need(first.hex() == log[0].data["commitment"], "does not lead to the commitment")


def sealed_parts(entry: Entry, secret: int | None) -> dict[tuple[int, str], dict[str, Any]]:
    """§8: by version and path, in the order of the table. `secret`: the draw that is."""
    data, plan = entry.data, list[tuple[str, Any, list[Any], Any]]()
    if entry.type == "game.opened":
        parts, script = data["scripted_deals"], data["script"]
        need(isinstance(parts, list), "scripted_deals")
        need(len(parts) == (0 if script is None else script["deals"]), "number of scripted deals")
        plan = [(f"/scripted_deals/{i}", p, ["opener"], "game") for i, p in enumerate(parts)]
        plan.append(("/root", data["root"], [], "game"))
    elif entry.type in ("hearts.dealt", "hearts.passes-swapped"):
        name = "hands" if entry.type == "hearts.dealt" else "received"
        plan = [(f"/{name}/{seat}", p, [seat], secret) for seat, p in enumerate(data[name])]
        need(len(plan) == 4, name)
    elif entry.type == "hearts.cards-passed":
        need(type(data["seat"]) is int and 0 <= data["seat"] < 4, "seat")
        plan = [("/cards", data["cards"], [data["seat"]], secret)]
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
    ends = [entry.data for entry in log if entry.type in ENDS]
    keys = {end.get("draw", "game"): unhex(end.get("link") or end["root"]) for end in ends}
    secret, closed = None, dict[tuple[int, str], dict[str, Any]]()
    for entry in log:
        if entry.type == "hearts.dealt":
            secret = entry.data["draw"]["number"]
        parts = sealed_parts(entry, secret)
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
        need(log[0].known["/root"][1] == log[-1].data["root"], "root")


def check_opened(
    game: str, items: Any, opened: dict[tuple[int, str], Any], keys: dict[Any, bytes]
) -> None:
    need(isinstance(items, list), "parts")
    for item, ((version, path), part) in zip(items, opened.items(), strict=True):
        need(same(item, {"path": path, "value": item["value"], "version": version}), "parts")
        salt = salt_of(keys[part["until"]], game, version, path)
        need(seal_of(game, salt, item["value"]) == part["sealed"], f"value of {path}")


def draws(log: Log) -> None:
    """§4."""
    number, entropy, dealt = 0, list[str | None](), log[0]
    secret = scored = due = False  # due: the rules demand a deal, or the end
    for entry in log:
        data = entry.data
        need(entry.public["causation"] is not None or not (due or scored), "lacks what follows")
        match entry.type:
            case "game.started":
                entropy, due = data["entropy"], True
            case "hearts.dealt":
                need(due and number < LINKS - 1, "a deal out of turn")
                number, dealt, due, secret = number + 1, entry, False, True
                draw: dict[str, Any] = {"number": number, "purpose": f"d{number}.deal"}
                draw |= {} if script_item(log, number) is None else {"scripted": True}
                need(same([data["deal"], data["draw"]], [number, draw]), "draw")
            case "hearts.deal-scored":
                need(secret and not scored and same(data["deal"], number), "no deal to score")
                scored = True
            case "game.deal-revealed":
                need(secret and scored and same(data["draw"], number), "not the draw that ended")
                check_hands(log, dealt, entry, entropy)
                secret, scored, due = False, False, True
            case "game.finished":
                need(not secret, "a draw is not revealed")
                need(data["reason"] == ("outcome" if due else "closed"), "reason")
                due = False
            case _:
                pass


def script_item(log: Log, number: int) -> int | None:
    """§11."""
    script = log[0].data["script"]
    if script is None:
        return None
    need(set(script) == {"first_deal", "deals"}, "script")
    need(all(type(n) is int and n > 0 for n in script.values()), "script")
    item = int(number - script["first_deal"])
    return item if 0 <= item < script["deals"] else None


def check_hands(log: Log, dealt: Entry, revealed: Entry, entropy: list[str | None]) -> None:
    """§5."""
    values = {(part["version"], part["path"]): part["value"] for part in revealed.data["parts"]}
    hands = [values[dealt.version, f"/hands/{seat}"] for seat in range(4)]
    item = script_item(log, dealt.data["deal"])
    if item is None:
        link, purpose = unhex(revealed.data["link"]), dealt.data["draw"]["purpose"]
        cards = shuffle(FRENCH, words(link, log.game, purpose, entropy))
        result = [cards[seat::4] for seat in range(4)]
    elif log.finished:
        script = log[0].known[f"/scripted_deals/{item}"][1]
        result = script["hands"]
        need(set(script) == {"hands"} and [len(hand) for hand in result] == [13] * 4, "script")
        need(sorted(card for hand in result for card in hand) == sorted(FRENCH), "not one deck")
    else:
        return
    result = [sorted(hand, key=FRENCH.index) for hand in result]
    need(same(hands, result), "not the cards that had to come")


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
    other = isinstance(ruleset, str) and ruleset != RULESET
    return f"unsupported: rule set {ruleset}" if other else ""


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
        secret = [name for name in checks if answers[name] == "ok" and not read.finished]
        answers |= dict.fromkeys(secret, "not-revealed")
    return answers if receipts else answers | {"receipts": "not-given"}
