"""OpenSpiel as a referee of Hearts: seat to act, legal cards and points at every decision.

HANDS=20000 in the environment plays more than the default. One deal in three is nearly sorted, so
that hands of nothing but points, long suits and moons occur.
"""

import os
import random
from collections.abc import Sequence
from typing import Any

import pyspiel
import pytest

from domain import kernel
from domain.card_games.cards import FRENCH
from domain.card_games.tricks import PlayCard
from domain.chance import Draw
from domain.kernel import Choice
from domain.registry import find
from domain.rulesets.hearts.model import (
    DealScored,
    Dealt,
    HeartsEvent,
    HeartsState,
    PassCards,
)
from tests.chances import QuickChance

HANDS = int(os.environ.get("HANDS", "2000"))
RULESET: Any = find("hearts@1")
SPIEL = pyspiel.load_game("hearts", {"qs_breaks_hearts": False})
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
NUMBERS = {code: number for number, code in enumerate(CODES)}
DIRECTIONS = {"none": 0, "left": 1, "across": 2, "right": 3}


@pytest.mark.slow
def test_every_hand_agrees_with_openspiel_at_every_decision() -> None:
    rng = random.Random(3)
    moons, first_trick_points = 0, 0
    for number in range(HANDS):
        scored, points_on_trick_1 = compare_one_hand(number % 4 + 1, deck_order(number, rng), rng)
        moons += scored.moon is not None
        first_trick_points += points_on_trick_1
    assert moons > HANDS // 200
    assert first_trick_points > HANDS // 200


def deck_order(number: int, rng: random.Random) -> list[str]:
    """Shuffled well; or four whole suits, of which a few cards change places."""
    suits = rng.sample("CDHS", 4)
    order = [rank + suit for rank in "23456789TJQKA" for suit in suits]
    if number % 3:
        rng.shuffle(order)
        return order
    for _ in range(rng.randrange(5)):
        i, j = rng.randrange(52), rng.randrange(52)
        order[i], order[j] = order[j], order[i]
    return order


def compare_one_hand(deal: int, order: list[str], rng: random.Random) -> tuple[DealScored, bool]:
    state, dealing = dealt(deal, order)
    spiel = SPIEL.new_initial_state()
    spiel.apply_action(DIRECTIONS[dealing.direction])
    for code in order:
        spiel.apply_action(NUMBERS[code])
    if dealing.direction != "none":
        state = compare_pass(state, spiel, rng)
    points_on_trick_1 = False
    while True:
        (seat,) = RULESET.to_act(state)
        legal = RULESET.legal_moves(state, seat).moves
        assert spiel.current_player() == seat
        assert sorted(NUMBERS[m.card] for m in legal) == spiel.legal_actions()
        move = rng.choice(legal)
        points_on_trick_1 |= not state.tricks and (move.card == "QS" or move.card[1] == "H")
        spiel.apply_action_with_legality_check(NUMBERS[move.card])
        events, state = decided(state, seat, move)
        if isinstance(scored := events[-1], DealScored):
            break
    assert spiel.is_terminal()
    assert tuple(spiel.returns()) == tuple(26 - points for points in scored.points)
    return scored, points_on_trick_1


def compare_pass(state: HeartsState, spiel: pyspiel.State, rng: random.Random) -> HeartsState:
    picks = [rng.sample(FRENCH.listed(hand), 3) for hand in state.hands]
    for seat, pick in enumerate(picks):
        (choice,) = RULESET.legal_moves(state, seat).moves
        assert isinstance(choice, Choice)
        assert spiel.current_player() == seat
        assert sorted(NUMBERS[code] for code in choice.of) == spiel.legal_actions()
        for code in pick:
            spiel.apply_action_with_legality_check(NUMBERS[code])
    for seat in rng.sample(range(4), 4):
        _, state = decided(state, seat, PassCards(answers="pass", cards=tuple(picks[seat])))
    return state


class Arranged(QuickChance):
    def __init__(self, order: Sequence[str]) -> None:
        super().__init__(seed=0)
        self.order = tuple(order)

    def shuffle(self, purpose: str, deck: Sequence[Any]) -> tuple[tuple[Any, ...], Draw]:
        return self.order, self._draw(purpose)


NO_CHANCE = QuickChance(0)


def dealt(deal: int, order: list[str]) -> tuple[HeartsState, Dealt]:
    before = HeartsState(target_score=1000, deal=deal - 1)
    event = RULESET.consequence(before, Arranged(order))
    assert isinstance(event, Dealt)
    return RULESET.evolve(before, event), event


def decided(
    state: HeartsState, seat: int, move: PassCards | PlayCard
) -> tuple[tuple[HeartsEvent, ...], HeartsState]:
    """One move and what follows from it, up to the end of the deal."""
    return kernel.decide(
        state,
        RULESET.accept(state, seat, move),
        RULESET.evolve,
        lambda s: None if s.phase == "dealing" else RULESET.consequence(s, NO_CHANCE),
    )
