"""Figure 3: whole random hands from a dealt state, against OpenSpiel driven from Python."""

import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import pyspiel

from benchmarks.figure import Figure
from benchmarks.serving import Servers
from domain.card_games.cards import FRENCH, members
from domain.card_games.tricks import PlayCard
from domain.chance import Chain, ChainChance
from domain.kernel import decide
from domain.rulesets.hearts import HEARTS
from domain.rulesets.hearts.model import HeartsOptions, HeartsState, PassCards
from domain.rulesets.hearts.rules import legal_card_set

DEALT_STATES = 20
ROUNDS = 5
SECONDS = 1.0
PASS_LEFT = 1
DECK_SIZE = 52
CARDS_PASSED = 12


def figures(_servers: Servers) -> Iterable[Figure]:
    """Our hands go through `decide` and `evolve`, move by move, until the deal is scored."""
    states = [_dealt(seed) for seed in range(DEALT_STATES)]
    roots = [_dealt_by_openspiel(seed) for seed in range(DEALT_STATES)]
    rng = random.Random(3)  # noqa: S311 - moves for a measurement, not a draw
    ours = _rate(lambda n: _play_out(states[n % DEALT_STATES], rng))
    reference = _rate(lambda n: _play_out_openspiel(roots[n % DEALT_STATES], rng))
    yield Figure(
        figure=3,
        name="random hands of Hearts through decide and evolve, against OpenSpiel from Python",
        value=ours,
        reference=reference,
        ratio=ours / reference,
        target=0.1,
        unit="hands/s",
    )


class _NoMoreDraws:
    """A hand is played out without chance: the game of a one-point target ends with it."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a dealt hand asked for {name}")


def _dealt(seed: int) -> HeartsState:
    """Cards dealt and passed (three at random each), the holder of the two of clubs to lead."""
    rng = random.Random(seed)  # noqa: S311 - moves for a measurement, not a draw
    state = HEARTS.initial(HeartsOptions(target_score=1), 4)
    chance = ChainChance(Chain.derive("bench", seed.to_bytes(32, "big"), 1), 1, (), dict)
    while (event := HEARTS.consequence(state, chance)) is not None:
        state = HEARTS.evolve(state, event)
    for seat in HEARTS.to_act(state):
        cards = rng.sample(FRENCH.listed(state.hands[seat]), 3)
        move = PassCards(answers=str(HEARTS.question(state, seat)), cards=tuple(cards))
        state = HEARTS.evolve(state, HEARTS.accept(state, seat, move))
    swapped = HEARTS.consequence(state, chance)
    return HEARTS.evolve(state, swapped)


def _play_out(state: HeartsState, rng: random.Random) -> HeartsState:
    chance: Any = _NoMoreDraws()
    while to_act := HEARTS.to_act(state):
        seat = to_act[0]
        card = rng.choice(list(members(legal_card_set(state, seat))))
        question = HEARTS.question(state, seat)
        move = PlayCard(answers=str(question), card=FRENCH.code(card))
        event = HEARTS.accept(state, seat, move)
        _, state = decide(state, event, HEARTS.evolve, lambda s: HEARTS.consequence(s, chance))
    return state


def _dealt_by_openspiel(seed: int) -> Any:
    rng = random.Random(seed)  # noqa: S311 - moves for a measurement, not a draw
    state = pyspiel.load_game("hearts", {"qs_breaks_hearts": False}).new_initial_state()
    state.apply_action(PASS_LEFT)
    for _ in range(DECK_SIZE + CARDS_PASSED):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _play_out_openspiel(root: Any, rng: random.Random) -> Any:
    state = root.clone()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _rate(play: Callable[[int], object]) -> float:
    best = 0.0
    for _ in range(ROUNDS):
        hands, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS / ROUNDS:
            play(hands)
            hands += 1
        best = max(best, hands / spent)
    return best
