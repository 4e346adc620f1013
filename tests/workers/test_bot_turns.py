"""Bots' turns on the log in memory."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import pytest

from domain import registry
from domain.game.model import OpenGame, SeatPlan
from domain.hashing import keyed
from domain.rulesets.hamlet_play import hamlet_play
from domain.rulesets.hamlet_play.cardset.store import CardSets
from events.errors import Busy, VersionConflict
from events.log.entry import Entry
from events.log.memory import MemoryStore
from events.log.store import Due, Head
from tests.workers.playing import (
    answer,
    bots_table,
    envelopes,
    handler_on,
    head,
    is_over,
    open_table,
)
from workers.bot_turns import Turns
from workers.bots import hearts

Body = dict[str, Any]


class Raising:
    VERSION = "raising-1"
    calls = 0

    @classmethod
    def choose(cls, view: Body, legal: Sequence[Body], seed: bytes) -> Body:
        cls.calls += 1
        raise RuntimeError("no idea")


class Illegal:
    VERSION = "illegal-1"

    @staticmethod
    def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Body:
        if "choose" in legal[0]:
            return {
                "answers": legal[0]["answers"],
                "type": "pass_cards",
                "cards": ["2C", "2C", "2C"],
            }
        return legal[0] | {"card": (view["refused"] or [{"card": "XX"}])[0]["card"]}


class Nothing:
    VERSION = "nothing-1"

    @staticmethod
    def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Any:
        return None


def test_bots_play_a_whole_game_by_themselves() -> None:
    store, handler, turns, handed_on = bots_table(seconds=60.0)
    game = open_table(handler, target=50)

    turns.bot_turn(game, head(handler, game))

    assert is_over(handler, game)
    assert not handed_on
    assert not store.due(2**53) or {work for _, work, _ in store.due(2**53)} == {"score"}


def test_bots_stop_where_a_person_is_due() -> None:
    store, handler, turns, _ = bots_table()
    game = open_table(handler, ("person", "normal", "hard", "easy"))

    while not is_over(handler, game):
        turns.bot_turn(game, head(handler, game))
        if not is_over(handler, game):
            answer(handler, game, 0)

    moves = Counter(
        (e.actor.kind, e.actor.seat)
        for e in envelopes(store, game)
        if e.type == "hearts.card-played"
    )
    assert set(moves) == {("player", 0), ("bot", 1), ("bot", 2), ("bot", 3)}


def test_level_and_version_of_a_bot_are_in_its_entries() -> None:
    store, handler, turns, _ = bots_table()
    game = open_table(handler, ("person", "normal", "hard", "easy"))

    turns.bot_turn(game, head(handler, game))

    actors = [e.actor for e in envelopes(store, game) if e.actor.kind == "bot"]
    assert [(a.seat, a.level, a.bot, a.fallback) for a in actors] == [
        (1, "normal", hearts.VERSION, False),
        (2, "hard", hearts.VERSION, False),
        (3, "easy", hearts.VERSION, False),
    ]


def test_a_bot_plays_the_same_from_the_same_root() -> None:
    logs = []
    for _ in range(2):
        store, handler, turns, _ = bots_table(seconds=60.0)
        game = open_table(handler)
        turns.bot_turn(game, head(handler, game))
        logs.append([e.data for e in envelopes(store, game)])

    assert logs[0] == logs[1]


def test_d12_a_bot_is_given_its_view_its_legal_moves_and_a_seed_and_nothing_else() -> None:
    given: list[tuple[Body, Sequence[Body], bytes]] = []

    class Noting:
        VERSION = "noting-1"

        @staticmethod
        def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Body:
            given.append((view, legal, seed))
            return hearts.choose(view, legal, seed)

    _, handler, turns, _ = bots_table(find_bot=lambda ruleset: Noting)
    game = open_table(handler, ("person", "normal", "hard", "easy"))
    chain = handler.loader.current(game).chain

    turns.bot_turn(game, head(handler, game))

    for view, legal, seed in given:
        seat, question = view["seat"], view["question"]
        assert len(view["hand"]) == 13
        assert legal == view["legal_moves"]
        assert seed == keyed(chain.root, "bot", game, seat, question)
        assert chain.root.hex() not in str(view)


@pytest.mark.parametrize("bot", [Raising, Illegal, Nothing])
def test_b17_a_bot_that_fails_is_played_for_and_the_entry_says_so(bot: Any) -> None:
    store, handler, turns, _ = bots_table(find_bot=lambda ruleset: bot, seconds=60.0)
    game = open_table(handler)

    turns.bot_turn(game, head(handler, game))

    assert is_over(handler, game)
    played = [e.actor for e in envelopes(store, game) if e.actor.kind == "bot"]
    assert {actor.bot for actor in played} == {bot.VERSION}
    assert any(actor.fallback for actor in played)


def test_b17_a_failing_bot_is_tried_three_times() -> None:
    _, handler, turns, _ = bots_table(find_bot=lambda ruleset: Raising)
    game = open_table(handler, ("person", "easy", "easy", "easy"))
    Raising.calls = 0

    turns.bot_turn(game, head(handler, game))

    assert Raising.calls == 9


def test_b17_a_bot_that_took_all_the_time_to_fail_is_not_asked_again() -> None:
    times = iter(range(0, 1000, 10))
    _, handler, turns, _ = bots_table(
        find_bot=lambda ruleset: Raising, clock=lambda: float(next(times)), seconds=5.0
    )
    game = open_table(handler)
    Raising.calls = 0

    turns.bot_turn(game, head(handler, game))

    assert Raising.calls == 1


def test_c16_every_turn_of_a_finished_game_again_appends_nothing() -> None:
    store, handler, turns, _ = bots_table(seconds=60.0)
    game = open_table(handler)
    turns.bot_turn(game, head(handler, game))
    before = store.read(game)

    for version in range(1, len(before) + 1):
        turns.bot_turn(game, version)

    assert store.read(game) == before


def test_a_turn_whose_version_has_passed_changes_nothing() -> None:
    store, handler, turns, _ = bots_table()
    game = open_table(handler)
    before = store.read(game)

    turns.bot_turn(game, head(handler, game) - 1)

    assert store.read(game) == before


def test_when_the_time_is_up_the_turn_is_handed_on() -> None:
    ticks = iter(range(1000))
    _, handler, turns, handed_on = bots_table(clock=lambda: float(next(ticks)), seconds=3.0)
    game = open_table(handler)
    first = head(handler, game)

    turns.bot_turn(game, first)

    assert handed_on == [(game, head(handler, game))]
    assert head(handler, game) > first


def test_a_turn_of_a_game_that_never_was_is_struck_off() -> None:
    store, _, turns, _ = bots_table()
    store._due["gone", "bot"] = (1, 3)

    turns.bot_turn("gone", 3)

    assert store.due(2**53) == []


@pytest.mark.parametrize("damage", ["lost", "altered"])
def test_a_log_that_cannot_be_read_ends_the_turn(damage: Literal["lost", "altered"]) -> None:
    store, handler, _, _ = bots_table()
    game = open_table(handler)
    log = store.logs[game]
    version = len(log)
    if damage == "lost":
        store.logs[game] = []
    else:
        log[1] = Entry(2, log[1].public.replace(b"1", b"2", 1), log[1].digest, log[1].secrets)

    Turns(handler_on(store), lambda game, version: None).bot_turn(game, version)

    assert len(store.logs[game]) == (0 if damage == "lost" else version)


def test_a_store_that_does_not_answer_is_worth_another_try() -> None:
    class Away(MemoryStore):
        def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
            raise Busy("away")

    with pytest.raises(Busy):
        Turns(handler_on(Away()), lambda game, version: None).bot_turn("game", 1)


def test_c07_a_bot_whose_move_comes_second_decides_again() -> None:
    class Contended(MemoryStore):
        """Lets another worker play the same turn just before the first append of a bot."""

        rival: Turns | None = None

        def append(
            self,
            game: str,
            expected: Head,
            entries: Sequence[Entry],
            due: tuple[Due, ...],
            now: int,
        ) -> None:
            rival, self.rival = self.rival, None
            if rival is not None:
                rival.bot_turn(game, expected.version)
                with pytest.raises(VersionConflict):
                    super().append(game, expected, entries, due, now)
            super().append(game, expected, entries, due, now)

    store = Contended()
    handler = handler_on(store)
    game = open_table(handler, ("person", "normal", "hard", "easy"))
    store.rival = Turns(handler_on(store), lambda game, version: None)

    Turns(handler, lambda game, version: None).bot_turn(game, head(handler, game))

    passes = [e for e in envelopes(store, game) if e.type == "hearts.cards-passed"]
    assert sorted(str(e.actor.seat) for e in passes) == ["1", "2", "3"]


def test_a_bot_waits_while_the_card_set_of_its_game_is_missing() -> None:
    store = MemoryStore()
    handler = handler_on(store)
    seats = tuple(SeatPlan(kind="bot", level="hard") for _ in range(2))
    command = OpenGame(
        opener="p_someone", ruleset="hamlet_play", options={"card_set": "tiny"}, seats=seats
    )
    game = handler.open(command, "open", "test").game
    before = head(handler, game)
    with registry.using(hamlet_play(CardSets())):
        Turns(handler_on(store), lambda game, version: None).bot_turn(game, before)
    assert head(handler, game) == before
    Turns(handler, lambda game, version: None).bot_turn(game, before)
    assert head(handler, game) > before
