"""docs/field-cases.md and the tests name the same cases."""

import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "field-cases.md").read_text()
ROW = re.compile(r"^\| ([a-e]\d\d) \| (.+) \| (.+) \|$", re.MULTILINE)
NAME = re.compile(r"^ *def (test_\w+)", re.MULTILINE)
NUMBER = re.compile(r"(?<=_)[a-e]\d\d(?=_|$)")


def numbers_in_tests() -> dict[str, set[str]]:
    """The files by the number of each case that the name of a test in them carries."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in TESTS.rglob("test_*.py"):
        for name in NAME.findall(path.read_text()):
            for number in NUMBER.findall(name):
                found[number].add(path.relative_to(TESTS).with_suffix("").as_posix())
    return found


def test_every_number_in_a_test_is_on_the_page_and_the_other_way_round() -> None:
    numbers = [number for number, _, _ in ROW.findall(PAGE)]
    assert numbers == sorted(set(numbers))
    assert set(numbers) == set(numbers_in_tests())


def test_every_file_named_on_the_page_tests_the_case() -> None:
    cases = numbers_in_tests()
    for number, sentence, files in ROW.findall(PAGE):
        assert sentence.endswith((".", "`."))
        assert set(re.findall(r"`([\w/]+)`", files)) <= cases[number], number
