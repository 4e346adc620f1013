"""Every ending of the house's card set can be reached: lines that a search found, played again.

`tests/cardsets/lines/elsinore.json` is written by `elsinore cardset check … --lines FILE`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets.hamlet_play.analysis.lines import line_to_action, line_to_ending
from domain.rulesets.hamlet_play.analysis.soundness import every_ending
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import ACTS, Alive, Dead, HasStatus, Needs
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS
from domain.rulesets.hamlet_play.model import ScriptedDeal, TakeAction
from tests.chances import TableChance
from tests.domain.hamlet_play.given import action, house, options, playing, tiny
from tests.tables import Table

FILE = Path(__file__).parents[2] / "cardsets" / "lines" / "elsinore.json"
STORED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
SEATS, DICE, MOVES = 1, 2, 3


def played(
    cards: CardSet, ending: str, seats: int, dice: dict[str, int], moves: list[list[Any]]
) -> Table:
    """The line in a game written down, seat 0 holding the ending; others whose endings hold
    before the line is at its end are given other ones."""
    pack = [one.id for one in (*cards.endings.regular, *cards.endings.difficult)]
    others = [one for one in pack if one != ending]
    held = [ending if ending in pack else others.pop()]
    while True:
        deal = ScriptedDeal(
            first_player=0, endings=(*held, *others[: seats - len(held)]), dice=dice
        )
        ruleset, given = playing(cards), options(cards, endings="mixed")
        chance = TableChance(0, ruleset.script_draws(given, seats, 1, [deal]))
        table = Table(ruleset, chance, seats=seats, options=given)
        for ref, choice in moves:
            if table.state.winners is not None:
                break
            (seat,) = table.waiting_for
            asked = ruleset.question(table.state, seat)
            table.play(seat, TakeAction(answers=asked, action=ref, choice=choice))
        else:
            return table
        early = [table.state.endings[seat].id for seat in table.state.winners]
        assert ending not in early
        others = [one for one in others if one not in early]


def test_the_lines_are_those_of_the_card_set_as_it_is() -> None:
    assert STORED["digest"] == house().digest


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_every_ending_is_reached_within_five_acts_with_so_many_seats(seats: int) -> None:
    lines = {line[0]: line for line in STORED["lines"] if line[SEATS] == seats}
    cards = house()
    assert set(lines) == {ending.id for ending in every_ending(cards)}
    for ending, line in lines.items():
        table = played(cards, ending, seats, line[DICE], line[MOVES])
        state = table.state
        together = ending == cards.endings.common.id
        assert state.won_together == together, ending
        assert 0 in (state.winners or ()), ending
        assert state.act <= ACTS


def test_a_search_finds_a_line_that_can_be_played() -> None:
    cards = tiny()
    ending = next(one for one in cards.endings.difficult if one.id == "pirates-twice")
    line = line_to_ending(cards, 3, ending.lines)
    assert line is not None
    table = played(cards, ending.id, 3, line.dice, [list(move) for move in line.moves])
    assert table.state.winners == (0,)


def test_a_search_knows_how_to_reach_an_action_late_in_the_play() -> None:
    line = line_to_action(tiny(), 2, "laertes.unbated-point")
    assert line is not None
    assert line.moves[-1].action != "laertes.unbated-point"


@pytest.mark.parametrize(
    "lines",
    [
        (Dead(persona="horatio"), Alive(persona="horatio")),
        (HasStatus(status="ophelia.married-to-hamlet"), Dead(persona="ophelia")),
    ],
)
def test_a_search_finds_no_line_to_what_cannot_be(lines: tuple[Needs, ...]) -> None:
    assert line_to_ending(tiny(), 2, lines) is None


def test_a_search_finds_no_line_to_an_action_that_is_never_possible() -> None:
    cards = action("hamlet", "ghost", 'requires = [{ needs = "dead", persona = "horatio" }]')
    assert line_to_action(cards, 2, "hamlet.ghost") is None
