"""Distances to endings, what an action may bring, and that games at random never stumble."""

import random
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest

from domain.chance import TrialChance, below, words
from domain.rulesets.hamlet_play.analysis.soundness import every_ending
from domain.rulesets.hamlet_play.analysis.trials import after, begun, moves_of, wander
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import (
    Alive,
    BoxesChecked,
    Dead,
    HasCounter,
    HasStatus,
    Higher,
    InAct,
    IsAt,
    Needs,
    OnTrack,
    Together,
)
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS
from domain.rulesets.hamlet_play.engine.requirements import all_hold, holds
from domain.rulesets.hamlet_play.model import HamletPlayState
from domain.rulesets.hamlet_play.reach.distances import Distances, distances
from domain.rulesets.hamlet_play.reach.outcomes import Dice, every_fall, possibilities
from domain.rulesets.hamlet_play.reach.relaxation import Move
from domain.visibility import Viewer
from tests.chances import QuickChance
from tests.domain.hamlet_play.given import RULESET, house, options, position, tiny
from tests.tables import Table, some_move

SCENES = 10_000


def far(need: Needs, **given: Any) -> float:
    return distances_at(**given).of((need,))


def distances_at(**given: Any) -> Distances:
    state = position(**given)
    return distances(tiny(), state.board, state.act)


# --- distances


@pytest.mark.parametrize(
    ("need", "actions"),
    [
        (Alive(persona="hamlet"), 0),
        (IsAt(place="hamlet.court"), 0),
        (HasStatus(status="hamlet.mad"), 1),
        (HasStatus(status="hamlet.mad", negated=True), 0),
        (HasCounter(counter="ophelia.spying"), 1),
        (IsAt(place="laertes.court", negated=True), 1),
        (OnTrack(track="ophelia.sanity", at_most=1), 2),
        (BoxesChecked(action="laertes.few-precepts", at_least=1), 1),
        (Together(personae=("hamlet", "laertes"), negated=True), 1),
        (Dead(persona="ophelia"), 3),
    ],
)
def test_a_distance_counts_actions(need: Needs, actions: float) -> None:
    assert far(need) == actions


def test_a_row_of_a_table_takes_less_than_an_action() -> None:
    sanity = OnTrack(track="ophelia.sanity", at_least=5)
    assert 0 < far(sanity, at="ophelia.nunnery") < 1


def test_what_needs_a_lucky_die_is_farther() -> None:
    given: dict[str, Any] = {"at": "hamlet.england", "act": 2}
    away = far(HasCounter(counter="hamlet.dying"), **given)
    home = far(IsAt(place="hamlet.court"), **given)
    assert 1 < home < away < inf


@pytest.mark.parametrize(
    ("need", "given"),
    [
        (Alive(persona="hamlet"), {"dead": "hamlet"}),
        (HasStatus(status="hamlet.mad", negated=True), {"marks": "hamlet.mad"}),
        (HasStatus(status="hamlet.mad"), {"boxes": {"hamlet.antic-disposition": 1}}),
        (HasStatus(status="ophelia.married-to-hamlet"), {"marks": "ophelia.insane"}),
        (HasStatus(status="ophelia.married-to-hamlet"), {"dead": "hamlet"}),
        (BoxesChecked(action="hamlet.pirates", at_most=1), {"boxes": {"hamlet.pirates": 2}}),
        (Higher(higher="hamlet.swordplay", lower="laertes.swordplay"), {"dead": "laertes"}),
        (InAct(at_most=2), {"act": 3}),
    ],
)
def test_what_can_never_hold_again_is_infinitely_far(need: Needs, given: dict[str, Any]) -> None:
    assert far(need) < inf
    assert far(need, **given) == inf


def test_the_moves_of_a_plan_lead_there_one_by_one() -> None:
    moves = distances_at().moves((IsAt(place="ophelia.nunnery"), HasStatus(status="hamlet.mad")))
    assert moves == {
        Move("ophelia.get-thee", None),
        Move("hamlet.antic-disposition", None),
    }


def some_game(cards: CardSet, seats: int, seed: bytes) -> Iterator[HamletPlayState]:
    stream, chance = words(seed, "bot", "foresight"), TrialChance(seed)
    state = begun(cards, seats, "mixed", chance)
    yield state
    while moves := moves_of(cards, state):
        state = after(state, moves[below(len(moves), stream)], chance)
        yield state


