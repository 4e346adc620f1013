"""Distributions as pip would leave them: a `dist-info` on the path, for one test."""

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from domain import registry
from workers import bot_registry

PAIRS = {"pairs": "tests.outside.pairs:PAIRS"}


@contextmanager
def registry_restored() -> Iterator[None]:
    """What is registered within is gone after it."""
    rulesets, bots = dict(registry.RULESETS), dict(bot_registry.FROM_OUTSIDE)
    try:
        yield
    finally:
        registry.RULESETS.clear()
        registry.RULESETS.update(rulesets)
        bot_registry.FROM_OUTSIDE.clear()
        bot_registry.FROM_OUTSIDE.update(bots)


class Shelf:
    """A directory on the path, with the distributions that are put there."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        monkeypatch.syspath_prepend(path)

    def install(
        self,
        name: str,
        rulesets: Mapping[str, str] | None = None,
        bots: Mapping[str, str] | None = None,
        modules: Mapping[str, str] | None = None,
    ) -> None:
        """`rulesets` and `bots` are entry points by name, `modules` the code by module name."""
        info = self.path / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        groups = {"elsinore.rulesets": rulesets, "elsinore.bots": bots}
        lines = [
            line
            for group, points in groups.items()
            if points
            for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
        ]
        (info / "entry_points.txt").write_text("\n".join(lines))
        for module, code in (modules or {}).items():
            (self.path / f"{module}.py").write_text(code)
        importlib.invalidate_caches()
