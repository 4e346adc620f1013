"""Leaving in each phase of every game: bid, goal, pass, the middle of a trick."""

import pytest

from domain.registry import RULESETS
from events.audit.audit import audit
from service.services import Services
from tests.games.parts import part
from tests.service.tables import Table
from tests.service.test_leaving import bots_play, leave, play_to_the_end, sit, types

TABLES = [(r.name, seats) for r in RULESETS.values() for seats in r.seat_counts]


@pytest.mark.uncounted
@pytest.mark.parametrize("phase", ["first", "second", "play"])
@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_b29_whatever_is_asked_a_bot_answers_for_who_leaves_until_they_resume(
    services: Services, ruleset: str, seats: int, phase: str
) -> None:
    options = part(ruleset, "tables").SHORT
    table = Table(services, ruleset=ruleset, seats=seats, options=options).sit()
    for _ in range({"first": 0, "second": 1, "play": seats + 1}[phase]):
        table.step()
    seat = table.waiting_for[0]
    asked = table.view(seat)["question"]
    assert leave(table, seat).status_code == 200
    assert table.spectator.view(table.game)["to_act"][str(seat)] == asked
    bots_play(table)
    assert table.spectator.view(table.game)["to_act"].get(str(seat)) != asked
    for _ in range(seats):
        if table.waiting_for[0] != seat:
            table.step()
    assert sit(table, table.people[seat], seat).status_code == 200
    play_to_the_end(table)
    assert types(table).count("game.seat-resumed") == 1
    lines = table.spectator.get(f"{table.path}/log").text.encode().splitlines()
    assert audit(lines).ok
