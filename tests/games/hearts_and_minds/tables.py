"""Hearts and Minds over HTTP: both scorings."""

from typing import Any

TABLES: list[tuple[int, dict[str, Any]]] = [
    (3, {}),
    (4, {}),
    (3, {"suitless_scoring": "fewest"}),
    (4, {"suitless_scoring": "fewest"}),
]
SHORT: dict[str, Any] = {}
