"""What the bot of Hamlet! does at the table, and that it knows no more than its seat."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.chance import TrialChance, below, words
from domain.rulesets.hamlet_play.analysis.soundness import every_ending
from domain.rulesets.hamlet_play.analysis.trials import after, begun, moves_of
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.model import HamletPlayState, HeldEnding
from domain.rulesets.hamlet_play.reach.relaxation import Move
from domain.visibility import Viewer
from service.cli.cardset.measure import seen
from tests.domain.hamlet_play.given import RULESET, house, position, tiny
from workers.bots import hamlet_play, uniform

LEVELS = ("easy", "normal", "hard")
SEED = b"seed" * 8


def view_of(state: HamletPlayState, seat: int, level: str = "normal") -> dict[str, Any]:
    """The view of a seat as the service makes it, as far as a bot may look at it."""
    legal = RULESET.legal_moves(state, seat)
    return msgspec.to_builtins(RULESET.view(state, Viewer(seat))) | {
        "ruleset": RULESET.id,
        "options": {"card_set": state.card_set, "card_set_digest": state.digest},
        "seat": seat,
        "seats": [{"seat": n, "kind": "bot", "level": level} for n in range(state.seats)],
        "legal_moves": msgspec.to_builtins(legal.moves),
    }


def table(own: str, cards: CardSet | None = None, **given: Any) -> HamletPlayState:
    """A table of the tiny set where everybody holds the ending `own`."""
    cards = cards or tiny()
    state = position(cards, **given)
    ending = next(one for one in every_ending(cards) if one.id == own)
    held = HeldEnding(id=own, lines=ending.lines)
    return replace(state, endings=(held,) * state.seats)


def choice(state: HamletPlayState, level: str = "normal", seed: bytes = SEED) -> Move:
    view = view_of(state, state.current, level)
    move = hamlet_play.choose(view, view["legal_moves"], seed)
    return Move(move["action"], move["choice"])


@pytest.mark.parametrize(
    ("own", "given", "action"),
    [
        ("wedding-bells", {}, "ophelia.wedding"),
        ("exile", {"act": 2}, "hamlet.to-england"),
        ("revenge", {"tracks": {"laertes.swordplay": 5}}, "laertes.unbated-point"),
        ("the-willow", {"tracks": {"ophelia.sanity": 1}}, "ophelia.the-brook"),
        ("a-quiet-cell", {"tracks": {"ophelia.sanity": 6}}, "ophelia.get-thee"),
    ],
)
def test_takes_the_last_step_to_its_own_ending(
    own: str, given: dict[str, Any], action: str
) -> None:
    assert choice(table(own, **given)).action == action


@pytest.mark.parametrize("seed", [bytes([n]) * 32 for n in range(8)])
def test_does_not_spoil_what_it_has(seed: bytes) -> None:
    state = table("exile", at="hamlet.england", act=2)
    assert choice(state, seed=seed).action not in {"hamlet.pirates", "laertes.unbated-point"}


def test_does_not_let_die_whom_its_ending_needs_alive() -> None:
    state = table("wedding-bells", tracks={"ophelia.sanity": 1})
    assert choice(state).action != "ophelia.the-brook"


def test_falls_back_to_the_common_ending_when_its_own_is_lost() -> None:
    given: dict[str, Any] = {"act": 3, "marks": "ophelia.insane", "tracks": {"ophelia.sanity": 1}}
    assert choice(table("wedding-bells", **given)).action in {
        "ophelia.the-brook",
        "hamlet.the-foils",
    }


def test_only_a_watchful_level_spoils_an_ending_that_another_may_hold() -> None:
    given: dict[str, Any] = {"dead": "hamlet", "tracks": {"laertes.swordplay": 5}, "scene": 2}
    state = table("exile", **given)
    assert choice(state, "hard") == Move("ophelia.flowers", "to-laertes")
    normal = {choice(state, "normal", bytes([n]) * 32) for n in range(20)}
    assert len(normal) > 1


# --- always legal, never more than it may know


def positions(games: int) -> Iterator[HamletPlayState]:
    """Every state a seat is asked in, in games of the house's card set played by chance."""
    cards = house()
    for number in range(games):
        stream, chance = words(bytes([number]), "bot", "positions"), TrialChance(bytes([number]))
        state = begun(cards, 2 + number % 4, ("regular", "difficult", "mixed")[number % 3], chance)
        while moves := moves_of(cards, state):
            yield state
            state = after(state, moves[below(len(moves), stream)], chance)


def test_a28_always_a_legal_move() -> None:
    asked = 0
    for asked, state in enumerate(positions(3)):
        view = view_of(state, state.current, LEVELS[asked % 3])
        body = hamlet_play.choose(view, view["legal_moves"], asked.to_bytes(32, "big"))
        RULESET.accept(state, state.current, msgspec.convert(body, RULESET.move_type))
    assert asked > 80


@pytest.mark.parametrize("level", LEVELS)
def test_d12_the_endings_of_others_change_nothing(level: str) -> None:
    for number, state in enumerate(positions(2)):
        mine = state.endings[state.current]
        pack = [one for one in every_ending(house()) if one.id != mine.id]
        others = [HeldEnding(id=one.id, lines=one.lines) for one in pack[number % 9 :]]
        others.insert(state.current, mine)
        other = replace(state, endings=tuple(others[: state.seats]))
        assert view_of(state, state.current, level) == view_of(other, state.current, level)
        if number % 9 == 0:
            assert choice(state, level) == choice(other, level)


def test_the_same_seed_gives_the_same_choice_and_another_may_not() -> None:
    state = table("paris", at="laertes.france")
    seeds = [bytes([n]) * 32 for n in range(30)]
    choices = [choice(state, "easy", seed) for seed in seeds]
    assert choices == [choice(state, "easy", seed) for seed in seeds]
    assert len(set(choices)) > 1


def test_a_trial_game_shows_the_bot_what_its_view_would() -> None:
    cards = house()
    for state in positions(4):
        assert hamlet_play.seen_in(view_of(state, state.current)) == seen(cards, state)


def test_without_the_card_set_it_plays_by_chance() -> None:
    state = table("exile")
    view = view_of(state, state.current)
    view["options"] = {"card_set": "lost@1", "card_set_digest": "00"}
    assert hamlet_play.choose(view, view["legal_moves"], SEED) in view["legal_moves"]


@pytest.mark.slow
def test_wins_far_more_often_than_a_player_by_chance() -> None:
    cards = house()
    won = [0, 0]
    for number in range(24):
        seed = bytes([number])
        chance, stream = TrialChance(seed), words(seed, "bot", "strength")
        state = begun(cards, 2, "regular", chance)
        while moves := moves_of(cards, state):
            if state.current == number % 2:
                move = hamlet_play.best(seen(cards, state), moves, stream, watchful=True)
            else:
                move = Move(*uniform.one_of([move._asdict() for move in moves], stream).values())
            state = after(state, move, chance)
        if not state.won_together:
            won[0] += number % 2 in (state.winners or ())
            won[1] += 1 - number % 2 in (state.winners or ())
    assert won[0] > 12
    assert won[0] > 4 * won[1]
