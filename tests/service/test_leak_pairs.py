"""Pairs of games that differ only in what a viewer cannot know: every answer is the same, byte
for byte. Viewers are seat 1 and a spectator; the deals are written down by seat 0.
"""

import re
from typing import Any

import pytest

from domain.kernel import Ruleset
from domain.registry import RULESETS
from service.settings import Settings
from tests.games.parts import part, parts
from tests.service.leaks import VIEWER, Pair, the_same
from tests.service.tables import Table, answers_of, memory_services

PAIRS: dict[str, tuple[str, Pair]] = {
    f"{game}: {name}": (game, pair)
    for game, found in parts("leaks").items()
    for name, pair in found.PAIRS.items()
}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_rule_set_has_a_pair_for_every_number_of_seats(ruleset: Ruleset[Any]) -> None:
    pairs = part(ruleset.name, "leaks").PAIRS.values()
    missing = set(ruleset.seat_counts) - {pair.seats for pair in pairs}
    assert not missing, f"tests/games/{ruleset.name}/leaks.py has no pair for {missing} seats"


def normal(text: str, table: Table) -> str:
    """Seals, salts, digests, receipts, ids and times replaced by constants of their length."""
    text = text.replace(table.game, "g" * 26)
    text = re.sub(r"(elsinore_request_seconds.*) [0-9.e+-]+\n", r"\1\n", text)
    text = re.sub(r"p_[a-z2-7]{16}", "p" * 18, text)
    text = re.sub(r"[0-9a-f]{16,}", lambda found: "0" * len(found[0]), text)
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "T" * 24, text)


def seen(table: Table) -> list[str]:
    """What the viewers are answered, whatever they ask."""
    texts = answers_of(table, table.people[VIEWER], VIEWER)
    texts += answers_of(table, table.spectator, None)
    return [normal(text, table) for text in texts]


@pytest.mark.uncounted
@pytest.mark.parametrize("name", PAIRS)
def test_leak_pairs_are_byte_equal_for_who_cannot_tell_them_apart(name: str) -> None:
    (game, pair), root = PAIRS[name], bytes(range(1, 33))
    first, second = (
        Table(
            memory_services(root=lambda: root, settings=Settings()),  # no heartbeat ticks the clock
            ruleset=game,
            seats=pair.seats,
            options=pair.options,
            script=script,
        ).sit()
        for script in pair.scripts
    )
    apart = 0
    for step in range(pair.steps + 1):
        if step == 0 or step >= pair.alike:
            assert seen(first) == seen(second)
        views = [[table.view(seat) for seat in range(pair.seats)] for table in (first, second)]
        apart += any(
            one["hand"] != other["hand"] or one.get("goal") != other.get("goal")
            for one, other in zip(*views, strict=True)
        )
        if step == pair.steps:
            break
        seat = first.waiting_for[0]
        assert second.waiting_for[0] == seat
        legal = [view[seat]["legal_moves"] for view in views]
        moves = (pair.choose or the_same)(seat, *legal)
        for table, move in zip((first, second), moves, strict=True):
            assert table.people[seat].move(table.game, move).status_code == 201
    assert apart >= min(pair.steps, 5) - 1, "the two games are to differ for some moves"
