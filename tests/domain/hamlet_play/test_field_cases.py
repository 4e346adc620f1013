"""Faults from the field (FIELD_CASES), each by its number."""

import random

import pytest

from domain.chance import CHAIN_LENGTH
from domain.kernel import IntegrityError
from domain.rulesets.hamlet_play.engine.consequences import consequence
from domain.rulesets.hamlet_play.model import ActionTaken, DieRolled, PlayStopped, TakeAction
from events.commands import CommandResult
from events.log.memory import MemoryStore
from events.transcript import transcript
from tests.chances import QuickChance, TableChance
from tests.domain.hamlet_play.given import (
    RULESET,
    accepted,
    action,
    legal,
    only,
    options,
    position,
    take,
    tiny,
    told,
)
from tests.events.playing import ANN, BEN, OPEN, House
from tests.tables import Table, some_move

SEATS = (OPEN, OPEN)
IDLE = "horatio.season-your-admiration"


def test_a24_no_possible_action_ends_the_game_at_once_without_winners() -> None:
    cards = action("ophelia", "last", 'results = [{ does = "kill", persona = "ophelia" }]')
    events, after = take(position(cards, act=2, dead="horatio hamlet laertes"), "ophelia.last")
    assert only(events, PlayStopped).reason == "no-possible-action"
    assert RULESET.outcome(after).winners == ()


def test_a24_where_only_an_action_already_taken_is_possible_it_is_listed() -> None:
    assert legal(position(act=2, taken=[IDLE], dead="hamlet ophelia laertes")) == [IDLE]


@pytest.mark.parametrize(
    "seats",
    [2, *(pytest.param(seats, marks=pytest.mark.uncounted) for seats in RULESET.seat_counts[1:])],
)
def test_a24_games_of_any_moves_end_within_a_fixed_number_of_events(seats: int) -> None:
    actions = seats * (15 if seats <= 3 else 10)
    for seed in range(150):
        rng = random.Random(seed)
        table = Table(RULESET, QuickChance(seed), seats=seats, options=options(tiny()))
        while table.waiting_for:
            seat = table.waiting_for[0]
            table.play(seat, some_move(RULESET, table.state, seat, rng))
            assert sum(isinstance(e, ActionTaken) for e in table.log) <= actions
        assert RULESET.outcome(table.state) is not None
        assert len(table.log) <= 3 + actions * 8 + seats * 5 * 6 + 5 * 6


def test_a25_an_action_at_the_end_of_a_slider_is_legal_and_counts() -> None:
    cards = action(
        "horatio",
        "comforts",
        'results = [{ does = "move-track", track = "ophelia.sanity", by = 1 }]',
    )
    state = position(cards, act=2, tracks={"ophelia.sanity": 6})
    assert "horatio.comforts" in legal(state)
    events, after = take(state, "horatio.comforts")
    assert events == ()
    assert after.board.tracks["ophelia.sanity"] == 6
    assert after.taken == ("horatio.comforts",)


def test_a25_an_action_with_a_dead_and_a_living_target_changes_the_living_one_only() -> None:
    cards = action(
        "horatio",
        "teaches-both",
        """results = [
  { does = "move-track", track = "hamlet.swordplay", by = 1 },
  { does = "move-track", track = "laertes.swordplay", by = 1 },
]""",
    )
    events, after = take(position(cards, dead="hamlet"), "horatio.teaches-both")
    assert told(events) == ["track-moved"]
    assert after.board.tracks["hamlet.swordplay"] == 3
    assert after.board.tracks["laertes.swordplay"] == 3


def test_d08_the_die_is_the_same_however_often_it_is_asked_for() -> None:
    state = position(act=2, at="hamlet.england")
    after = RULESET.evolve(state, accepted(state, "hamlet.pirates"))
    after = RULESET.evolve(after, consequence(after, QuickChance(0)))
    chance = TableChance("d08").next()
    rolls = {str(consequence(after, chance)) for _ in range(5)}
    assert len(rolls) == 1
    rolled = consequence(after, chance)
    assert isinstance(rolled, DieRolled)
    with pytest.raises(IntegrityError):
        RULESET.evolve(RULESET.evolve(after, rolled), rolled)


def test_d08_a_retry_a_conflict_and_a_crash_before_the_answer_give_the_same_die() -> None:
    """Laertes goes to France as the first Scene's last action, so a die is rolled."""
    faces = []
    for way in ("once", "retry", "crash"):
        house = House(MemoryStore(), root=b"d" * 32)
        game = house.open(ruleset="hamlet_play", seats=SEATS, key="the game", card_set="tiny").game
        house.sit(game, ANN, 0, key="ann", entropy="00" * 16)
        house.sit(game, BEN, 1, key="ben", entropy="11" * 16)
        first = house.table(game).state.current
        sends(house, game, first, "a1.s1.x1", IDLE)
        answer = sends(house, game, first, "a1.s1.x2", "laertes.to-france")
        if way == "retry":
            again = sends(house, game, first, "a1.s1.x2", "laertes.to-france")
            assert again.events == answer.events
        if way == "crash":
            house = House(house.store, root=b"another root that is not used!!!"[:32])
            again = sends(house, game, first, "a1.s1.x2", "laertes.to-france")
            assert again.events == answer.events
        faces.append(dice_of(house, game))
    assert faces[0] == faces[1] == faces[2]
    assert len(faces[0]) == 1


def sends(house: House, game: str, seat: int, asked: str, ref: str) -> CommandResult:
    return house.play(game, seat, TakeAction(answers=asked, action=ref), key=asked)


def dice_of(house: House, game: str) -> list[str]:
    return [line for line in transcript(house.store.read(game)) if "a die shows" in line]


def test_no_game_of_the_tiny_set_can_need_more_draws_than_a_chain_has() -> None:
    most = [RULESET.max_draws(options(tiny()), seats) for seats in RULESET.seat_counts]
    assert most == [1 + 2 * seats * 15 + 5 * seats for seats in (2, 3)] + [
        1 + 2 * seats * 10 + 5 * seats for seats in (4, 5, 6, 7, 8)
    ]
    assert max(most) < CHAIN_LENGTH
