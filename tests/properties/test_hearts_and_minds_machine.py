"""A game of Hearts and Minds driven step by step, with what must hold at every step."""

from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.card_games.tricks import PlayCard
from domain.kernel import RuleViolation
from domain.registry import find
from domain.rulesets.hearts_and_minds.model import (
    GOALS,
    ChooseGoal,
    DealScored,
    HeartsAndMindsOptions,
    HeartsAndMindsState,
)
from tests.chances import QuickChance
from tests.tables import Table

RULESET: Any = find("hearts_and_minds@1")
ANY = st.integers(0, 59)


class HeartsAndMindsMachine(RuleBasedStateMachine):
    """A step is one choice, one play, or tricks played out so that deals come to their end."""

    @initialize(
        seed=st.integers(0, 10_000),
        seats=st.sampled_from([3, 4]),
        suitless=st.sampled_from(["graded", "fewest"]),
    )
    def begin(self, seed: int, seats: int, suitless: Any) -> None:
        self.sit_down(seed, seats, suitless)

    def sit_down(self, seed: int, seats: int, suitless: Any) -> None:
        options = HeartsAndMindsOptions(suitless_scoring=suitless)
        self.table = Table(RULESET, QuickChance(seed), options=options, seats=seats)

    @property
    def state(self) -> HeartsAndMindsState:
        return self.table.state

    @precondition(lambda self: self.state.phase == "goal")
    @rule(turn=ANY, which=ANY)
    def a_seat_chooses(self, turn: int, which: int) -> None:
        seat = self.table.waiting_for[turn % len(self.table.waiting_for)]
        legal = RULESET.legal_moves(self.state, seat).moves
        assert len(legal) == 5 - len(self.state.scored)
        self.table.play(seat, legal[which % len(legal)])

    @precondition(lambda self: self.state.phase == "goal" and self.state.scored)
    @rule(turn=ANY, which=ANY)
    def a_goal_used_before_changes_nothing(self, turn: int, which: int) -> None:
        seat = self.table.waiting_for[turn % len(self.table.waiting_for)]
        used = self.state.used[seat]
        goal = used[which % len(used)]
        before, length = self.state, len(self.table.log)
        with pytest.raises(RuleViolation, match="used once"):
            self.table.play(seat, ChooseGoal(answers=f"d{before.deal}.goal", goal=goal))
        assert self.state is before
        assert len(self.table.log) == length

    @precondition(lambda self: self.state.phase == "play")
    @rule(which=ANY)
    def a_card_is_played(self, which: int) -> None:
        self._play(which)

    @precondition(lambda self: self.state.phase == "play")
    @rule(which=st.lists(ANY, min_size=12, max_size=12))
    def tricks_are_played_out(self, which: list[int]) -> None:
        for one in which:
            if self.state.phase == "play":
                self._play(one)

    @precondition(lambda self: self.state.phase == "play")
    @rule(place=ANY)
    def a_card_that_is_not_legal_changes_nothing(self, place: int) -> None:
        codes = self.state.deck.codes
        code = codes[place % len(codes)]
        (seat,) = self.table.waiting_for
        legal = RULESET.legal_moves(self.state, seat).moves
        if code in {move.card for move in legal}:
            return
        before = self.state
        with pytest.raises(RuleViolation):
            self.table.play(seat, PlayCard(answers=legal[0].answers, card=code))
        assert self.state is before

    @precondition(lambda self: self.state.phase == "over")
    @rule(
        seed=st.integers(0, 10_000),
        seats=st.sampled_from([3, 4]),
        suitless=st.sampled_from(["graded", "fewest"]),
    )
    def another_game_begins(self, seed: int, seats: int, suitless: Any) -> None:
        self.sit_down(seed, seats, suitless)

    def _play(self, which: int) -> None:
        (seat,) = self.table.waiting_for
        legal = RULESET.legal_moves(self.state, seat)
        assert len(legal.moves) + len(legal.refused) == self.state.hands[seat].bit_count()
        self.table.play(seat, legal.moves[which % len(legal.moves)])

    @invariant()
    def every_card_is_exactly_once_somewhere(self) -> None:
        state = self.state
        if state.phase in {"leader", "dealing", "over"}:
            return
        places = [
            *state.hands,
            *state.trick_cards,
            *(card for t in state.tricks for card in t.cards),
        ]
        assert sum(place.bit_count() for place in places) == len(state.deck.codes)
        assert sum(places) == state.deck.all

    @invariant()
    def a_goal_is_used_once_and_one_of_five_stays_unused(self) -> None:
        for used in self.state.used:
            assert len(set(used)) == len(used) <= 4
            assert set(used) <= set(GOALS)
        rounds = len(self.state.scored) + (self.state.phase == "play")
        assert {len(used) for used in self.state.used} == {rounds}

    @invariant()
    def no_total_is_ever_below_0(self) -> None:
        for event in self.table.log:
            if isinstance(event, DealScored):
                assert min(event.totals) >= 0
                assert min(event.points) >= -3

    @invariant()
    def tricks_and_cards_taken_add_up(self) -> None:
        size = self.state.hand_size
        for event in self.table.log:
            if isinstance(event, DealScored):
                assert sum(event.tricks) == size
                for suit in ("hearts", "minds", "thoughts", "prayers"):
                    of_suit = sum(getattr(counts, suit) for counts in event.taken)
                    assert of_suit == len(self.state.deck.codes) // 4

    @invariant()
    def the_lines_of_both_scorers_are_the_same_and_add_up_to_the_totals(self) -> None:
        lines = RULESET.score_lines(self.state)
        recounted = RULESET.recount(self.table.facts)
        assert tuple(msgspec.structs.replace(line, versions=()) for line in recounted) == lines
        seats = range(self.state.seats)
        totals = [sum(line.points for line in lines if line.seat == seat) for seat in seats]
        assert tuple(totals) == self.state.totals

    @invariant()
    def the_game_is_over_exactly_after_four_rounds(self) -> None:
        over = len(self.state.scored) == 4
        assert (RULESET.outcome(self.state) is not None) == over
        assert bool(self.table.waiting_for) != over


TestHeartsAndMindsMachine = HeartsAndMindsMachine.TestCase
TestHeartsAndMindsMachine.settings = settings(
    max_examples=40, stateful_step_count=70, derandomize=True, deadline=None, database=None
)
