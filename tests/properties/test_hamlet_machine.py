"""A game of Hamlet driven step by step by Hypothesis, with what must hold at every step."""

from typing import Any, Literal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.card_games.cards import FRENCH
from domain.card_games.tricks import PlayCard
from domain.kernel import RuleViolation
from domain.registry import find
from domain.rulesets.hamlet.model import DealScored, Dealt, HamletOptions, HamletState, PlaceBid
from domain.visibility import SPECTATOR
from tests.chances import QuickChance
from tests.tables import Table

RULESET: Any = find("hamlet@1")
ANY = st.integers(0, 51)
PATTERNS: list[Literal["full", "up_down"]] = ["full", "up_down"]
OPTIONS = st.builds(
    HamletOptions,
    deals=st.integers(1, 25),
    pattern=st.sampled_from(PATTERNS),
    no_trump_every=st.integers(0, 4),
)


class HamletMachine(RuleBasedStateMachine):
    """A step is one bid, one card, or a whole trick, so that deals come to their end."""

    @initialize(seed=st.integers(0, 10_000), seats=st.sampled_from([3, 4]), options=OPTIONS)
    def begin(self, seed: int, seats: int, options: HamletOptions) -> None:
        self.seats, self.options = seats, options
        self.table = Table(RULESET, QuickChance(seed), options=options, seats=seats)

    @property
    def state(self) -> HamletState:
        return self.table.state

    @precondition(lambda self: self.state.phase == "bid")
    @rule(which=ANY)
    def a_seat_bids(self, which: int) -> None:
        self._move(which)

    @precondition(lambda self: self.state.phase == "bid")
    @rule(bid=st.integers(-3, 60))
    def a_bid_that_is_not_legal_changes_nothing(self, bid: int) -> None:
        self._try(lambda asked: PlaceBid(answers=asked, bid=bid))

    @precondition(lambda self: self.state.phase == "play")
    @rule(which=ANY)
    def a_card_is_played(self, which: int) -> None:
        self._move(which)

    @precondition(lambda self: self.state.phase == "play")
    @rule(which=st.lists(ANY, min_size=4, max_size=4))
    def a_trick_is_played_out(self, which: list[int]) -> None:
        for one in which[len(self.state.trick_cards) : self.seats]:
            self._move(one)

    @precondition(lambda self: self.state.phase != "over")
    @rule(code=st.sampled_from(FRENCH.codes))
    def a_card_that_is_not_legal_changes_nothing(self, code: str) -> None:
        self._try(lambda asked: PlayCard(answers=asked, card=code))

    @precondition(lambda self: self.state.phase == "over")
    @rule(seed=st.integers(0, 10_000))
    def another_game_begins(self, seed: int) -> None:
        self.begin(seed, self.seats, self.options)

    def _move(self, which: int) -> None:
        (seat,) = self.table.waiting_for
        legal = RULESET.legal_moves(self.state, seat).moves
        self.table.play(seat, legal[which % len(legal)])

    def _try(self, moving: Any) -> None:
        (seat,) = self.table.waiting_for
        legal = RULESET.legal_moves(self.state, seat).moves
        move = moving(legal[0].answers)
        if move in legal:
            return
        before, length = self.state, len(self.table.log)
        with pytest.raises(RuleViolation):
            self.table.play(seat, move)
        assert self.state is before
        assert len(self.table.log) == length

    @invariant()
    def every_card_is_exactly_once_somewhere(self) -> None:
        state = self.state
        if state.phase == "over":
            return
        places = [
            *state.hands,
            *state.trick_cards,
            *(card for t in state.tricks for card in t.cards),
        ]
        places.append(state.stock)
        if state.turned is not None and state.source != "dealers-last-card":
            places.append(state.turned)
        assert sum(place.bit_count() for place in places) == 52
        assert sum(places) == FRENCH.all

    @invariant()
    def the_tricks_of_a_deal_are_its_size_and_its_bids_never_are(self) -> None:
        sizes = {event.deal: event.size for event in self.table.log if isinstance(event, Dealt)}
        for event in self.table.log:
            if isinstance(event, DealScored):
                assert sum(event.taken) == sizes[event.deal] != sum(event.bids)
                assert any(p < 0 for p in event.points)
        bids = [bid for bid in self.state.bids if bid is not None]
        if self.state.phase == "play":
            assert len(bids) == self.seats
            assert sum(bids) != self.state.size

    @invariant()
    def hands_differ_by_at_most_the_card_of_this_trick(self) -> None:
        sizes = [hand.bit_count() for hand in self.state.hands]
        assert max(sizes) - min(sizes) <= 1
        if self.state.phase in {"bid", "play"}:
            assert max(sizes) + len(self.state.tricks) == self.state.size

    @invariant()
    def somebody_is_asked_until_the_last_deal_is_scored(self) -> None:
        state = self.state
        over = len(state.scored) == state.deals
        assert (RULESET.outcome(state) is not None) == over
        assert len(RULESET.to_act(state)) == (0 if over else 1)

    @invariant()
    def the_lines_of_both_scorers_add_up_to_the_totals(self) -> None:
        for lines in (RULESET.score_lines(self.state), RULESET.recount(self.table.facts)):
            found = [sum(ln.points for ln in lines if ln.seat == s) for s in range(self.seats)]
            assert tuple(found) == self.state.totals

    @invariant()
    def a_forbidden_bid_is_shown_to_all_where_the_dealer_is_refused_one(self) -> None:
        view = RULESET.view(self.state, SPECTATOR)
        refused = [
            refusal.move.bid
            for seat in RULESET.to_act(self.state)
            for refusal in RULESET.legal_moves(self.state, seat).refused
            if isinstance(refusal.move, PlaceBid)
        ]
        assert refused == ([] if view.forbidden_bid is None else [view.forbidden_bid])


TestHamletMachine = HamletMachine.TestCase
TestHamletMachine.settings = settings(
    max_examples=60, stateful_step_count=60, derandomize=True, deadline=None, database=None
)
