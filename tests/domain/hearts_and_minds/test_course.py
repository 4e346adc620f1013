"""The course of a game: leader, deals, goals, tricks and totals; facts that cannot follow."""

import itertools
from typing import Any

import msgspec
import pytest

from domain.card_games.tricks import PlayCard
from domain.kernel import IntegrityError
from domain.rulesets.hearts_and_minds.model import (
    DECKS,
    GOALS,
    DealScored,
    Dealt,
    Goal,
    GoalChosen,
    GoalsRevealed,
    HeartsAndMindsOptions,
    LeaderDrawn,
    ScriptedDeal,
    TrickTaken,
)
from domain.visibility import SPECTATOR, Viewer
from tests.chances import TableChance
from tests.domain.hearts_and_minds.given import (
    DIET,
    FOUR_SUITS,
    HEARTLESS,
    LEAST,
    MINDLESS,
    MOST,
    RULESET,
    choose,
    choose_all,
    deal_over,
    goal_move,
    new_table,
    only,
    play_all,
    play_out_deal,
    position,
    refused,
)
from tests.tables import Table

SUITS = ScriptedDeal(hands=tuple(tuple(hand.split()) for hand in FOUR_SUITS))
OPTIONS = HeartsAndMindsOptions()


def whole_game(seats: int, seed: int = 0) -> Table:
    table = new_table(seats, seed)
    for goal in (MOST, LEAST, DIET, MINDLESS):
        choose_all(table, [goal] * seats)
        play_out_deal(table)
    return table


# --- the course


def test_a_game_begins_with_its_leader_and_its_first_deal() -> None:
    leader, dealt = new_table().log
    assert isinstance(leader, LeaderDrawn)
    assert isinstance(dealt, Dealt)
    assert (dealt.deal, dealt.leader, dealt.draw.number) == (1, leader.leader, 2)
    assert [len(hand) for hand in dealt.hands] == [10] * 4


def test_three_seats_play_36_cards_without_the_tens() -> None:
    dealt = new_table(3).log[1]
    assert [len(hand) for hand in dealt.hands] == [12] * 3
    assert sorted(code for hand in dealt.hands for code in hand) == sorted(DECKS[3].codes)
    assert not any(code.startswith("10") for code in DECKS[3].codes)
    assert len(DECKS[4].codes) == 40


@pytest.mark.parametrize(("seats", "size"), [(3, 12), (4, 10)])
def test_cards_are_dealt_one_at_a_time_from_seat_0(seats: int, size: int) -> None:
    chance = TableChance("deal")
    chance.drawn = 1
    order, _ = chance.next().shuffle("d1.deal", DECKS[seats].codes)
    hands = Table(RULESET, TableChance("deal"), seats=seats).log[1].hands
    assert all(order[place] in hands[place % seats] for place in range(seats * size))


def test_goals_are_chosen_with_the_hand_and_the_leader_in_view() -> None:
    table = new_table()
    view = RULESET.view(table.state, Viewer(1))
    assert (view.phase, len(view.hand), view.leader) == ("goal", 10, table.log[0].leader)
    assert RULESET.question(table.state, 1) == "d1.goal"
    assert [m.goal for m in RULESET.legal_moves(table.state, 1).moves] == list(GOALS)


def test_what_is_asked_for_is_the_only_type_of_move_accepted() -> None:
    table = new_table()
    first = table.log[1].hands[0][0]
    card = PlayCard(answers="d1.goal", card=first)
    assert refused(table.state, 0, card).code == "wrong-move"
    state = position(hands={0: "1H"})
    assert refused(state, 0, goal_move(state, DIET)).code == "wrong-move"


