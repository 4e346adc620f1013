"""Hamlet over HTTP: each pattern, with and without trump."""

from typing import Any

TABLES: list[tuple[int, dict[str, Any]]] = [
    (3, {}),
    (4, {"deals": 3}),
    (3, {"no_trump_every": 1, "deals": 2}),
    (4, {"no_trump_every": 2, "deals": 2}),
    (3, {"pattern": "up_down"}),
    (4, {"pattern": "up_down", "no_trump_every": 3, "deals": 9}),
]
SHORT: dict[str, Any] = {"deals": 1}
