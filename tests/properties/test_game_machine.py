"""Any game in any order of commands, through two processes on one log."""

import json
import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.game.model import Actor, CloseGame, Game, Leave, SeatBot, SeatPlan, Sit
from domain.game.questions import questions
from domain.kernel import RuleViolation
from domain.registry import RULESETS, find
from events.commands import CommandResult, MoveRequest, Request
from events.errors import EventsError, KeyReused, StaleVersion
from events.log.entry import Entry, envelope
from events.log.loader import fold
from events.log.memory import MemoryStore
from tests.events.playing import ANN, PEOPLE, House, person
from tests.tables import request, some_move

PLANS = [
    SeatPlan(kind="open"),
    SeatPlan(kind="open"),
    SeatPlan(kind="reserved", player=ANN),
    SeatPlan(kind="bot", level="easy"),
]
ENTROPY = [None, "00" * 16, "ff" * 64]

houses = st.integers(0, 1)
seats = st.integers(-1, 5)
players = st.sampled_from([*PEOPLE, "p_eve"])
seeds = st.integers(0, 2**16)


class GameMachine(RuleBasedStateMachine):
    """Ann opens; then anything, sensible or not. Every refusal must leave the log as it was."""

    @initialize(
        ruleset=st.sampled_from(sorted(RULESETS)),
        plans=st.lists(st.sampled_from(PLANS), min_size=4, max_size=4),
        started=st.booleans(),
    )
    def open(self, ruleset: str, plans: list[SeatPlan], started: bool) -> None:
        store = MemoryStore()
        self.houses = [House(store), House(store)]
        self.store = store
        self.sent: list[tuple[Request, Actor, str, CommandResult]] = []
        self.asked: set[tuple[int, str]] = set()
        self.open_now: set[tuple[int, str]] = set()
        self.log: list[Entry] = []
        places = find(ruleset).seat_counts[0]
        kept = tuple(
            plan if plan.kind != "reserved" or plan not in plans[:at] else PLANS[0]
            for at, plan in enumerate((plans * 2)[:places])
        )
        self.kept = kept
        self.ruleset = ruleset
        self.game = self._open(0).game
        assert self._open(1).game == self.game
        for step in range(places + 1 if started else 0):
            self.somebody_sits_where_there_is_room(step % 2, step)

    @property
    def started(self) -> bool:
        return self.houses[0].table(self.game).status != "open"

    def _open(self, house: int) -> CommandResult:
        return self.houses[house].open(ruleset=self.ruleset, seats=self.kept, key="open")

    @rule(house=houses, player=players, seat=seats, entropy=st.sampled_from(ENTROPY))
    def sit(self, house: int, player: str, seat: int, entropy: str | None) -> None:
        self._send(house, Sit(player=player, seat=seat, entropy=entropy), person(player, seat))

    @precondition(lambda self: not self.started)
    @rule(house=houses, seed=seeds)
    def somebody_sits_where_there_is_room(self, house: int, seed: int) -> None:
        table = self.houses[house].loader.cached(self.game).game
        absent = [player for player in PEOPLE if table.seat_of(player) is None]
        for seat, occupant in enumerate(table.seats):
            if occupant.kind in {"open", "reserved"} and absent:
                player = occupant.player or random.Random(seed).choice(absent)
                self.sit(house, player, seat, ENTROPY[1])
                return

    @rule(house=houses, player=players, seat=seats)
    def leave(self, house: int, player: str, seat: int) -> None:
        self._send(house, Leave(player=player, seat=seat), person(player, seat))

    @rule(house=houses, player=players, seat=seats)
    def seat_bot(self, house: int, player: str, seat: int) -> None:
        self._send(house, SeatBot(player=player, seat=seat, level="hard"), person(player))

    @rule(house=houses, player=players, seed=seeds)
    def close(self, house: int, player: str, seed: int) -> None:
        if seed % 4 == 0:
            self._send(house, CloseGame(player=player), person(player))

    @precondition(lambda self: self.started)
    @rule(house=houses, seed=seeds, count=st.integers(1, 60))
    def play(self, house: int, seed: int, count: int) -> None:
        rng = random.Random(seed)
        for _ in range(count):
            table = self.houses[house].table(self.game)
            if not questions(table):
                return
            seat = rng.choice(sorted(questions(table)))
            move = some_move(find(table.ruleset), table.state, seat, rng)
            assert self._send(house, request(move), self._actor(table, seat))
            self._look()

    @precondition(lambda self: self.started)
    @rule(house=houses, seed=seeds)
    def play_what_only_a_stale_process_thinks_is_asked(self, house: int, seed: int) -> None:
        rng = random.Random(seed)
        stale = self.houses[house].loader.cached(self.game).game
        if questions(stale):
            seat = rng.choice(sorted(questions(stale)))
            move = some_move(find(stale.ruleset), stale.state, seat, rng)
            self._send(house, request(move), self._actor(stale, seat))

    @precondition(lambda self: self.started)
    @rule(house=houses, seed=seeds)
    def play_out_of_turn(self, house: int, seed: int) -> None:
        rng = random.Random(seed)
        table = self.houses[house].table(self.game)
        if questions(table):
            asked = rng.choice(sorted(questions(table)))
            move = some_move(find(table.ruleset), table.state, asked, rng)
            seat = rng.randrange(len(table.seats))
            self._send(house, request(move), self._actor(table, seat))

    @rule(house=houses, seed=seeds)
    def the_same_again(self, house: int, seed: int) -> None:
        if self.sent:
            command, actor, key, first = random.Random(seed).choice(self.sent)
            before = self.store.read(self.game)
            again = self.houses[house].send(self.game, command, actor, key)
            assert (again.version, again.events) == (first.version, first.events)
            assert again.receipt == first.receipt
            assert self.store.read(self.game) == before

    @rule(house=houses, seed=seeds)
    def the_same_key_for_something_else(self, house: int, seed: int) -> None:
        if self.sent:
            command, actor, key, _ = random.Random(seed).choice(self.sent)
            other: Request = SeatBot(player=ANN, seat=9, level="easy")
            if isinstance(command, MoveRequest):
                other = MoveRequest(
                    json.dumps(json.loads(command.body) | {"answers": "d0.x"}).encode()
                )
            before = self.store.read(self.game)
            with pytest.raises(KeyReused):
                self.houses[house].send(self.game, other, actor, key)
            assert self.store.read(self.game) == before

    @rule(house=houses)
    def open_again(self, house: int) -> None:
        before = self.store.read(self.game)
        assert not self._open(house).appended
        assert self.store.read(self.game) == before

    @rule(house=houses)
    def a_stale_if_match(self, house: int) -> None:
        before = self.store.read(self.game)
        close, ann = CloseGame(player=ANN), person(ANN)
        with pytest.raises(StaleVersion) as stale:
            self.houses[house].send(self.game, close, ann, if_match=len(before) - 1)
        assert stale.value.actual == len(before)
        assert self.store.read(self.game) == before

    @invariant()
    def the_log_only_grows_and_its_chain_holds(self) -> None:
        log = self.store.read(self.game)
        assert log[: len(self.log)] == self.log
        assert [entry.version for entry in log] == list(range(1, len(log) + 1))
        assert [envelope(entry).version for entry in log[len(self.log) :]] == [
            entry.version for entry in log[len(self.log) :]
        ]
        self.log = log

    @invariant()
    def replay_is_what_every_process_has(self) -> None:
        log = self.store.read(self.game)
        replayed = fold(self.game, log)
        for house in self.houses:
            cached = house.loader.cached(self.game)
            assert cached == fold(self.game, log[: cached.head.version])
            assert house.loader.current(self.game) == replayed

    @invariant()
    def no_question_is_asked_twice(self) -> None:
        self._look()

    def _look(self) -> None:
        """Questions that are new since the last look must never have been asked before."""
        open_now = set(questions(self.houses[0].table(self.game)).items())
        new = open_now - self.open_now
        assert not new & self.asked
        self.asked |= new
        self.open_now = open_now

    def _send(self, house: int, command: Request, actor: Actor) -> bool:
        """Whether the command was accepted; a refused one must change nothing."""
        before = self.store.read(self.game)
        key = self.houses[house].new_key()
        try:
            answer = self.houses[house].send(self.game, command, actor, key)
        except (RuleViolation, EventsError):
            assert self.store.read(self.game) == before
            return False
        assert self.store.read(self.game)[: len(before)] == before
        if answer.appended:
            assert answer.version == len(self.store.read(self.game)) > len(before)
            self.sent.append((command, actor, key, answer))
        return True

    def _actor(self, table: Game, seat: int) -> Actor:
        occupant: Any = table.seats[seat]
        if occupant.kind == "bot":
            return Actor(kind="bot", seat=seat, level=occupant.level)
        return person(occupant.player, seat)


GameMachine.TestCase.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
TestGameMachine = GameMachine.TestCase