@pytest.mark.parametrize("goal", ["", "most", "Heartless", "hearts"])
def test_a_goal_that_does_not_exist_is_no_move(goal: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(
            {"answers": "d1.goal", "type": "choose_goal", "goal": goal}, RULESET.move_type
        )


def test_questions_are_numbered_by_round_and_trick() -> None:
    table = new_table()
    choose_all(table, (MOST, LEAST, DIET, DIET))
    (seat,) = table.waiting_for
    assert RULESET.question(table.state, seat) == "d1.t1"
    play_out_deal(table)
    assert RULESET.question(table.state, 0) == "d2.goal"


def one_suit_each(goals: tuple[Goal, ...]) -> Table:
    """A round in which seat 2 leads and each seat holds one suit: 1 and 2 trump each other."""
    deal = msgspec.structs.replace(SUITS, leader=2)
    table = new_table(script=RULESET.script_draws(OPTIONS, 4, 1, [deal]))
    choose_all(table, goals)
    # Thoughts led, Minds are trump: seat 1 takes it, and then leads Minds, Thoughts being trump.
    events = play_all(table, "1T 1P 1H 1M" + " 2M 2T 2P 2H" + " 3T 3P 3H 3M")
    taken = [e for e in events if isinstance(e, TrickTaken)]
    assert [(e.seat, e.trump) for e in taken] == [(1, "M"), (2, "T"), (1, "M")]
    for n in range(4, 11):
        play_all(table, f"{n}M {n}T {n}P {n}H" if n % 2 == 0 else f"{n}T {n}P {n}H {n}M")
    return table


def test_a_whole_round_by_hand() -> None:
    table = one_suit_each((HEARTLESS, LEAST, DIET, MOST))
    scored = only(table.log, DealScored)
    assert scored.tricks == (0, 5, 5, 0)
    assert scored.taken[0] == scored.taken[3]
    assert msgspec.to_builtins(scored.taken[1]) == {
        "hearts": 5, "minds": 5, "thoughts": 5, "prayers": 5
    }  # fmt: skip
    # Heartless without Hearts +3; five tricks -3, for seat 0 has none; diet +3; most missed -1.
    assert scored.points == (3, 2, 3, -1)
    assert scored.totals == (3, 2, 3, 0)
    assert table.state.deal == 2


@pytest.mark.parametrize(("idle", "score"), [(MOST, -1), (LEAST, -3), (DIET, 3), (MINDLESS, 3)])
def test_hm_9_both_scorers_see_a_seat_that_took_no_trick(idle: Goal, score: int) -> None:
    table = one_suit_each((idle, DIET, DIET, idle))
    assert only(table.log, DealScored).points == (score, 3, 3, score)
    first, second = RULESET.score_lines(table.state), RULESET.recount(table.facts)
    assert tuple(msgspec.structs.replace(line, versions=()) for line in second) == first
    assert {line.ruling for line in first if line.seat == 0} & {"HM-9"}


@pytest.mark.parametrize(("seats", "tricks"), [(3, 12), (4, 10)])
def test_a19_a_deal_is_scored_once_directly_after_its_last_trick(seats: int, tricks: int) -> None:
    log = whole_game(seats).log
    places = [place for place, event in enumerate(log) if isinstance(event, DealScored)]
    assert len(places) == 4
    for place in places:
        assert isinstance(log[place - 1], TrickTaken)
        assert log[place - 1].trick == tricks
    assert sum(isinstance(event, TrickTaken) for event in log) == 4 * tricks
    for scored in (event for event in log if isinstance(event, DealScored)):
        assert sum(scored.tricks) == tricks


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_b11_goals_come_to_the_same_in_whatever_order_they_arrive(order: tuple[int, ...]) -> None:
    goals: tuple[Goal, ...] = (MOST, LEAST, DIET, MINDLESS)
    table = new_table(seed=4)
    asked = {seat: RULESET.question(table.state, seat) for seat in range(4)}
    for place, seat in enumerate(order):
        assert RULESET.question(table.state, seat) == asked[seat]
        choose(table, seat, goals[seat])
        assert len(table.waiting_for) == (3 - place or 1)
    same = new_table(seed=4)
    choose_all(same, goals)
    assert table.state == same.state
    assert only(table.log, GoalsRevealed).goals == goals


def test_a11_equal_in_total_and_last_round_is_a_win_for_all_of_them() -> None:
    script = [ScriptedDeal(hands=SUITS.hands) for _ in range(4)]
    table = new_table(script=RULESET.script_draws(OPTIONS, 4, 1, script))
    for goal in (MOST, LEAST, DIET, MINDLESS):
        choose_all(table, [goal] * 4)
        play_out_deal(table)
    outcome = RULESET.outcome(table.state)
    ends = [
        (total, last) for total, last in
        zip(table.state.totals, table.state.scored[-1].points, strict=True)
    ]  # fmt: skip
    assert outcome.winners == tuple(n for n, end in enumerate(ends) if end == max(ends))
    assert len(outcome.winners) == 2
    assert outcome.result == "draw"


@pytest.mark.parametrize("seats", [3, 4])
def test_a23_the_standings_say_that_the_higher_total_is_better(seats: int) -> None:
    table = whole_game(seats, seed=1)
    standings = RULESET.outcome(table.state).standings
    assert standings.better == "higher"
    assert standings.totals == table.state.totals
    best = min(range(seats), key=lambda seat: standings.ranks[seat])
    assert standings.totals[best] == max(standings.totals)
    assert RULESET.view(table.state, SPECTATOR).standings == standings


# --- facts that cannot follow (A21)


def test_a21_a_goal_used_twice_is_refused() -> None:
    table = new_table()
    choose_all(table, (MOST, LEAST, DIET, DIET))
    play_out_deal(table)
    again = GoalChosen(deal=2, seat=0, answers="d2.goal", goal=MOST)
    with pytest.raises(IntegrityError):
        RULESET.evolve(table.state, again)


@pytest.mark.parametrize(
    ("event_type", "flaw"),
    [
        (LeaderDrawn, {"leader": 4}),
        (Dealt, {"deal": 2}),
        (Dealt, {"leader": -1}),
        (Dealt, {"hands": (("1H",) * 10,) * 4}),
        (Dealt, {"hands": tuple(DECKS[4].codes[n::5] for n in range(5))}),
        (GoalChosen, {"seat": 7}),
        (GoalChosen, {"deal": 2}),
        (GoalsRevealed, {"goals": (MOST, MOST, MOST, MOST)}),
        (GoalsRevealed, {"suitless_scoring": "fewest"}),
        (TrickTaken, {"trick": 2}),
        (TrickTaken, {"seat": 4}),
        (TrickTaken, {"cards": ("1H", "2H", "3H", "4H")}),
        (DealScored, {"tricks": (10, 0, 0, 0)}),
        (DealScored, {"taken": ()}),
        (DealScored, {"points": (3, 3, 3)}),
        (DealScored, {"goals": (MOST, MOST, MOST, MOST)}),
        (DealScored, {"totals": (0, 0, 0, 9)}),
        (DealScored, {"deal": 2}),
    ],
)
def test_a21_a_fact_that_does_not_follow_is_refused(event_type: Any, flaw: dict[str, Any]) -> None:
    table = new_table(seed=6)
    choose_all(table, (MOST, LEAST, DIET, HEARTLESS))
    play_out_deal(table)
    state = RULESET.initial(OPTIONS, 4)
    for event in table.log:
        if isinstance(event, event_type):
            with pytest.raises(IntegrityError):
                RULESET.evolve(state, msgspec.structs.replace(event, **flaw))
            return
        state = RULESET.evolve(state, event)
    pytest.fail(f"no {event_type.__name__} in this game")


# --- score lines


def test_both_scorers_agree_to_the_word_and_the_second_names_the_entries() -> None:
    table = whole_game(4, seed=9)
    first, second = RULESET.score_lines(table.state), RULESET.recount(table.facts)
    assert tuple(msgspec.structs.replace(line, versions=()) for line in second) == first
    reveals = [v for v, event in table.facts if isinstance(event, GoalsRevealed)]
    for line in second:
        assert line.ruling == "HM-7" or reveals[line.deal - 1] in line.versions
        if line.card is not None:
            played = {table.log[version - 1] for version in line.versions}
            assert any(getattr(event, "card", None) == line.card for event in played)


def test_the_lines_of_a_round_are_its_points_and_what_holds_the_total() -> None:
    state = deal_over({0: ["1H 2H 3H 4H", "5H 6H 1M 2M"]}, (0, 0, 0, 0))
    after = RULESET.evolve(state, RULESET.consequence(state, None))
    lines = [line for line in RULESET.score_lines(after) if line.seat == 0]
    assert [line.points for line in lines] == [3, -1, -1, -1, -1, -1, -1, 3]
    assert (lines[-1].reason, lines[-1].ruling) == ("the total of -3 is held at 0: +3", "HM-7")
    assert (after.scored[-1].points[0], after.totals[0]) == (-3, 0)
