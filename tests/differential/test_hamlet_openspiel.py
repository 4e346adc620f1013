"""OpenSpiel as a referee of Hamlet: seat to act, legal bids and cards at every decision, points.

It knows every deal of 17 tricks down to 1 with three seats, of 12 down to 1 with four, and of 13
with four where the trump suit is given to it. It knows no deal without trump. DEALS=20000 in the
environment plays more than the default. One deal in three is nearly sorted, so that long suits
and voids occur.
"""

import os
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyspiel
import pytest
from msgspec.structs import replace

from domain import kernel
from domain.card_games.tricks import PlayCard
from domain.chance import Draw
from domain.registry import find
from domain.rulesets.hamlet.model import (
    DealScored,
    Dealt,
    HamletEvent,
    HamletOptions,
    HamletState,
    PlaceBid,
)
from tests.chances import QuickChance

DEALS = int(os.environ.get("DEALS", "6000"))
RULESET: Any = find("hamlet@1")
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "CDSH"]
NUMBERS = {code: number for number, code in enumerate(CODES)}
FIRST_BID = 52

FULL = [(3, 17), (4, 13)]
UP_DOWN = [(3, size) for size in range(1, 18)] + [(4, size) for size in range(1, 14)]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "size"), FULL)
def test_every_full_deal_agrees_with_openspiel_at_every_decision(seats: int, size: int) -> None:
    compare(HamletOptions(deals=99), seats, size, DEALS // 6)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "size"), UP_DOWN)
def test_every_deal_of_up_and_down_agrees_with_openspiel(seats: int, size: int) -> None:
    compare(HamletOptions(pattern="up_down"), seats, size, 2 * DEALS // 3 // len(UP_DOWN) + 1)


def compare(options: HamletOptions, seats: int, size: int, count: int) -> None:
    rng = random.Random(seats * 100 + size)
    game = pyspiel.load_game(
        "oh_hell",
        {
            "players": seats,
            "num_tricks_fixed": size,
            "off_bid_penalty": True,
            "points_per_trick": 1,
        },
    )
    seen: Counter[str] = Counter()
    for number in range(count):
        dealer = rng.randrange(seats)
        state, dealing = dealt(options, seats, size, dealer, deck_order(number, rng))
        seen += compare_one_deal(state, dealing, game.new_initial_state(), rng)
    assert seen["deals"] == count
    assert seen["forbidden"] > count // 4
    assert size == 1 or seen["refused"] > count // 20


def deck_order(number: int, rng: random.Random) -> list[str]:
    """Shuffled well; or four whole suits, of which a few cards change places."""
    suits = rng.sample("CDHS", 4)
    order = [rank + suit for rank in rng.sample("23456789TJQKA", 13) for suit in suits]
    if number % 3:
        rng.shuffle(order)
        return order
    for _ in range(rng.randrange(9)):
        i, j = rng.randrange(52), rng.randrange(52)
        order[i], order[j] = order[j], order[i]
    return order


def compare_one_deal(
    state: HamletState, dealing: Dealt, spiel: Any, rng: random.Random
) -> Counter[str]:
    deal_to_spiel(dealing, spiel)
    seen = Counter(deals=1)
    while True:
        (seat,) = RULESET.to_act(state)
        legal = RULESET.legal_moves(state, seat)
        assert spiel.current_player() == seat
        assert sorted(map(action, legal.moves)) == spiel.legal_actions()
        if state.phase == "bid":
            modest = 2 * dealing.size // len(dealing.hands) + 1
            move = rng.choice(legal.moves[: rng.choice([modest, None])])
            seen["forbidden"] += len(legal.refused)
            everything = {*legal.moves, *(refusal.move for refusal in legal.refused)}
            assert {move.bid for move in everything} == set(range(dealing.size + 1))
        else:
            move = rng.choice(legal.moves)
            seen["refused"] += len(legal.refused) > 0
        spiel.apply_action_with_legality_check(action(move))
        events, state = decided(state, seat, move)
        if isinstance(scored := events[-1], DealScored):
            break
    assert spiel.is_terminal()
    assert tuple(spiel.returns()) == scored.points
    return seen


def deal_to_spiel(dealing: Dealt, spiel: Any) -> None:
    """Tricks, dealer, the hands round robin from seat 0, the card turned up. With nothing left to
    turn up it takes any card of the trump suit, so long as nobody checks."""
    spiel.apply_action(spiel.legal_actions()[0])
    spiel.apply_action(dealing.dealer)
    for cards in zip(*dealing.hands, strict=True):
        for code in cards:
            spiel.apply_action_with_legality_check(NUMBERS[code])
    assert dealing.turned
    spiel.apply_action(NUMBERS[dealing.turned])


def action(move: PlaceBid | PlayCard) -> int:
    return FIRST_BID + move.bid if isinstance(move, PlaceBid) else NUMBERS[move.card]


class Arranged(QuickChance):
    def __init__(self, order: Sequence[str]) -> None:
        super().__init__(seed=0)
        self.order = tuple(order)

    def shuffle(self, purpose: str, deck: Sequence[Any]) -> tuple[tuple[Any, ...], Draw]:
        return self.order, self._draw(purpose)


NO_CHANCE = QuickChance(0)


def dealt(
    options: HamletOptions, seats: int, size: int, dealer: int, order: list[str]
) -> tuple[HamletState, Dealt]:
    """A deal of `size` tricks by `dealer`, after others that nobody has seen."""
    before = RULESET.initial(options, seats)
    earlier = size - 1 if options.pattern == "up_down" else 7
    last_dealer = (dealer - 1) % seats if earlier else dealer
    before = replace(before, deal=earlier, dealer=last_dealer)
    event = RULESET.consequence(before, Arranged(order))
    assert isinstance(event, Dealt)
    assert (event.size, event.dealer) == (size, dealer)
    return RULESET.evolve(before, event), event


def decided(
    state: HamletState, seat: int, move: PlaceBid | PlayCard
) -> tuple[tuple[HamletEvent, ...], HamletState]:
    """One move and what follows from it, up to the end of the deal."""
    return kernel.decide(
        state,
        RULESET.accept(state, seat, move),
        RULESET.evolve,
        lambda s: None if s.phase == "dealing" else RULESET.consequence(s, NO_CHANCE),
    )
