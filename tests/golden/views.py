"""Views of the golden games: a digest of every one, and ten whole ones for every rule set.

<name>.views          for each version and viewer a digest of what is seen
<ruleset>.views.yaml  the fields that the digests are of, so that fields may be added; ten views
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec.yaml
import yaml

from domain.visibility import Viewer
from events.audit.audit import import_log
from events.log.entry import Entry
from events.log.loader import Loaded, fold
from events.queries import view_with_head
from tests.games.parts import part
from tests.golden.files import HERE, log, names


def every_view(name: str) -> Iterator[dict[str, Any]]:
    """Version by version what is seen, by viewer: each seat, a spectator, the opener."""
    entries = import_log(log(name))
    loaded = None
    for entry in entries:
        loaded = fold(_game(entries), [entry], loaded)
        viewers = [*map(str, range(len(loaded.game.seats))), "spectator", "opener"]
        yield {viewer: _seen(loaded, viewer) for viewer in viewers}


def view(name: str, version: int, viewer: str) -> Any:
    entries = import_log(log(name))
    return _seen(fold(_game(entries), entries[:version]), viewer)


def ruleset_of(name: str) -> str:
    return str(view(name, 1, "spectator")["ruleset"])


def fields_of(value: Any, path: str = "") -> set[str]:
    """The path of every member: `standings.totals`, `seats[].kind`."""
    if isinstance(value, list):
        return {field for item in value for field in fields_of(item, f"{path}[]")}
    if not isinstance(value, dict):
        return set()
    below = {key: _below(path, key) for key in value}
    return set(below.values()).union(*(fields_of(value[key], p) for key, p in below.items()))


def only(value: Any, fields: set[str], path: str = "") -> Any:
    """`value` without the members whose path is not among `fields`."""
    if isinstance(value, list):
        return [only(item, fields, f"{path}[]") for item in value]
    if not isinstance(value, dict):
        return value
    below = {key: _below(path, key) for key in value if _below(path, key) in fields}
    return {key: only(value[key], fields, p) for key, p in below.items()}


def digests(name: str, fields: set[str]) -> dict[tuple[str, str], str]:
    """By version and viewer."""
    return {
        (str(version), viewer): digest(only(seen, fields))
        for version, views in enumerate(every_view(name), start=1)
        for viewer, seen in views.items()
    }


def digest(view: Any) -> str:
    """Eight bytes of SHA-256 over compact JSON with sorted keys."""
    return hashlib.sha256(msgspec.json.encode(view, order="sorted")).hexdigest()[:16]


def recorded_digests(name: str) -> dict[tuple[str, str], str]:
    head, *rows = (line.split() for line in (HERE / f"{name}.views").read_text().splitlines())
    return {
        (version, viewer): found
        for version, *found_by_all in rows
        for viewer, found in zip(head[1:], found_by_all, strict=True)
    }


@cache
def recorded_views(ruleset: str) -> tuple[set[str], list[dict[str, Any]]]:
    """The fields that count, and the whole views."""
    found = msgspec.yaml.decode((HERE / f"{ruleset}.views.yaml").read_bytes())
    return set(found["fields"]), found["views"]


def whole_views(ruleset: str) -> list[dict[str, Any]]:
    """Those chosen of a rule set, with what each is to show."""
    return [
        {"shows": shows, "game": name, "version": version, "viewer": viewer}
        | {"view": view(name, version, viewer)}
        for name, version, viewer, shows in part(ruleset.partition("@")[0], "golden").VIEWS
    ]


def write() -> None:
    """Writes the views of all golden games anew, from their logs."""
    games = defaultdict(list)
    for name in names():
        games[ruleset_of(name)].append(name)
    for ruleset, played in games.items():
        fields = {
            field
            for name in played
            for views in every_view(name)
            for seen in views.values()
            for field in fields_of(seen)
        }
        found = {"fields": sorted(fields), "views": whole_views(ruleset)}
        (HERE / f"{ruleset}.views.yaml").write_text(pretty(found))
        for name in played:
            (HERE / f"{name}.views").write_text(_table(digests(name, fields)))


def pretty(value: Any) -> str:
    """YAML with lists of plain values on a line of their own."""
    return yaml.safe_dump(
        value, default_flow_style=None, sort_keys=False, width=100, allow_unicode=True
    )


def _table(found: dict[tuple[str, str], str]) -> str:
    rows: dict[str, list[str]] = defaultdict(list)
    for (version, viewer), value in found.items():
        rows["version"] += [viewer] if version == "1" else []
        rows[version].append(value)
    return "".join(" ".join([version, *row]) + "\n" for version, row in rows.items())


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _game(entries: Sequence[Entry]) -> str:
    return str(msgspec.json.decode(entries[0].public)["game"])


def _seen(loaded: Loaded, viewer: str) -> Any:
    seat = int(viewer) if viewer.isdecimal() else None
    found = view_with_head(loaded, Viewer(seat, opener=viewer == "opener"))
    return msgspec.json.decode(msgspec.json.encode(found))
