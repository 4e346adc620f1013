"""What the bot of Hearts does at the table, and that it does nothing it may not."""

import ast
import pkgutil
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain import kernel
from domain.card_games.cards import FRENCH, CardSet, members
from domain.card_games.tricks import PlayCard
from domain.rulesets.hearts import HEARTS
from domain.rulesets.hearts.model import HeartsMove, HeartsState, Trick
from domain.rulesets.hearts.rules import legal_card_set
from tests.chances import QuickChance
from tests.tables import some_move
from tests.workers.strength import advantages, interval, seen
from workers import bots
from workers.bots import hearts, uniform

LEVELS = ("easy", "normal", "hard")
SEED = b"seed" * 8


def cards(codes: str) -> CardSet:
    return FRENCH.set_of(codes.split())


def at_table(
    hand: str, table: str = "", *, taken: str = "", seat: int = 3, broken: bool = True
) -> HeartsState:
    """`seat` is to play `hand` after `table`; `taken` are four cards of an earlier trick."""
    played = tuple(FRENCH.card(code) for code in table.split())
    hands = [0, 0, 0, 0]
    hands[seat] = cards(hand)
    return HeartsState(
        target_score=100,
        deal=1,
        hands=tuple(hands),
        leader=(seat - len(played)) % 4,
        trick_cards=played,
        tricks=(Trick(0, tuple(FRENCH.card(c) for c in taken.split()), 0, 0),) if taken else (),
        broken=broken,
    )


def chosen(state: HeartsState, seat: int = 3, level: str = "normal") -> str:
    view = seen(state, seat, level)
    return str(hearts.choose(view, view["legal_moves"], SEED)["card"])


def passing(hand: str) -> set[str]:
    state = HeartsState(target_score=100, deal=1, direction="left", hands=(cards(hand),) * 4)
    view = seen(state, 0)
    return set(hearts.choose(view, view["legal_moves"], SEED)["cards"])


OTHERS = "2D 3D 4D 5D"


@pytest.mark.parametrize("level", LEVELS)
def test_a01_void_on_the_first_trick_plays_the_one_harmless_card(level: str) -> None:
    hand = "QS 3H 4H 5H 6H 7H 8H 9H TH JH QH KH 7D"
    state = at_table(hand, "2C", broken=False)

    assert chosen(state, level=level) == "7D"


def test_sheds_the_queen_when_void() -> None:
    assert chosen(at_table("QS AH KD", "3C 4C 5C", taken=OTHERS)) == "QS"


def test_plays_the_queen_under_the_king() -> None:
    assert chosen(at_table("QS 2S 3S", "KS 4S 5S", taken=OTHERS)) == "QS"


def test_keeps_the_queen_back_where_she_would_take() -> None:
    assert chosen(at_table("QS 2S AS", "4S JS 5S", taken=OTHERS)) != "QS"


def test_ducks_with_the_highest_card_that_ducks() -> None:
    assert chosen(at_table("2H 7H KH", "8H 9H 4H", taken=OTHERS)) == "7H"


def test_takes_a_harmless_last_place_with_a_high_card() -> None:
    assert chosen(at_table("2C KC", "TC 4C 9C", taken=OTHERS)) == "KC"


def test_leads_low_where_points_will_fall() -> None:
    assert chosen(at_table("3H 9H AH", taken=OTHERS)) == "3H"


def test_does_not_lead_a_high_spade_while_the_queen_is_out() -> None:
    assert chosen(at_table("AS KS 4D 3C", taken="2D 3D 5D 6D")) in {"4D", "3C"}


def test_passes_unguarded_high_spades() -> None:
    assert passing("AS KS QS 2C 3C 4C 2D 3D 4D 2H 3H 4H 5H") == {"AS", "KS", "QS"}


def test_keeps_a_guarded_queen() -> None:
    assert "QS" not in passing("QS 2S 3S 4S 5S 6S AC KC AD KD AH 2C 3C")


