"""Stored entries to events: the digest checked, the public object decoded once.

Much of what a cold load costs is spent here. That every byte is canonical is for the import and the
audit to say; a load holds the bytes against the chain of digests.
"""

from functools import lru_cache
from hashlib import sha256
from typing import Any, Union

import msgspec

from domain.kernel import Event
from events.errors import LogBroken
from events.log.entry import (
    Context,
    Entry,
    check_follows,
    entry_start,
    envelope,
    event_of,
    known_types,
)

_DIGEST_SIZE = (32).to_bytes(4, "big")


class EntryReader:
    """Reads the entries of one game, from any of them on."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._start = entry_start(game) + _DIGEST_SIZE
        self._types = known_types()
        self._decode = _decoder(tuple(self._types.items())).decode

    def read(self, entry: Entry, version: int, previous: bytes) -> tuple[str, Event]:
        """The command id and the event of an entry that must be number `version` after `previous`.

        Raises LogBroken, UnknownSchema, and whatever comes of decoding bytes that no release wrote.
        """
        public = entry.public
        chained = self._start + previous + len(public).to_bytes(4, "big") + public
        if entry.version != version or entry.digest != sha256(chained).digest():
            check_follows(entry, self._game, version, previous)
        if public[-1:] != b"}":
            raise LogBroken(version, "its bytes are not canonical")
        if not entry.secrets:
            try:
                typed = self._decode(public)
            except msgspec.ValidationError:
                pass  # of another schema, or broken: which of them is said below
            else:
                if typed.schema == typed.data.schema:
                    return typed.command, typed.data
        head = envelope(entry)
        return head.command, event_of(entry, head, self._types)


@lru_cache(maxsize=8)
def _decoder(types: tuple[tuple[str, type[Event]], ...]) -> msgspec.json.Decoder[Any]:
    """Decodes the public object of an entry without secrets, its data as an event of its type."""
    kinds = tuple(
        msgspec.defstruct(
            f"Entry of {name}",
            [("data", kind)],
            bases=(Context,),
            tag_field="type",
            tag=name,
            frozen=True,
            kw_only=True,
            forbid_unknown_fields=True,
        )
        for name, kind in types
    )
    return msgspec.json.Decoder(Union[kinds])  # noqa: UP007
