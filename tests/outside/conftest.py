"""A registry that is as before after each test, and a place to install on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.outside.installing import Shelf, registry_restored
from tests.service import described


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """The description of the API that answers are held against is of the games registered then."""
    with registry_restored():
        described.description.cache_clear()
        described._validator.cache_clear()
        yield
    described.description.cache_clear()
    described._validator.cache_clear()


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    return Shelf(tmp_path, monkeypatch)
