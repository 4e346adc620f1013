"""What the bot of Hearts and Minds does at the table, and that it does nothing it may not."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import kernel
from domain.card_games.cards import members
from domain.rulesets.hearts_and_minds import HEARTS_AND_MINDS as RULESET
from domain.rulesets.hearts_and_minds.model import GOALS, Goal, HeartsAndMindsState
from tests.chances import QuickChance
from tests.domain.hearts_and_minds.given import DIET, HEARTLESS, LEAST, MINDLESS, MOST, position
from tests.tables import some_move
from tests.workers.hearts_and_minds_strength import interval, seen, totals_of, uniform
from workers.bots import hearts_and_minds as bot

LEVELS = ("easy", "normal", "hard")
SEED = b"seed" * 8
MOVES: Any = RULESET.move_type


def chosen(goal: Goal, hand: str, table: str, *, trick: int = 4, leader: int = 0) -> str:
    """The card seat 3 plays after the three that lie there, or leads."""
    others: tuple[Goal, ...] = (DIET, DIET, DIET)
    goals = (*others, goal)
    state = position(hands={3: hand}, table=table, goals=goals, trick=trick, leader=leader)
    view = seen(state, 3)
    return str(bot.choose(view, view["legal_moves"], SEED)["card"])


def goal_for(hand: str, *, used: tuple[Goal, ...] = ()) -> str:
    base = position(hands={0: hand, 1: "", 2: "", 3: ""}, goals=(MOST,) * 4, trick=1)
    state = replace(
        base, picks=(None,) * 4, used=(used, (), (), ()), leader=None, deal=1 + len(used)
    )
    view = seen(state, 0)
    return str(bot.choose(view, view["legal_moves"], SEED)["goal"])


def test_takes_hearts_and_minds_for_the_most_of_them() -> None:
    assert chosen(MOST, "2H 9H", "7H 3H 8H") == "9H"


def test_leaves_thoughts_and_prayers_to_others() -> None:
    assert chosen(MOST, "2T 9T 3H 3M", "7T 3P 8T") == "2T"


def test_takes_tricks_without_thoughts_and_prayers_for_the_least_of_them() -> None:
    assert chosen(LEAST, "2H 9H", "7H 3H 8H") == "9H"


def test_takes_no_trick_while_it_has_none_for_a_balanced_diet() -> None:
    assert chosen(DIET, "2H 9H", "7H 3H 8H", trick=1) == "2H"


def test_ducks_with_the_highest_card_that_ducks() -> None:
    assert chosen(DIET, "2H 6H 9H", "7H 3H 8H", trick=1) == "6H"


@pytest.mark.parametrize(("goal", "suit"), [(HEARTLESS, "H"), (MINDLESS, "M")])
def test_leads_away_from_the_suit_it_shuns(goal: Goal, suit: str) -> None:
    other = {"H": "M", "M": "H"}[suit]
    assert chosen(goal, f"1{other} 10{suit}", "", leader=3, trick=1) == f"1{other}"


def test_low_hearts_make_it_heartless_and_high_ones_do_not() -> None:
    assert goal_for("1H 2H 1M 5M 4T 6T 7T 2P 1P 3P") in {HEARTLESS, DIET}
    assert goal_for("10H 9H 8H 10M 9M 8M 10P 10T 9P 1T") in {MOST, LEAST}


def test_a_used_goal_is_not_chosen_again() -> None:
    hand = "10H 9H 8H 10M 9M 8M 10P 10T 9P 1T"
    first = goal_for(hand)
    assert goal_for(hand, used=(first,)) != first  # type: ignore[arg-type]


def positions(games: int, seed: int = 1) -> Iterator[tuple[HeartsAndMindsState, int]]:
    """Every state a seat is asked in, in games played by chance."""
    rng = random.Random(seed)
    for game in range(games):
        chance = QuickChance(seed * 1_000_000 + game)

        def follow(state: HeartsAndMindsState, chance: QuickChance = chance) -> Any:
            event = RULESET.consequence(state, chance)
            chance.note(event)
            return event

        state = RULESET.initial(RULESET.options(), 3 + game % 2)
        _, state = kernel.decide(state, follow(state), RULESET.evolve, follow)
        while acting := RULESET.to_act(state):
            for seat in acting:
                yield state, seat
            seat = rng.choice(acting)
            event = RULESET.accept(state, seat, some_move(RULESET, state, seat, rng))
            _, state = kernel.decide(state, event, RULESET.evolve, follow)


def test_a28_always_a_legal_move_in_ten_thousand_states() -> None:
    single = number = 0
    for number, (state, seat) in enumerate(positions(60)):
        view = seen(state, seat, LEVELS[number % 3])
        body = bot.choose(view, view["legal_moves"], number.to_bytes(32, "big"))
        RULESET.accept(state, seat, msgspec.convert(body, MOVES))
        single += len(view["hand"]) == 1
    assert number > 10_000
    assert single > 500


@pytest.mark.parametrize("level", LEVELS)
def test_d12_the_hands_and_the_picks_of_others_change_nothing(level: str) -> None:
    rng = random.Random(12)
    compared = 0
    for state, seat in positions(8, seed=2):
        other = permuted(state, seat, rng)
        view, same = seen(state, seat, level), seen(other, seat, level)
        seed = rng.randbytes(32)
        assert view == same
        assert bot.choose(view, view["legal_moves"], seed) == bot.choose(
            same, same["legal_moves"], seed
        )
        compared += other != state
    assert compared > 1_000


def permuted(state: HeartsAndMindsState, seat: int, rng: random.Random) -> HeartsAndMindsState:
    """The unseen cards dealt anew among the other hands, and other goals under their cards."""
    others = [n for n in range(state.seats) if n != seat]
    unseen = [card for n in others for card in members(state.hands[n])]
    rng.shuffle(unseen)
    hands, picks = list(state.hands), list(state.picks)
    for n in others:
        count = hands[n].bit_count()
        hands[n] = sum(unseen[:count])
        del unseen[:count]
        if state.leader is None and picks[n] is not None:
            picks[n] = rng.choice([goal for goal in GOALS if goal not in state.used[n]])
    return replace(state, hands=tuple(hands), picks=tuple(picks))


def test_d12_the_bot_imports_domain_only() -> None:
    for node in ast.walk(ast.parse(Path(bot.__file__).read_text())):
        if isinstance(node, ast.ImportFrom):
            root = str(node.module).partition(".")[0]
            assert root in {"domain", "collections", "dataclasses", "typing"}
        assert not isinstance(node, ast.Import)


def test_the_same_seed_gives_the_same_choice_and_another_may_not() -> None:
    state = position(hands={3: "2H 5H 9H"}, table="7H 3H 8H", goals=(DIET, DIET, DIET, MOST))
    view = seen(state, 3, "easy")
    choices = [bot.choose(view, view["legal_moves"], bytes([n]) * 32) for n in range(40)]
    again = [bot.choose(view, view["legal_moves"], bytes([n]) * 32) for n in range(40)]
    assert choices == again
    assert len({choice["card"] for choice in choices}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_scores_three_points_a_game_more_than_by_chance(seats: int) -> None:
    by_bot, margin = interval(totals_of(bot.choose, uniform, seats, 40))
    by_chance, _ = interval(totals_of(uniform, uniform, seats, 40))
    assert by_bot - margin > by_chance + 3
