"""A game that is played in teams: partners win together, wherever that is told."""

import random
from typing import Any

import pytest

from domain.registry import register
from domain.scores import Outcome
from events.audit.audit import audit, import_log
from events.projections.memory import MemoryProjections
from events.transcript import transcript
from service.cli.terminal.tables import table_at
from tests.events.forging import Forgery
from tests.events.playing import ANN, PEOPLE, House, play_on, seated
from tests.outside.pairs import PAIRS
from tests.outside.pairs.model import TEAMS
from tests.service.tables import Table, memory_services
from workers.projections.projector import Projecting

WON, DRAWN = 12, 13
"""Seeds of games that one pair wins, and that are drawn."""


@pytest.fixture(autouse=True)
def _pairs() -> None:
    register(PAIRS)


def over(seed: int) -> tuple[House, str]:
    house = House()
    game = seated(house, ruleset="pairs", key="pairs")
    play_on(house, game, seed)
    return house, game


def outcome_of(house: House, game: str) -> Outcome:
    found = house.table(game).outcome
    assert found is not None
    return found


def test_one_team_that_has_won_is_a_win_of_all_its_seats() -> None:
    won = outcome_of(*over(WON))
    assert (won.result, won.winners, won.teams) == ("win", (1, 3), ((1, 3),))
    assert won.standings.ranks == (3, 1, 3, 1)


def test_several_teams_ranked_first_have_drawn() -> None:
    drawn = outcome_of(*over(DRAWN))
    assert (drawn.result, drawn.winners, drawn.teams) == ("draw", (0, 1, 2, 3), TEAMS)


@pytest.mark.parametrize(("seed", "won"), [(WON, (0, 1, 0, 1)), (DRAWN, (1, 1, 1, 1))])
def test_both_partners_have_won_in_their_records(seed: int, won: tuple[int, ...]) -> None:
    house, game = over(seed)
    projections = MemoryProjections()
    Projecting(house.store, projections).project(game, house.table(game).version)
    records = [projections.record(player)["pairs@1"] for player in PEOPLE]
    assert [(record.finished, record.won) for record in records] == [(1, n) for n in won]
    sheet = projections.sheet(game)
    assert sheet is not None
    assert not sheet.scores_disagree
    assert sheet.outcome == outcome_of(house, game)


def test_a_transcript_names_the_teams_and_which_has_won() -> None:
    house, game = over(WON)
    told = list(transcript(import_log(house.reader.log(game))))
    assert told[3:5] == ["Together: seats 0 and 2", "Together: seats 1 and 3"]
    assert "Won by seats 1 and 3 (higher wins)" in told
    house, game = over(DRAWN)
    told = list(transcript(import_log(house.reader.log(game))))
    assert "Drawn by seats 0 and 2; seats 1 and 3 (higher wins)" in told


def test_every_viewer_is_told_the_teams_from_the_opening_on() -> None:
    table = Table(memory_services(), ruleset="pairs")
    assert table.spectator.view(table.game)["teams"] == [[0, 2], [1, 3]]
    table.sit().play_to_the_end(random.Random(1))
    assert table.spectator.view(table.game)["teams"] == [[0, 2], [1, 3]]
    view = table.view(2)
    best = [list(team) for team in TEAMS if view["totals"][team[0]] == max(view["totals"])]
    assert view["outcome"]["teams"] == best


def test_a_game_without_teams_says_nothing_of_them() -> None:
    table = Table(memory_services(), target=1).sit()
    assert "teams" not in table.view(0)
    table.play_to_the_end()
    assert "teams" not in table.view(0)["outcome"]


def test_a_drawn_table_names_each_seats_partner() -> None:
    house, game = over(WON)
    drawn = table_at(house.reader.view(game, None), [])
    seats = [
        str(cell) for grid in drawn.renderables[2:] for cell in _cells(grid) if ANN in str(cell)
    ]
    assert seats == [f"{ANN}, with seat 2"]


def _cells(grid: Any) -> list[Any]:
    return [cell for column in grid.columns for cell in column.cells]


def test_the_audit_accepts_what_the_rule_set_says_of_teams_and_nothing_else() -> None:
    house, game = over(WON)
    log = house.reader.log(game)
    assert audit(log).ok
    for change in ({"teams": [[0, 2]]}, {"winners": [1]}, {"result": "draw"}):
        forged = Forgery(log)
        forged.entries[-1]["data"]["outcome"] |= change
        report = audit(forged.lines())
        assert (report.verdict("rules").status, report.verdict("chain").status) == ("failed", "ok")
    forged = Forgery(log)
    del forged.entries[-1]["data"]["outcome"]["teams"]
    assert audit(forged.lines()).verdict("rules").status == "failed"