@pytest.mark.parametrize("cards", [tiny(), house()], ids=["tiny", "elsinore"])
def test_what_comes_to_hold_was_never_out_of_reach(cards: CardSet) -> None:
    lines = {need for ending in every_ending(cards) for need in ending.lines}
    came = 0
    for number in range(12):
        states = list(some_game(cards, SEAT_COUNTS[number % 4], bytes([number])))
        found = [distances(cards, state.board, state.act) for state in states]
        for need in lines:
            held = [n for n, s in enumerate(states) if holds(need, s.board, s.act)]
            came += bool(held)
            assert all(one.of((need,)) < inf for one in found[: max(held, default=0)])
            assert all(found[n].of((need,)) == 0 for n in held)
    assert came > 100


def every_state(cards: CardSet, seats: int, seed: bytes) -> Iterator[HamletPlayState]:
    """After each event of a game at random, those in the middle of an action too."""
    table = Table(
        RULESET,
        QuickChance(int.from_bytes(seed)),
        options=options(cards, endings="mixed"),
        seats=seats,
    )
    rng = random.Random(seed)
    while table.waiting_for:
        table.play(table.waiting_for[0], some_move(RULESET, table.state, table.waiting_for[0], rng))
    state = RULESET.initial(options(cards, endings="mixed"), seats)
    for event in table.log:
        state = RULESET.evolve(state, event)
        yield state


@pytest.mark.parametrize("cards", [tiny(), house()], ids=["tiny", "elsinore"])
def test_no_view_calls_lost_what_a_later_view_shows_to_hold(cards: CardSet) -> None:
    inside = 0
    for number in range(4):
        lost: set[tuple[int, int]] = set()
        for state in every_state(cards, 2 + number % 2, bytes([number])):
            inside += state.goes_on and state.winners is None
            for seat in range(state.seats):
                ending = RULESET.view(state, Viewer(seat)).ending
                for number_of, line in enumerate(ending.lines if ending else ()):
                    assert not (line.holds and (seat, number_of) in lost)
                    if not line.reachable:
                        lost.add((seat, number_of))
    assert inside > 50


@pytest.mark.parametrize("cards", [tiny(), house()], ids=["tiny", "elsinore"])
def test_nothing_is_without_distance_but_what_holds_or_is_dying(cards: CardSet) -> None:
    for state in some_game(cards, 3, b"zero"):
        now = distances(cards, state.board, state.act)
        if any(counter.endswith(".dying") for counter in state.board.counters):
            continue
        for ending in every_ending(cards):
            assert (now.of(ending.lines) == 0) == all_hold(ending.lines, state.board, state.act)


# --- what an action may bring


def test_an_action_without_dice_has_one_outcome() -> None:
    state = position()
    (only,) = possibilities(tiny(), state.board, 1, "hamlet.antic-disposition", None)
    assert only.odds == 1
    assert "hamlet.mad" in only.board.statuses


def test_the_odds_of_a_die_are_those_of_its_faces() -> None:
    state = position(at="hamlet.england", act=2)
    found = possibilities(tiny(), state.board, 2, "hamlet.pirates", None)
    odds = sorted(round(one.odds * 6) for one in found)
    assert odds == [1, 2, 3]
    assert sum(one.odds for one in found) == pytest.approx(1)


def test_the_odds_of_a_duel_follow_swordplay() -> None:
    def won(hamlet: int) -> float:
        state = position(act=3, tracks={"hamlet.swordplay": hamlet, "laertes.swordplay": 3})
        found = possibilities(tiny(), state.board, 3, "hamlet.the-foils", None)
        return sum(one.odds for one in found if one.board.counters == {"laertes.dying"})

    assert won(3) == pytest.approx(15 / 36)
    assert won(1) < won(3) < won(6)


def test_two_dice_fall_in_every_way_and_more_are_sampled() -> None:
    runs = 0

    def many(dice: Dice) -> int:
        nonlocal runs
        runs += 1
        return sum(dice() for _ in range(9))

    found = list(every_fall(many))
    assert sum(odds for odds, _ in found) == pytest.approx(1)
    assert sum(odds * total for odds, total in found) == pytest.approx(9 * 3.5, abs=1)
    assert runs < 300
    assert sorted({total for _, total in every_fall(lambda dice: dice() + dice())}) == [
        *range(2, 13)
    ]


# --- games at random


@pytest.mark.slow
@pytest.mark.parametrize(
    "seats", [2, *(pytest.param(seats, marks=pytest.mark.uncounted) for seats in SEAT_COUNTS[1:])]
)
def test_a_tenth_of_a_hundred_thousand_scenes_at_random_stop_at_nothing(seats: int) -> None:
    played, number = 0, 0
    while played < SCENES // len(SEAT_COUNTS):
        played += wander(house(), seats, f"{seats} {number}".encode())
        number += 1
    assert number > 20
