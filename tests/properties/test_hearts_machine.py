"""A game of Hearts driven step by step by Hypothesis, with what must hold at every step."""

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.card_games.cards import FRENCH
from domain.card_games.tricks import PlayCard
from domain.kernel import Choice, RuleViolation
from domain.registry import find
from domain.rulesets.hearts.model import DealScored, HeartsState, PassCards
from tests.chances import QuickChance
from tests.tables import Table

RULESET: Any = find("hearts@1")
ANY = st.integers(0, 51)


class HeartsMachine(RuleBasedStateMachine):
    """A step is one play, or a whole trick played out so that deals come to their end."""

    @initialize(seed=st.integers(0, 10_000), deal=st.integers(0, 7), limit=st.integers(1, 120))
    def begin(self, seed: int, deal: int, limit: int) -> None:
        self.sit_down(seed, deal, limit)

    def sit_down(self, seed: int, deal: int, limit: int) -> None:
        start = HeartsState(target_score=limit, deal=deal)
        self.table = Table(RULESET, QuickChance(seed), state=start)

    @property
    def state(self) -> HeartsState:
        return self.table.state

    @precondition(lambda self: self.state.phase == "pass")
    @rule(turn=ANY, first=ANY)
    def a_seat_passes(self, turn: int, first: int) -> None:
        seat = self.table.waiting_for[turn % len(self.table.waiting_for)]
        (choice,) = RULESET.legal_moves(self.state, seat).moves
        assert isinstance(choice, Choice)
        picked = tuple(choice.of[(first + n) % 13] for n in (0, 1, 2))
        self.table.play(seat, PassCards(answers=choice.answers, cards=picked))

    @precondition(lambda self: self.state.phase == "play")
    @rule(which=ANY)
    def a_card_is_played(self, which: int) -> None:
        self._play(which)

    @precondition(lambda self: self.state.phase == "play")
    @rule(which=st.lists(ANY, min_size=4, max_size=4))
    def a_trick_is_played_out(self, which: list[int]) -> None:
        for one in which[len(self.state.trick_cards) :]:
            self._play(one)

    @precondition(lambda self: self.state.phase == "play")
    @rule(code=st.sampled_from(FRENCH.codes))
    def a_card_that_is_not_legal_changes_nothing(self, code: str) -> None:
        (seat,) = self.table.waiting_for
        legal = RULESET.legal_moves(self.state, seat).moves
        if code in {move.card for move in legal}:
            return
        before, length = self.state, len(self.table.log)
        with pytest.raises(RuleViolation):
            self.table.play(seat, PlayCard(answers=legal[0].answers, card=code))
        assert self.state is before
        assert len(self.table.log) == length

    @precondition(lambda self: self.state.phase == "over")
    @rule(seed=st.integers(0, 10_000))
    def another_game_begins(self, seed: int) -> None:
        self.sit_down(seed, 0, 100)

    def _play(self, which: int) -> None:
        (seat,) = self.table.waiting_for
        before = self.state
        legal = RULESET.legal_moves(before, seat).moves
        events = self.table.play(seat, legal[which % len(legal)])
        if len(events) == 1:
            sizes = [hand.bit_count() for hand in self.state.hands]
            expected = [hand.bit_count() for hand in before.hands]
            expected[seat] -= 1
            assert sizes == expected

    @invariant()
    def every_card_is_exactly_once_somewhere(self) -> None:
        state = self.state
        if state.phase in {"dealing", "over"}:
            return
        places = [
            *state.hands,
            *state.trick_cards,
            *(card for t in state.tricks for card in t.cards),
        ]
        if state.phase == "pass":
            places += state.picks
        assert sum(place.bit_count() for place in places) == 52
        assert sum(places) == FRENCH.all

    @invariant()
    def a_deal_has_26_points_and_a_moon_makes_them_78(self) -> None:
        for event in self.table.log:
            if isinstance(event, DealScored):
                assert sum(event.captured) == 26
                assert sum(event.points) == (26 if event.moon is None else 78)
                assert all(total >= 0 for total in event.totals)

    @invariant()
    def hands_differ_by_at_most_the_cards_of_the_trick(self) -> None:
        if self.state.phase == "play":
            sizes = [hand.bit_count() for hand in self.state.hands]
            assert max(sizes) - min(sizes) <= 1
            assert max(sizes) == 13 - len(self.state.tricks) or len(self.state.trick_cards) == 4

    @invariant()
    def hearts_are_broken_by_a_heart_and_by_nothing_else(self) -> None:
        if self.state.phase == "play":
            hearts = FRENCH.suits["H"]
            shown = sum(self.state.trick_cards) | sum(c for t in self.state.tricks for c in t.cards)
            assert self.state.broken == bool(shown & hearts)

    @invariant()
    def the_game_is_over_exactly_when_a_total_has_reached_the_target(self) -> None:
        reached = max(self.state.totals) >= self.state.target_score
        assert (RULESET.outcome(self.state) is not None) == reached
        assert bool(self.table.waiting_for) != reached

    @invariant()
    def the_lines_of_the_scored_deals_add_up_to_the_totals(self) -> None:
        lines = RULESET.score_lines(self.state)
        totals = [sum(line.points for line in lines if line.seat == seat) for seat in range(4)]
        assert tuple(totals) == self.state.totals


TestHeartsMachine = HeartsMachine.TestCase
TestHeartsMachine.settings = settings(
    max_examples=40, stateful_step_count=60, derandomize=True, deadline=None, database=None
)