def positions(hands: int, seed: int = 1) -> Iterator[tuple[HeartsState, int]]:
    """Every state a seat is asked in, in hands played by chance."""
    rng = random.Random(seed)
    for hand in range(hands):
        chance = QuickChance(seed * 1_000_000 + hand)
        start = HEARTS.initial(HEARTS.options(target_score=1), 4)
        state = msgspec.structs.replace(start, deal=hand % 4)

        def follow(state: HeartsState, chance: QuickChance = chance) -> Any:
            return HEARTS.consequence(state, chance)

        _, state = kernel.decide(state, follow(state), HEARTS.evolve, follow)
        while acting := HEARTS.to_act(state):
            for seat in acting:
                yield state, seat
            move = some_move(HEARTS, state, acting[0], rng)
            event = HEARTS.accept(state, acting[0], move)
            _, state = kernel.decide(state, event, HEARTS.evolve, follow)


@pytest.mark.parametrize("bot", [hearts, uniform])
def test_a28_always_a_legal_move_in_ten_thousand_states(bot: Any) -> None:
    single = 0
    for number, (state, seat) in enumerate(positions(180)):
        view = seen(state, seat, LEVELS[number % 3])
        body = bot.choose(view, view["legal_moves"], number.to_bytes(32, "big"))
        HEARTS.accept(state, seat, msgspec.convert(body, HeartsMove))
        single += len(view["hand"]) == 1
    assert number > 10_000
    assert single > 500


@pytest.mark.parametrize("level", LEVELS)
def test_d12_the_cards_of_others_change_nothing(level: str) -> None:
    rng = random.Random(12)
    compared = 0
    for state, seat in positions(20, seed=2):
        other = permuted(state, seat, rng)
        view, same = seen(state, seat, level), seen(other, seat, level)
        seed = rng.randbytes(32)
        assert view == same
        assert hearts.choose(view, view["legal_moves"], seed) == hearts.choose(
            same, same["legal_moves"], seed
        )
        compared += other.hands != state.hands
    assert compared > 1_000


def permuted(state: HeartsState, seat: int, rng: random.Random) -> HeartsState:
    """The unseen cards dealt anew among the other hands."""
    others = [n for n in range(4) if n != seat]
    unseen = [card for n in others for card in members(state.hands[n])]
    rng.shuffle(unseen)
    hands = list(state.hands)
    for n in others:
        count = hands[n].bit_count()
        hands[n] = sum(unseen[:count])
        del unseen[:count]
    return msgspec.structs.replace(state, hands=tuple(hands))


def test_d12_a_bot_imports_domain_only() -> None:
    for module in pkgutil.iter_modules(bots.__path__):
        source = Path(bots.__path__[0], f"{module.name}.py").read_text()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom):
                root = str(node.module).partition(".")[0]
                pure = {"collections", "dataclasses", "math", "typing"}
                assert root in {"domain", "workers"} | pure
                assert root != "workers" or str(node.module).startswith("workers.bots")
            assert not isinstance(node, ast.Import)


def test_the_same_seed_gives_the_same_choice_and_another_may_not() -> None:
    state = at_table("2C 3D 4S 5H 6C 7D 8S", taken=OTHERS.replace("3D", "9D"))
    view = seen(state, 3, "easy")
    choices = [hearts.choose(view, view["legal_moves"], bytes([n]) * 32)["card"] for n in range(40)]

    assert choices == [
        hearts.choose(view, view["legal_moves"], bytes([n]) * 32)["card"] for n in range(40)
    ]
    assert len(set(choices)) > 1


def test_the_uniform_bot_favours_no_legal_move() -> None:
    state = at_table("2C 3C 4C 5C", "TC", taken=OTHERS)
    legal = [PlayCard(answers="d1.t2", card=c) for c in FRENCH.listed(legal_card_set(state, 3))]
    bodies = msgspec.to_builtins(legal)
    found = [uniform.choose({}, bodies, n.to_bytes(32, "big"))["card"] for n in range(4000)]

    assert all(900 < found.count(card) < 1100 for card in ("2C", "3C", "4C", "5C"))


@pytest.mark.slow
def test_plays_five_points_a_hand_better_than_by_chance() -> None:
    mean, margin = interval(advantages(hearts.choose, uniform.choose, 150))

    assert mean - margin > 5
