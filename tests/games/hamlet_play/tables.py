"""Hamlet! over HTTP: every number of seats, each pack of endings."""

from typing import Any

TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"endings": "difficult"}),
    *((seats, {"endings": "mixed"}) for seats in range(4, 9)),
]
SHORT: dict[str, Any] = {}
