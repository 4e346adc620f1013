"""Forged logs: what somebody who holds every key could write, digests and seals right again."""

import copy
import json
from collections.abc import Callable
from typing import Any

from domain.chance import Chain
from domain.hashing import keyed
from events.log.entry import canonical, entry_digest, sealed

Edit = Callable[["Forgery"], None]


class Forgery:
    """The entries of a log as plain objects, to be changed and chained again."""

    def __init__(self, lines: list[bytes]) -> None:
        self.entries: list[dict[str, Any]] = [json.loads(line) for line in lines]
        self.game: str = self.entries[0]["game"]
        self.chain = Chain.derive(self.game, bytes.fromhex(self.entries[-1]["data"]["root"]))

    def of_type(self, kind: str, number: int = 0) -> dict[str, Any]:
        return [entry for entry in self.entries if entry["type"] == kind][number]

    def state(self, entry: dict[str, Any], path: str, value: Any) -> None:
        """Another value for a sealed part, sealed with its right salt, known and opened so."""
        part = _at(entry["data"], path)
        until = part["until"]
        key = self.chain.root if until == "game" else self.chain.links[until]
        salt = keyed(key, "salt", self.game, entry["version"], path)
        part["sealed"] = sealed(self.game, salt, value)
        for known in entry["known"]:
            if known["path"] == path:
                known.update(value=value, salt=salt.hex())
        for later in self.entries:
            for opened in later["data"].get("parts", ()):
                if (opened["version"], opened["path"]) == (entry["version"], path):
                    opened["value"] = value

    def known(self, entry: dict[str, Any], path: str) -> Any:
        return next(known["value"] for known in entry["known"] if known["path"] == path)

    def lines(self) -> list[bytes]:
        """Canonical lines, numbered and chained anew."""
        previous, lines = b"", []
        for entry in self.entries:
            known = entry["known"]
            public = {k: v for k, v in entry.items() if k not in {"digest", "known"}}
            encoded = canonical(public)
            previous = entry_digest(self.game, previous, encoded)
            lines.append(
                encoded[:-1] + b',"digest":"%b","known":' % previous.hex().encode()
                + canonical(known) + b"}"
            )  # fmt: skip
        return lines


def forged(lines: list[bytes], edit: Edit) -> list[bytes]:
    forgery = Forgery(lines)
    edit(forgery)
    return forgery.lines()


def without(entry: dict[str, Any], name: str) -> dict[str, Any]:
    left = copy.deepcopy(entry)
    del left[name]
    return left


def _at(data: Any, path: str) -> Any:
    for step in path[1:].split("/"):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data
