"""The draws of the card games, deal by deal, from docs/fairness.md alone (§4, §5, §16, §17)."""

from collections.abc import Callable, Mapping
from typing import Any

from .dealing import Rules, Table, check_deal
from .scheme import Entry, Log, below, need, same, shuffle, words

LAST = 1023  # number of the last draw there can be
Keys = Mapping[Any, bytes]


def drawn(name: str, rules: Rules) -> set[str]:
    """The types of the entries that state a draw."""
    return {f"{name}.dealt", *(rules.first or ())[:1]}


def checking(rules: Rules) -> Callable[..., None]:
    """The draws of a game of deals; it has no card sets."""
    return lambda log, keys, _: check_deals(log, keys, rules)


def check_deals(log: Log, keys: Keys, rules: Rules) -> None:
    """`keys`: the links that are out, by number."""
    entropy = list[str | None]()
    table = Table(len(log[0].data["seats"]), log[0].data["options"], 0, 0)
    name, number = log[0].data["ruleset"].partition("@")[0], 0
    deal, scored = f"{name}.dealt", f"{name}.deal-scored"
    secret, before, dealt, begun = False, log[0], log[0], rules.first is None
    script_item(log, 1)
    for entry in log:
        own = entry.type.partition(".")[0] in ("game", name)
        need(own, "of another rule set")
        if before.type == scored:
            need(entry.type == "game.deal-revealed", "the link is kept back")
            need(entry.public["command"] == before.public["command"], "the link comes later")
        first = rules.first is not None and entry.type == rules.first[0]
        due = before.type in ("game.started", "game.deal-revealed", *(rules.first or ())[:1])
        need(not due or entry.type in drawn(name, rules) | {"game.finished"}, "no deal")
        if first:
            need(before.type == "game.started" and not begun, "drawn twice, or late")
            number, begun = 1, True
            table = table._replace(first=check_first(log, rules, entry, entropy, keys))
        elif entry.type == "game.started":
            entropy = entry.data["entropy"]
        elif entry.type == deal:
            need(due and begun and not secret and number < LAST, "a deal out of turn")
            number, dealt, secret = number + 1, entry, True
            table = table._replace(number=table.number + 1)
            check_dealt(log, rules, table, entry, number)
        elif entry.type == scored:
            need(secret, "no deal to score")
        elif entry.type == "game.deal-revealed":
            need(before.type == scored, "not the draw that ended")
            need(same(entry.data["draw"], number), "not the draw that ended")
            check_hands(log, rules, table, dealt, entry, entropy, keys)
            secret = False
        elif entry.type == "game.finished":
            need(not secret, "a draw is not revealed")
        before = entry


def check_first(log: Log, rules: Rules, entry: Entry, entropy: list[str | None], keys: Keys) -> int:
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
    keys: Keys,
) -> None:
    """§5. The values are those in `known`, where they are all there, else those in `parts`."""
    places = [place for place, _ in sealed_places(rules, dealt)]
    values = {path: value for path, (_, value) in dealt.known.items()}
    if set(values) != set(places):
        parts = [part for part in revealed.data["parts"] if part["version"] == dealt.version]
        values = {part["path"]: part["value"] for part in parts}
    stated = dict(dealt.data)
    for name, to_whom in rules.sealed[dealt.type]:
        paths = [path for path, field in sealed_places(rules, dealt) if field == name]
        found = [values[path] for path in paths]
        stated[name] = found if to_whom == "each" else found[0]
    item = script_item(log, table.number)
    if item is None:
        draw = dealt.data["draw"]
        stream = words(keys[draw["number"]], log.game, draw["purpose"], entropy)
        check_deal(table, rules, stated, shuffle(rules.deck(table), stream))
    elif log.finished:
        check_deal(table, rules, stated, log[0].known[f"/scripted_deals/{item}"][1])


def sealed_places(rules: Rules, dealt: Entry) -> list[tuple[str, str]]:
    """Path and field of each sealed part of a deal."""
    places = list[tuple[str, str]]()
    for name, to_whom in rules.sealed[dealt.type]:
        if to_whom == "each":
            places += [(f"/{name}/{seat}", name) for seat in range(len(dealt.data[name]))]
        else:
            places.append((f"/{name}", name))
    return places
