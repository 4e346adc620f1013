"""Hearts over HTTP."""

from typing import Any

TABLES: list[tuple[int, dict[str, Any]]] = [(4, {"target_score": 26})]
SHORT: dict[str, Any] = {"target_score": 1}
