"""A game of Hamlet! driven step by step by Hypothesis, a literal referee beside it all the time."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from domain.kernel import RuleViolation
from domain.registry import find
from domain.rulesets.hamlet_play.cardset.requirements import persona_of
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS, actions_in_a_game
from domain.rulesets.hamlet_play.model import (
    DieRolled,
    HamletPlayOptions,
    HamletPlayState,
    Pack,
    TakeAction,
)
from domain.visibility import SPECTATOR, Viewer
from tests.chances import QuickChance
from tests.differential.judging import compare_decision, compare_end
from tests.differential.referees import hamlet_play as referee
from tests.tables import Table

RULESET: Any = find("hamlet_play@1")
ROOT = Path(__file__).parents[2]
SETS = {
    "elsinore": ROOT / "domain" / "rulesets" / "hamlet_play" / "cards" / "elsinore",
    "tiny": ROOT / "tests" / "cardsets" / "tiny",
}
CARDS = {name: referee.load(directory) for name, directory in SETS.items()}
ANY = st.integers(0, 10_000)
PACKS: list[Pack] = ["regular", "difficult", "mixed"]


class HamletPlayMachine(RuleBasedStateMachine):
    """A step is one action, or a whole Act, so that plays come to their end."""

    @initialize(
        seed=ANY,
        seats=st.sampled_from(SEAT_COUNTS),
        cards=st.sampled_from(sorted(SETS)),
        pack=st.sampled_from(PACKS),
    )
    def begin(self, seed: int, seats: int, cards: str, pack: Pack) -> None:
        self.cards, self.pack = cards, pack
        options = HamletPlayOptions(card_set=cards, endings=pack)
        self.table = Table(RULESET, QuickChance(seed), options=options, seats=seats)
        self.opening = self.state
        endings = [ending.id for ending in self.state.endings]
        self.play = referee.Play(CARDS[cards], seats, self.state.first_player or 0, endings)
        self.taken = 0

    @property
    def state(self) -> HamletPlayState:
        state: HamletPlayState = self.table.state
        return state

    @property
    def is_over(self) -> bool:
        return self.state.winners is not None

    @precondition(lambda self: not self.is_over)
    @rule(which=ANY)
    def an_action_is_taken(self, which: int) -> None:
        moves = compare_decision(self.state, self.play, Counter())
        self._take(moves[which % len(moves)])

    @precondition(lambda self: not self.is_over)
    @rule(which=st.lists(ANY, min_size=24, max_size=24))
    def an_act_is_played_out(self, which: list[int]) -> None:
        act = self.state.act
        for one in which:
            if self.is_over or self.state.act != act:
                return
            moves = RULESET.legal_moves(self.state, self.state.current).moves
            self._take(moves[one % len(moves)])

    @precondition(lambda self: not self.is_over)
    @rule(which=ANY)
    def an_action_that_is_not_possible_changes_nothing(self, which: int) -> None:
        refused = RULESET.legal_moves(self.state, self.state.current).refused
        if not refused:
            return
        refusal = refused[which % len(refused)]
        before, length = self.state, len(self.table.log)
        with pytest.raises(RuleViolation) as raised:
            self.table.play(self.state.current, refusal.move)
        assert (raised.value.rule, raised.value.detail) == (refusal.rule, refusal.detail)
        assert self.state is before
        assert len(self.table.log) == length

    @precondition(lambda self: self.is_over)
    @rule(seed=ANY, seats=st.sampled_from(SEAT_COUNTS))
    def another_play_begins(self, seed: int, seats: int) -> None:
        self.begin(seed, seats, self.cards, self.pack)

    def _take(self, move: TakeAction) -> None:
        events = self.table.play(self.state.current, move)
        faces = [event.face for event in events if isinstance(event, DieRolled)]
        self.play.take(move.action, move.choice, lambda: faces.pop(0))
        assert faces == []
        self.taken += 1

    @invariant()
    def the_referee_agrees(self) -> None:
        if self.is_over:
            compare_end(self.state, self.play, Counter())
        else:
            compare_decision(self.state, self.play, Counter())

    @invariant()
    def what_is_done_stays_done(self) -> None:
        """Status boxes, check boxes and the dead; sliders stay on their tracks."""
        board = self.state.board
        for event in self.table.log:
            if event.__struct_config__.tag == "hamlet_play.status-checked":
                assert event.status in board.statuses
            if event.__struct_config__.tag == "hamlet_play.persona-died":
                assert event.persona in board.dead
        for ref, value in board.tracks.items():
            laid = self.state.tracks[ref]
            assert laid.min <= value <= laid.max
        for ref, count in board.boxes.items():
            assert 0 < count <= self.state.boxes[ref]
        assert not any(persona_of(counter) in board.dead for counter in board.counters)

    @invariant()
    def endings_are_different_and_each_seat_sees_its_own(self) -> None:
        held = [ending.id for ending in self.state.endings]
        assert len(set(held)) == len(held) == self.state.seats
        for seat, ending in enumerate(held):
            assert RULESET.view(self.state, Viewer(seat)).ending.id == ending
        assert RULESET.view(self.state, SPECTATOR).ending is None

    @invariant()
    def one_seat_is_asked_until_the_play_is_over(self) -> None:
        state = self.state
        assert len(RULESET.to_act(state)) == (0 if self.is_over else 1)
        assert (RULESET.outcome(state) is not None) == self.is_over
        assert self.taken <= actions_in_a_game(state.seats)

    @invariant()
    def both_scorers_agree(self) -> None:
        lines = RULESET.score_lines(self.state)
        recounted = RULESET.recount(self.table.facts)
        assert tuple(replace(line, versions=()) for line in recounted) == lines
        if self.is_over:
            winners = {line.seat for line in lines if line.points}
            assert winners == set(self.state.winners or ())

    @invariant()
    def the_log_alone_rebuilds_the_table(self) -> None:
        state = self.opening_state()
        for event in self.table.log:
            state = RULESET.evolve(state, event)
        assert state == self.state

    def opening_state(self) -> HamletPlayState:
        options = RULESET.complete_options(
            HamletPlayOptions(card_set=self.cards, endings=self.pack), self.state.seats
        )
        state: HamletPlayState = RULESET.initial(options, self.state.seats)
        return state


TestHamletPlayMachine = HamletPlayMachine.TestCase
TestHamletPlayMachine.settings = settings(
    max_examples=8, stateful_step_count=12, derandomize=True, deadline=None, database=None
)
