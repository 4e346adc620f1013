"""A literal transcription of the rules text as referee: legal sets, takers, points, winners.

DEALS=50000 in the environment plays more than the default, which is for each number of seats. Half
of the deals are cut from whole suits, so that seats are void and bound seats must trump.
"""

import os
import random
from collections import Counter
from typing import Any

import pytest

from domain.registry import find
from domain.rulesets.hearts_and_minds.model import (
    DECKS,
    CardPlayed,
    DealScored,
    HeartsAndMindsOptions,
    HeartsAndMindsState,
    TrickTaken,
)
from tests.chances import QuickChance
from tests.differential.referees import hearts_and_minds as referee
from tests.tables import Table

DEALS = int(os.environ.get("DEALS", "5000"))
RULESET: Any = find("hearts_and_minds@1")
BOUND = {"heartless", "mindless"}


class Uneven(QuickChance):
    """About every other deal by chance; the rest from suits in a row, a few cards exchanged."""

    def shuffle(self, purpose: str, deck: Any) -> Any:
        order, draw = super().shuffle(purpose, deck)
        if self.random.randrange(2):
            return order, draw
        seats = 3 if len(order) == 36 else 4
        size, rows = len(order) // seats, sorted(order, key=lambda code: code[-1])
        for _ in range(self.random.randrange(12)):
            i, j = self.random.randrange(len(rows)), self.random.randrange(len(rows))
            rows[i], rows[j] = rows[j], rows[i]
        return tuple(
            rows[seat * size + place] for place in range(size) for seat in range(seats)
        ), draw


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_every_deal_agrees_with_the_referee_at_every_decision(seats: int) -> None:
    rng = random.Random(seats)
    seen: Counter[str] = Counter()
    for game in range((DEALS + 3) // 4):
        suitless = ("graded", "graded", "fewest")[game % 3]
        compare_game(seats, suitless, game, rng, seen)
    assert seen["deals"] >= DEALS
    for goal in referee.GOALS:
        assert seen[goal] >= DEALS // 5
    for rule in ("follow-suit", "must-head", "must-trump", "must-overtrump"):
        assert seen[rule] > DEALS // 20
    assert seen["held at 0"] > DEALS // 20


def compare_game(
    seats: int, suitless: Any, seed: int, rng: random.Random, seen: Counter[str]
) -> None:
    options = HeartsAndMindsOptions(suitless_scoring=suitless)
    table = Table(RULESET, Uneven(seed), options=options, seats=seats)
    trick: list[str] = []
    taken: list[list[list[str]]] = [[] for _ in range(seats)]
    totals, last = [0] * seats, [0] * seats
    while table.waiting_for:
        seat = rng.choice(table.waiting_for)
        move = compare_decision(table.state, seat, trick, rng, seen)
        for event in table.play(seat, move):
            match event:
                case CardPlayed():
                    trick.append(event.card)
                case TrickTaken():
                    assert event.cards == tuple(trick)
                    assert event.trump == referee.trump_of(trick[0])
                    leader = (seat + 1) % seats
                    assert event.seat == (leader + referee.taker(trick)) % seats
                    taken[event.seat].append(trick)
                    trick = []
                case DealScored():
                    compare_score(event, taken, totals, suitless, seen)
                    totals = list(event.totals)
                    taken = [[] for _ in range(seats)]
                    last = list(event.points)
                case _:
                    continue
    assert list(RULESET.outcome(table.state).winners) == referee.winners(totals, last)


def compare_decision(
    state: HeartsAndMindsState, seat: int, trick: list[str], rng: random.Random, seen: Counter[str]
) -> Any:
    legal = RULESET.legal_moves(state, seat)
    seen["decisions"] += 1
    for refusal in legal.refused:
        seen[refusal.rule] += 1
    if state.phase == "goal":
        allowed = {move.goal for move in legal.moves}
        assert allowed == set(referee.legal_goals(list(state.used[seat])))
    else:
        hand = list(DECKS[state.seats].listed(state.hands[seat]))
        bound = state.goals[seat] in BOUND
        allowed = {move.card for move in legal.moves}
        assert allowed == set(referee.legal(hand, trick, bound)), (hand, trick, bound)
    return rng.choice(legal.moves)


def compare_score(
    event: DealScored,
    taken: list[list[list[str]]],
    before: list[int],
    suitless: Any,
    seen: Counter[str],
) -> None:
    points = referee.score(list(event.goals), taken, suitless)
    assert list(event.points) == list(points), (event, taken)
    assert list(event.totals) == list(referee.totals(before, list(points)))
    seen["deals"] += 1
    seen.update(set(event.goals))
    seen["held at 0"] += sum(old + new < 0 for old, new in zip(before, points, strict=True))


@pytest.mark.parametrize("seats", [3, 4])
def test_the_decks_are_the_same(seats: int) -> None:
    assert set(referee.deck(seats)) == set(DECKS[seats].codes)
