"""A game from its opening to its end, as the aggregate plays it: draws, seals, the last reveal."""

import random
from typing import Any

import pytest

from domain.chance import Chain
from domain.game.aggregate import decide
from domain.game.model import DealRevealed, Finished, Game, OpenGame, Play, SeatPlan
from domain.game.opening import open_game
from domain.game.views import view
from domain.kernel import Event, RuleViolation
from domain.registry import find
from domain.rulesets.hearts_and_minds.model import Dealt, GoalChosen, GoalsRevealed, LeaderDrawn
from domain.visibility import SPECTATOR, Viewer, secret_parts
from tests.tables import some_move

RULESET: Any = find("hearts_and_minds@1")
CHAIN = Chain.derive("a-game", b"r" * 32)


def opened(seats: int) -> tuple[list[Event], Game]:
    plan = tuple(SeatPlan(kind="bot", level="normal") for _ in range(seats))
    command = OpenGame(opener="p1", ruleset="hearts_and_minds", options={}, seats=plan)
    steps = open_game(command, CHAIN)
    return [event for event, _ in steps], steps[-1][1]


def played_out(seats: int) -> tuple[list[Event], Game]:
    rng = random.Random(seats)
    log, game = opened(seats)
    while game.status == "playing":
        seat = rng.choice(RULESET.to_act(game.state))
        move = some_move(RULESET, game.state, seat, rng)
        steps = decide(game, Play(seat=seat, move=move), CHAIN)
        log += [event for event, _ in steps]
        game = steps[-1][1]
    return log, game


@pytest.mark.parametrize("seats", [3, 4])
def test_the_leader_and_the_first_deal_come_with_the_start(seats: int) -> None:
    log, _ = opened(seats)
    assert [type(event) for event in log[2:]] == [LeaderDrawn, Dealt]
    drawn: Any = log[2]
    assert drawn.draw.link == CHAIN.links[1].hex()


@pytest.mark.parametrize("seats", [3, 4])
def test_what_was_sealed_in_a_round_is_revealed_when_it_is_scored(seats: int) -> None:
    log, _ = played_out(seats)
    reveals = [event for event in log if isinstance(event, DealRevealed)]
    assert [reveal.draw for reveal in reveals] == [2, 3, 4, 5]
    for reveal in reveals:
        assert reveal.link == CHAIN.links[reveal.draw].hex()
        paths = sorted(part.path for part in reveal.parts)
        assert paths == ["/goal"] * seats + [f"/hands/{seat}" for seat in range(seats)]


@pytest.mark.parametrize("seats", [3, 4])
def test_a_game_ends_after_four_rounds_with_its_root(seats: int) -> None:
    log, game = played_out(seats)
    finished = log[-1]
    assert isinstance(finished, Finished)
    assert finished.outcome == RULESET.outcome(game.state)
    assert finished.root == CHAIN.root.hex()
    assert sum(isinstance(event, GoalsRevealed) for event in log) == 4
    seat = 0
    with pytest.raises(RuleViolation) as refusal:
        decide(
            game, Play(seat=seat, move=RULESET.moves[0](answers="d4.goal", goal="mindless")), CHAIN
        )
    assert refusal.value.code == "game-over"


def test_b01_a_goal_is_sealed_for_its_seat_and_no_other_view_changes_with_it() -> None:
    _, game = opened(4)
    seen = []
    for goal in ("mindless", "balanced-diet"):
        move = RULESET.moves[0](answers="d1.goal", goal=goal)
        ((chosen, after),) = decide(game, Play(seat=1, move=move), CHAIN)
        assert isinstance(chosen, GoalChosen)
        assert [(part.path, part.to, part.until) for part in secret_parts(chosen, 2)] == [
            ("/goal", (1,), 2)
        ]
        seen.append([view(after, viewer) for viewer in (SPECTATOR, *map(Viewer, (0, 2, 3)))])
        assert view(after, Viewer(1))["goal"] == goal
    assert seen[0] == seen[1]
