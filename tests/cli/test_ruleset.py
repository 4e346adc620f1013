"""`elsinore ruleset check`: a verdict per law, and what breaks one so that it can be seen again."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from domain.laws.all_laws import LAWS, name_of
from domain.registry import register
from tests.docs.shown import typed
from tests.outside.installing import registry_restored
from tests.outside.pairs import PAIRS


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    with registry_restored():
        yield


@pytest.mark.parametrize("name", ["hearts_and_minds", "hearts_and_minds@1"])
def test_a_game_that_keeps_every_law_is_said_to(elsinore: Any, name: str) -> None:
    check = typed("elsinore ruleset check NAME", NAME=name)
    done = elsinore(*check, "--games", 1, "--seats", 3)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "hearts_and_minds@1, 1 games" in done.stdout
    rows = [line.split("│") for line in done.stdout.splitlines() if "│" in line]
    assert [(row[1].strip(), row[2].strip()) for row in rows] == [
        (name_of(law), "ok") for law in LAWS
    ]


def test_what_breaks_a_law_is_told_with_seats_and_seed_and_ends_with_1(elsinore: Any) -> None:
    def recount(facts: Any, before: Any = ()) -> Any:
        return PAIRS.recount(facts, before)[0 if before else 1 :]

    register(dataclasses.replace(PAIRS, recount=recount))
    done = elsinore("ruleset", "check", "pairs", "--seed", 5, "--games", 2)
    assert done.exit_code == 1
    assert done.stdout.count("broken") == 1
    assert "The second scorer finds the same lines" in done.stdout
    assert "--seats 4 --seed 5: the scorers differ: ScoreLine(" in done.stdout
    assert "and in 1 more games" in done.stdout


def test_a_game_that_fails_is_judged_as_far_as_it_came(elsinore: Any) -> None:
    def failing(state: Any, chance: Any) -> Any:
        if state.tricks:
            raise ZeroDivisionError("no second trick")
        return PAIRS.consequence(state, chance)

    register(dataclasses.replace(PAIRS, consequence=failing))
    done = elsinore("ruleset", "check", "pairs", "--games", 1)
    assert done.exit_code == 1
    assert "ZeroDivisionError: no second trick" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "There is no rule set nothing."),
        (("hearts@7",), "There is no rule set hearts@7."),
        (("hearts", "--seats", "3"), "hearts@1 is not played with 3 seats."),
    ],
)
def test_what_cannot_be_judged_is_said(elsinore: Any, words: tuple[str, ...], said: str) -> None:
    done = elsinore("ruleset", "check", *words)
    assert done.exit_code == 2
    assert said in done.stderr
