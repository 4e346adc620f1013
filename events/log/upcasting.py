"""Older schemas of an event, brought up to the one that `evolve` reads.

An upcaster changes a copy of the data, on its way into state. Stored bytes, feeds and digests
stay as they were written.
"""

from collections.abc import Callable
from typing import Any

Data = dict[str, Any]

UPCASTERS: dict[tuple[str, int], Callable[[Data], Data]] = {}


def upcast(kind: str, schema: int, target: int, data: Data) -> Data:
    """`data` of event type `kind` taken from `schema` to `target`, one step at a time."""
    for step in range(schema, target):
        data = UPCASTERS[kind, step](dict(data))
    return data
