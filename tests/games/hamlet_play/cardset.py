"""Card sets of Hamlet!, from docs/fairness.md alone (§18): what is hashed, and the packs."""

import hashlib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.independent.scheme import encode, message

NEEDED = object()
CARDS: dict[str, dict[str, Any]] = {  # by kind the members of a card, and what stands for them
    "persona": {
        "id": NEEDED,
        "plural": False,
        "start": None,
        "actions": [],
        "places": {},
        "statuses": {},
        "tracks": {},
    },
    "places": {},
    "statuses": {},
    "tracks": {"max": NEEDED, "min": NEEDED, "start": NEEDED},
    "actions": {"id": NEEDED, "boxes": 0, "requires": [], "results": [], "choose": []},
    "choose": {"id": NEEDED, "results": []},
    "effect": {"id": NEEDED, "requires": [], "results": NEEDED},
    "ending": {"id": NEEDED, "lines": NEEDED},
}
EMPTY = ("above", "otherwise", "first_wins", "second_wins", "tie")
PACKS = {"regular": ["regular"], "difficult": ["difficult"], "mixed": ["regular", "difficult"]}


def from_directory(directory: Path) -> dict[str, Any]:
    """The object that is hashed, of the files of a set."""

    def toml(path: str) -> dict[str, Any]:
        return tomllib.loads((directory / path).read_bytes().decode())

    head, effects = toml("set.toml"), toml("effects.toml")
    packs = {pack: toml(f"endings/{pack}.toml")["endings"] for pack in ("regular", "difficult")}
    personae = [toml(f"personae/{name}.toml") | {"id": name} for name in head["personae"]]
    endings = packs | {"common": toml("endings/common.toml")}
    return from_answer({**effects, **head, "personae": personae, "endings": endings})


def from_answer(stated: dict[str, Any]) -> dict[str, Any]:
    """The object that is hashed, of an item of `card_sets` as the service answers it."""
    endings = stated["endings"]
    return {
        "name": stated["name"],
        "version": stated["version"],
        "personae": [card("persona", one) for one in stated["personae"]],
        **{
            name: [card("effect", one) for one in stated.get(name, [])]
            for name in ("end_of_scene", "end_of_act")
        },
        "endings": {
            "common": card("ending", endings["common"]),
            **{
                pack: [card("ending", one) for one in endings[pack]]
                for pack in ("regular", "difficult")
            },
        },
    }


def card(kind: str, stated: dict[str, Any]) -> dict[str, Any]:
    found = {"name": stated["name"]["en"]}
    for member, default in CARDS[kind].items():
        value = stated[member] if default is NEEDED else stated.get(member, default)
        if member not in CARDS:
            found[member] = bare(value)
        elif isinstance(value, dict):
            found[member] = {name: card(member, one) for name, one in value.items()}
        else:
            found[member] = [card(member, one) for one in value]
    return found


def bare(value: Any) -> Any:
    """Requirements and results without what says no more than its default."""
    if isinstance(value, list):
        return [bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    free = (*EMPTY, "results") if value.get("does") == "when" else EMPTY
    return {
        name: bare(item)
        for name, item in value.items()
        if not (name == "not" and item is False) and not (name in free and item == [])
    }


def digest(cards: dict[str, Any]) -> str:
    return hashlib.sha256(message("card-set", encode(cards))).hexdigest()


def by_digest(sets: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {digest(cards): cards for cards in sets}


def on_shelves(*shelves: Path) -> dict[str, dict[str, Any]]:
    """By their digests the sets in these folders, one directory each."""
    found = (path.parent for shelf in shelves for path in sorted(shelf.glob("*/set.toml")))
    return by_digest(from_directory(directory) for directory in found)


def pack_of(cards: dict[str, Any], pack: str) -> list[dict[str, Any]]:
    """The endings as a log states them, in the order of the deck."""
    return [held(one) for name in PACKS[pack] for one in cards["endings"][name]]


def held(ending: dict[str, Any]) -> dict[str, Any]:
    return {"id": ending["id"], "lines": ending["lines"]}


def stage(cards: dict[str, Any]) -> dict[str, Any]:
    """What `hamlet_play.stage-set` states beside set and digest."""
    personae = cards["personae"]
    return {
        "personae": [one["id"] for one in personae],
        "places": {
            one["id"]: f"{one['id']}.{one['start']}" for one in personae if one["start"] is not None
        },
        "tracks": {
            f"{one['id']}.{name}": {end: track[end] for end in ("max", "min", "start")}
            for one in personae
            for name, track in one["tracks"].items()
        },
        "boxes": {
            f"{one['id']}.{action['id']}": action["boxes"]
            for one in personae
            for action in one["actions"]
            if action["boxes"]
        },
    }
