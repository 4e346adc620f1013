"""Every game of the registry has all that the suites ask of one."""

import pytest

from tests.games.parts import HERE, NAMES, PARTS, part


@pytest.mark.parametrize("what", PARTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_brings_what_the_suites_ask_of_it(name: str, what: str) -> None:
    part(name, what)


def test_a_game_without_a_part_is_told_what_is_missing() -> None:
    with pytest.raises(LookupError) as missing:
        part("whist", "leaks")
    assert str(missing.value) == (
        "The game whist lacks tests/games/whist/leaks.py: a pair of games that differ in what is "
        "hidden, for every number of seats (PAIRS)."
    )


def test_no_folder_is_of_a_game_that_there_is_not() -> None:
    assert {path.parent.name for path in HERE.glob("*/*.py")} <= set(NAMES)
