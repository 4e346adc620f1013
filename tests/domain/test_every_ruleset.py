"""The laws of every game, run over the registry. Nothing here names a game: a new ruleset is judged
as soon as it is registered, by games that are played by chance."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from domain.laws.all_laws import LAWS, Law, name_of
from domain.laws.playing import Played, play
from domain.laws.twins import all_twins, played_on
from domain.registry import RULESETS

GAMES_EACH = 2


def tables() -> Iterator[Any]:
    for ruleset in RULESETS.values():
        for seats in ruleset.seat_counts:
            for seed in range(GAMES_EACH):
                ends = seats in (min(ruleset.seat_counts), max(ruleset.seat_counts))
                marks = () if ends and seed == 0 else pytest.mark.uncounted
                name = f"{ruleset.id}-{seats}-{seed}"
                yield pytest.param((ruleset.id, seats, seed), id=name, marks=marks)


@pytest.fixture(params=tables())
def game(request: pytest.FixtureRequest) -> Played:
    return played(*request.param)


@cache
def played(ruleset_id: str, seats: int, seed: int) -> Played:
    return play(RULESETS[ruleset_id], seats, seed)


@pytest.mark.parametrize("law", LAWS, ids=name_of)
def test_the_law_holds(law: Law, game: Played) -> None:
    law(game)


def test_there_are_twins_to_be_told_apart(game: Played) -> None:
    """Without them the law of secrecy would hold of anything."""
    twins = list(all_twins(game))
    assert len(twins) >= game.seats // 2
    assert sum(1 for one in twins for _ in played_on(game, one)) >= len(twins)
