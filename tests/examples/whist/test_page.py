"""docs/a-game-of-your-own.md and examples/whist say the same; the house knows nothing of whist."""

import ast
import re

import pytest

from domain.registry import RULESETS
from tests.examples.environment import PACKAGES, ROOT

WHIST = ROOT / "examples" / "whist"
FILES = sorted((WHIST / "elsinore_whist").glob("*.py"))
PAGE = (ROOT / "docs" / "a-game-of-your-own.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## .*?`([^`]+)`$(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
EXCERPT = re.compile(r"^```(?:python|toml|markdown)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXCERPTS = [
    (file, excerpt) for file, text in SECTION.findall(PAGE) for excerpt in EXCERPT.findall(text)
]


@pytest.mark.parametrize(("file", "excerpt"), EXCERPTS)
def test_what_the_page_shows_stands_in_the_file_of_its_heading(file: str, excerpt: str) -> None:
    assert excerpt in (WHIST / file).read_text(encoding="utf-8")


def test_the_page_shows_every_file_and_nothing_outside_their_sections() -> None:
    assert len(EXCERPTS) == len(EXCERPT.findall(PAGE))
    assert {file for file, _ in EXCERPTS} >= {str(path.relative_to(WHIST)) for path in FILES}


def test_it_is_as_small_as_the_page_says() -> None:
    lines = sum(len(path.read_text().splitlines()) for path in FILES)
    assert lines <= 320
    assert "320 lines" in PAGE


def test_the_second_scorer_has_nothing_of_the_first() -> None:
    source = ast.parse((WHIST / "elsinore_whist" / "recount.py").read_text())
    imported = {node.module for node in ast.walk(source) if isinstance(node, ast.ImportFrom)}
    assert not any(isinstance(node, ast.Import) for node in ast.walk(source))
    assert imported == {"collections.abc", "typing", "domain.scores", "elsinore_whist.model"}


def test_no_file_of_the_four_packages_knows_it() -> None:
    files = [path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file()]
    known = [path for path in files if b"whist" in path.read_bytes().lower()]
    assert [path for path in known if path.suffix != ".pyc"] == []
    assert "whist@1" not in RULESETS
