"""Commands: decided once, answered alike however often they come, never decided on the past."""

import random
import threading
from collections.abc import Sequence
from typing import Any

import fakeredis
import msgspec
import pytest

from domain.game.model import Actor, CloseGame, Leave, SeatBot, SeatPlan
from domain.game.questions import questions
from domain.kernel import Move, RuleViolation
from domain.registry import find
from events.commands import CommandResult
from events.errors import Busy, KeyReused, StaleVersion, UnknownGame
from events.handler import ATTEMPTS, game_id_of
from events.log.entry import Entry, envelope
from events.log.loader import fold
from events.log.memory import MemoryStore
from events.log.redis import RedisStore
from events.log.store import Due, Head, LogStore
from events.receipts import is_signed
from tests.events.playing import (
    ANN,
    BEN,
    CAT,
    DAN,
    KEYS,
    NOW,
    OPEN,
    PEOPLE,
    House,
    next_move,
    person,
    play_on,
    seated,
)
from tests.tables import request, some_move

BOT = SeatPlan(kind="bot", level="normal")


def a_move(house: House, game: str, seat: int, seed: int = 0) -> Move:
    state = house.table(game)
    return some_move(find(state.ruleset), state.state, seat, random.Random(seed))


def on_turn(house: House, game: str) -> int:
    return min(questions(house.table(game)))


def envelopes(house: House, game: str) -> list[Any]:
    return [envelope(entry) for entry in house.store.read(game)]


def answered_alike(first: CommandResult, again: CommandResult) -> bool:
    same = ("game", "version", "events", "receipt")
    return all(getattr(first, name) == getattr(again, name) for name in same)


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
def game(house: House) -> str:
    return seated(house)


# --- the same command again


def test_b10_the_same_key_and_move_is_answered_alike_and_appends_nothing(
    house: House, game: str
) -> None:
    move = a_move(house, game, 0)
    first = house.play(game, 0, move, "k")
    again = house.play(game, 0, move, "k")
    assert (first.appended, again.appended) == (True, False)
    assert answered_alike(first, again)
    assert len(house.store.read(game)) == first.version


def test_b10_the_same_key_with_another_move_is_refused(house: House, game: str) -> None:
    one, other = a_move(house, game, 0, seed=1), a_move(house, game, 0, seed=2)
    house.play(game, 0, one, "k")
    before = house.store.read(game)
    with pytest.raises(KeyReused):
        house.play(game, 0, other, "k")
    with pytest.raises(KeyReused):
        house.send(game, CloseGame(player=ANN), person(ANN, 0), "k")
    assert house.store.read(game) == before


def test_a_repeated_move_that_names_the_secret_cards_in_another_order_is_the_same(
    house: House, game: str
) -> None:
    move: Any = a_move(house, game, 0)
    first = house.play(game, 0, move, "k")
    turned = msgspec.structs.replace(move, cards=move.cards[::-1])
    assert answered_alike(first, house.play(game, 0, turned, "k"))


def test_b10_the_key_of_another_seat_does_not_match(house: House, game: str) -> None:
    answers = [house.play(game, seat, a_move(house, game, seat), "k") for seat in range(4)]
    assert all(answer.appended for answer in answers)
    assert len({envelope(house.store.read(game)[a.version - 1]).command for a in answers}) == 4


def test_b10_the_key_of_another_game_does_not_match(house: House) -> None:
    for game in (seated(house, key="one"), seated(house, key="two")):
        assert house.play(game, 0, a_move(house, game, 0), "k").appended


def test_the_key_of_a_bot_in_the_same_seat_does_not_match(house: House) -> None:
    game = house.open(seats=(BOT,) * 4).game
    seat = on_turn(house, game)
    command = request(a_move(house, game, seat))
    house.send(game, command, Actor(kind="bot", seat=seat, level="normal"), "k")
    with pytest.raises(RuleViolation, match="no seat"):
        house.send(game, command, person(ANN, seat), "k")


@pytest.mark.parametrize("cold", [False, True])
def test_c06_a_key_is_remembered_for_the_life_of_the_game(
    house: House, game: str, cold: bool
) -> None:
    move, other = a_move(house, game, 0, seed=1), a_move(house, game, 0, seed=2)
    first = house.play(game, 0, move, "k")
    play_on(house, game)
    assert house.table(game).status == "finished"
    process = House(house.store) if cold else house
    before = house.store.read(game)
    assert answered_alike(first, process.play(game, 0, move, "k"))
    with pytest.raises(KeyReused):
        process.play(game, 0, other, "k")
    assert house.store.read(game) == before


def test_a_refused_command_is_not_remembered(house: House, game: str) -> None:
    seat = 1
    move = a_move(house, game, seat)
    wrong = msgspec.structs.replace(move, answers="d1.t1")
    with pytest.raises(RuleViolation):
        house.play(game, seat, wrong, "k")
    assert house.play(game, seat, move, "k").appended


def test_a_known_key_precedes_if_match(house: House, game: str) -> None:
    move = a_move(house, game, 0)
    at = house.table(game).version
    first = house.play(game, 0, move, "k", if_match=at)
    assert answered_alike(first, house.play(game, 0, move, "k", if_match=at))
    assert answered_alike(first, house.play(game, 0, move, "k", if_match=999))


def test_a_known_key_precedes_the_phase(house: House, game: str) -> None:
    move = a_move(house, game, 0)
    first = house.play(game, 0, move, "k")
    play_on(house, game)
    with pytest.raises(RuleViolation) as refusal:
        house.play(game, 0, move, "another")
    assert refusal.value.code == "game-over"
    assert answered_alike(first, house.play(game, 0, move, "k"))


def test_b13_the_same_play_five_times_without_a_key_is_one_event(house: House, game: str) -> None:
    move = a_move(house, game, 2)
    first = house.play(game, 2, move)
    for _ in range(4):
        with pytest.raises(RuleViolation) as refusal:
            house.play(game, 2, move)
        assert refusal.value.code == "already-answered"
        assert refusal.value.facts["answered_by"] == first.version
    assert len(house.store.read(game)) == first.version


# --- seats


def test_b15_who_sits_already_is_answered_with_the_first_receipt(house: House) -> None:
    game = house.open().game
    first = house.sit(game, BEN, 2)
    house.sit(game, CAT, 3)
    again = house.sit(game, BEN, 2)
    assert answered_alike(first, again)
    assert not again.appended
    assert len(house.store.read(game)) == 3


def test_b15_other_entropy_is_refused_and_never_dropped(house: House) -> None:
    game = house.open().game
    first = house.sit(game, BEN, 2, "k", "ab" * 16)
    with pytest.raises(RuleViolation, match="sit at this table already"):
        house.sit(game, BEN, 2, None, "cd" * 16)
    with pytest.raises(KeyReused):
        house.sit(game, BEN, 2, "k", "cd" * 16)
    for key in ("k", None):
        assert answered_alike(first, house.sit(game, BEN, 2, key, "ab" * 16))
    assert answered_alike(first, house.sit(game, BEN, 2))


def test_who_has_left_does_not_sit_by_an_old_answer(house: House) -> None:
    other = House(house.store)
    game = house.open().game
    house.sit(game, BEN, 2)
    other.send(game, Leave(player=BEN, seat=2), person(BEN, 2))
    again = house.sit(game, BEN, 2)
    assert again.appended
    assert house.table(game).seat_of(BEN) == 2


def test_a_key_that_opened_the_game_fits_no_command_on_it(house: House) -> None:
    game = house.open(key="k").game
    with pytest.raises(KeyReused):
        house.sit(game, ANN, 0, "k")
    assert len(house.store.read(game)) == 1


def test_the_last_sitter_gets_their_own_hand_and_no_other(house: House) -> None:
    game = house.open().game
    for seat, player in enumerate(PEOPLE[:3]):
        house.sit(game, player, seat)
    dealt = msgspec.json.decode(house.sit(game, DAN, 3).events[-1])
    assert dealt["type"] == "hearts.dealt"
    assert [part["path"] for part in dealt["known"]] == ["/hands/3"]


# --- opening


def test_one_key_opens_one_game(house: House) -> None:
    first = house.open(key="k")
    again = house.open(key="k")
    assert answered_alike(first, again)
    assert first.game == game_id_of(ANN, "k")
    assert house.store.games() == house.store.games(count=1)


def test_another_root_does_not_open_a_game_anew(house: House) -> None:
    first = house.open(key="k")
    assert answered_alike(first, House(house.store, root=b"q" * 32).open(key="k"))


def test_one_key_does_not_open_two_different_games(house: House) -> None:
    house.open(key="k")
    with pytest.raises(KeyReused):
        house.open(key="k", target_score=50)
    with pytest.raises(KeyReused):
        house.open(key="k", target_score="much")
    with pytest.raises(KeyReused):
        house.open(key="k", seats=(BOT, OPEN, OPEN, OPEN))


def test_the_key_of_another_opener_opens_another_game(house: House) -> None:
    assert house.open(key="k").game != house.open(key="k", opener=BEN).game


def test_a_repeated_opening_is_answered_alike_when_the_game_has_gone_on(house: House) -> None:
    seats = (BOT,) * 4
    first = house.open(key="k", seats=seats)
    bots_play(house, first.game, 9)
    assert answered_alike(first, house.open(key="k", seats=seats))


def test_of_two_processes_with_one_key_one_opens(house: House) -> None:
    answers: list[CommandResult] = []
    houses = [House(house.store, root=bytes([n]) * 32) for n in range(6)]
    at_once([lambda h=h: answers.append(h.open(key="k")) for h in houses])
    assert len(house.store.games()) == 1
    assert sum(answer.appended for answer in answers) == 1
    assert all(answered_alike(answers[0], answer) for answer in answers)


def test_a_command_on_a_game_never_opened_is_unknown(house: House) -> None:
    with pytest.raises(UnknownGame):
        house.sit("nowhere", ANN, 0)


# --- conflicts


def test_a_stale_cache_decides_again_on_the_newest_state(house: House, game: str) -> None:
    other = House(house.store)
    moves = [a_move(other, game, seat) for seat in range(4)]
    first = house.play(game, 0, moves[0])
    second = other.play(game, 1, moves[1])
    assert second.version == first.version + 1
    assert other.loader.cached(game) == fold(game, house.store.read(game))


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_b11_the_order_of_simultaneous_passes_does_not_matter(order: tuple[int, ...]) -> None:
    tables = []
    for arrival in ((0, 1, 2, 3), order):
        house = House()
        game = seated(house, key="k")
        processes = [House(house.store) for _ in range(4)]
        moves = [a_move(process, game, seat) for seat, process in enumerate(processes)]
        for seat in arrival:
            assert processes[seat].play(game, seat, moves[seat]).appended
        tables.append(house.table(game).state)
    assert tables[0] == tables[1]


@pytest.mark.parametrize("on", ["memory", "fakeredis"])
def test_b11_four_passes_at_once_are_all_accepted_and_swapped_once(on: str) -> None:
    server = fakeredis.FakeServer()
    shared = MemoryStore()

    def store() -> LogStore:
        return shared if on == "memory" else RedisStore(fakeredis.FakeRedis(server=server))

    house = House(store())
    game = seated(house)
    processes = [House(store()) for _ in range(4)]
    moves = [a_move(process, game, seat) for seat, process in enumerate(processes)]
    answers: list[CommandResult] = []
    at_once(
        [
            lambda seat=seat: answers.append(processes[seat].play(game, seat, moves[seat]))
            for seat in range(4)
        ]
    )
    kinds = [e.type for e in envelopes(house, game)]
    assert kinds.count("hearts.cards-passed") == 4
    assert kinds.count("hearts.passes-swapped") == 1
    assert kinds[-1] == "hearts.passes-swapped"
    assert all(answer.appended for answer in answers)


def test_a_move_refused_by_a_stale_cache_is_decided_on_the_tail(house: House, game: str) -> None:
    other = House(house.store)
    for seat in range(3):
        other.play(game, seat, a_move(other, game, seat))
    stale = house.loader.cached(game)
    other.play(game, 3, a_move(other, game, 3))
    seat = on_turn(other, game)
    move = a_move(other, game, seat)
    assert house.loader.cached(game) == stale
    assert house.play(game, seat, move).appended


def test_a_move_that_has_become_late_is_told_so_by_the_newest_state(
    house: House, game: str
) -> None:
    other = House(house.store)
    move = a_move(house, game, 0)
    done = other.play(game, 0, move)
    with pytest.raises(RuleViolation) as refusal:
        house.play(game, 0, move)
    assert refusal.value.code == "already-answered"
    assert refusal.value.facts["answered_by"] == done.version


def test_c07_a_stale_if_match_carries_both_versions(house: House, game: str) -> None:
    other = House(house.store)
    seen = house.table(game).version
    other.play(game, 1, a_move(other, game, 1))
    with pytest.raises(StaleVersion) as stale:
        house.play(game, 0, a_move(other, game, 0), if_match=seen)
    assert (stale.value.expected, stale.value.actual) == (seen, seen + 1)
    assert len(house.store.read(game)) == seen + 1


def test_an_if_match_ahead_of_the_cache_is_compared_with_the_log(house: House, game: str) -> None:
    other = House(house.store)
    seen = other.play(game, 1, a_move(other, game, 1)).version
    assert house.play(game, 0, a_move(other, game, 0), if_match=seen).version == seen + 1


@pytest.mark.parametrize(
    "refused",
    [
        lambda h, g: h.play(g, 0, msgspec.structs.replace(a_move(h, g, 0), answers="d1.t1")),
        lambda h, g: h.play(g, 0, a_move(h, g, 1)),
        lambda h, g: h.play(g, 0, a_move(h, g, 0), if_match=3),
        lambda h, g: h.sit(g, "p_eve", 0),
        lambda h, g: h.send(g, CloseGame(player=ANN), person(ANN, 0)),
        lambda h, g: h.send(g, Leave(player=ANN, seat=1), person(ANN, 1)),
        lambda h, g: h.send(g, SeatBot(player=ANN, seat=1, level="easy"), person(ANN, 0)),
    ],
)
def test_a_refused_command_appends_nothing(house: House, game: str, refused: Any) -> None:
    before = house.store.read(game)
    with pytest.raises((RuleViolation, StaleVersion)):
        refused(house, game)
    assert house.store.read(game) == before
    assert house.loader.cached(game) == fold(game, before)


# --- a store that misbehaves


class Troubled:
    """A store before which `trouble` happens to the next appends, once each."""

    def __init__(self, trouble: Sequence[str] = ()) -> None:
        self.inner = MemoryStore()
        self.trouble = list(trouble)
        self.tried: list[list[Entry]] = []

    def append(
        self, game: str, expected: Head, entries: Sequence[Entry], due: tuple[Due, ...], now: int
    ) -> None:
        self.tried.append(list(entries))
        trouble = self.trouble.pop(0) if self.trouble else ""
        if trouble == "lost before":
            raise Busy("not written, and nobody knows")
        self.inner.append(game, expected, entries, due, now)
        if trouble == "lost after":
            raise Busy("written, and nobody knows")
        if trouble == "sent twice":
            self.inner.append(game, expected, entries, due, now)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def troubled() -> tuple[House, Troubled, str]:
    store = Troubled()
    house = House(store)
    return house, store, seated(house)


def test_an_append_of_unknown_outcome_drops_the_cache_and_the_retry_answers_the_first() -> None:
    house, store, game = troubled()
    move = a_move(house, game, 0)
    at = house.table(game).version
    store.trouble = ["lost after"]
    with pytest.raises(Busy):
        house.play(game, 0, move, "k")
    again = house.play(game, 0, move, "k")
    assert again.version == at + 1 == len(store.read(game))
    assert answered_alike(again, house.play(game, 0, move, "k"))
    assert store.read(game, again.version) == store.tried[-1]


def test_an_opening_of_unknown_outcome_is_found_by_its_retry() -> None:
    store = Troubled(["lost after"])
    house = House(store)
    with pytest.raises(Busy):
        house.open(key="k")
    assert not house.open(key="k").appended
    assert len(store.tried) == 1


@pytest.mark.parametrize("command", ["open", "play"])
def test_an_append_that_the_client_library_sent_twice_is_found_in_the_tail(command: str) -> None:
    house, store, game = troubled()
    before = len(store.read(game))
    store.trouble = ["sent twice"]
    if command == "open":
        answer = house.open(key="k")
        assert (answer.version, len(store.read(answer.game))) == (1, 1)
        assert answered_alike(answer, house.open(key="k"))
    else:
        answer = house.play(game, 0, a_move(house, game, 0), "k")
        assert answer.version == before + 1 == len(store.read(game))


@pytest.mark.parametrize("trouble", ["lost before", "lost after", "sent twice"])
def test_d08_a_retried_append_draws_the_same(trouble: str) -> None:
    store = Troubled()
    house = House(store)
    game = house.open().game
    for seat, player in enumerate(PEOPLE[:3]):
        house.sit(game, player, seat)
    store.trouble = [trouble]
    for _ in range(2):
        try:
            house.sit(game, DAN, 3, "k", "ab" * 16)
        except Busy:
            continue
    tried = [[masked(entry) for entry in entries] for entries in store.tried if len(entries) == 3]
    assert tried == tried[:1] * len(tried)
    assert len(store.read(game)) == 7


def masked(entry: Entry) -> dict[str, Any]:
    public: dict[str, Any] = msgspec.json.decode(entry.public)
    return public | {"at": "", "secrets": entry.secrets}


def test_d08_a_conflict_does_not_draw_again() -> None:
    """The last sitter is first refused by the store: somebody left and came back meanwhile."""
    drawn = []
    for interrupted in (False, True):
        store = Contested(rivals=2 if interrupted else 0)
        house = House(store)
        game = house.open(key="k").game
        for seat, player in enumerate(PEOPLE[:3]):
            house.sit(game, player, seat)
        store.rival = House(store)
        house.sit(game, DAN, 3)
        assert house.table(game).version == (9 if interrupted else 7)
        drawn.append(house.table(game).state.hands)
    assert drawn[0] == drawn[1]


class Contested(MemoryStore):
    """A store on which a rival, in the seat of ann, is first so many times: leaves, comes back."""

    rival: House | None = None

    def __init__(self, rivals: int) -> None:
        super().__init__()
        self.rivals = rivals

    def append(
        self, game: str, expected: Head, entries: Sequence[Entry], due: tuple[Due, ...], now: int
    ) -> None:
        if self.rival is not None and self.rivals:
            rival, self.rival = self.rival, None
            if rival.table(game).seat_of(ANN) is None:
                rival.sit(game, ANN, 0)
            else:
                rival.send(game, Leave(player=ANN, seat=0), person(ANN, 0))
            self.rival = rival
            self.rivals -= 1
        super().append(game, expected, entries, due, now)


def test_after_eight_conflicts_the_command_is_busy_and_nothing_is_appended() -> None:
    store = Contested(rivals=99)
    house = House(store)
    game = house.open().game
    store.rival = House(store)
    with pytest.raises(Busy):
        house.sit(game, DAN, 3, "k")
    assert len(store.read(game)) == 1 + ATTEMPTS
    assert house.table(game).seat_of(DAN) is None
    store.rival = None
    assert house.sit(game, DAN, 3, "k").appended


# --- what an entry says


def test_receipts_sign_the_last_entry_of_the_command(house: House, game: str) -> None:
    for answer in (
        house.open(),
        house.play(game, 0, a_move(house, game, 0)),
        house.play(game, 1, a_move(house, game, 1)),
    ):
        entry = house.store.read(answer.game)[answer.version - 1]
        assert is_signed(answer.receipt, KEYS)
        assert (answer.receipt.version, answer.receipt.digest) == (
            entry.version,
            entry.digest.hex(),
        )
        assert not is_signed(msgspec.structs.replace(answer.receipt, version=99), KEYS)
        assert not is_signed(msgspec.structs.replace(answer.receipt, key="other"), KEYS)


def test_consequences_are_the_tables_and_name_their_cause(house: House, game: str) -> None:
    for seat in range(4):
        house.play(game, seat, a_move(house, game, seat))
    passed, swapped = envelopes(house, game)[-2:]
    assert (passed.actor.kind, passed.actor.id, passed.actor.seat) == ("player", DAN, 3)
    assert passed.causation is None
    assert (swapped.actor.kind, swapped.actor.id) == ("table", None)
    assert swapped.causation == passed.version == swapped.version - 1
    assert swapped.command == passed.command
    assert swapped.correlation == passed.correlation == "c"


def test_who_acts_and_when_is_in_the_entry(house: House, game: str) -> None:
    opened, taken = envelopes(house, game)[:2]
    assert (opened.actor.id, opened.actor.seat, opened.causation) == (ANN, None, None)
    assert (taken.actor.id, taken.actor.seat) == (ANN, 0)
    assert opened.at == "2023-11-14T22:13:20.000Z"
    assert all(e.at.endswith("Z") and len(e.at) == 24 for e in envelopes(house, game))


def test_command_ids_tell_nothing_of_key_or_player(house: House) -> None:
    """The same key of the same player in two games, and of two players in one, has four ids."""
    ids = set()
    games = [house.open(key=key).game for key in ("one", "two")]
    for game in games:
        for player, seat in ((BEN, 1), (CAT, 2)):
            house.sit(game, player, seat, "the same key")
        ids |= {e.command for e in envelopes(house, game)[1:]}
    assert len(ids) == 4
    assert all(len(bytes.fromhex(command)) == 16 for command in ids)
    for entry in house.store.read(games[0]):
        assert b"the same key" not in entry.public + entry.secrets


# --- secrets


def test_no_answer_tells_a_secret_of_another_seat(house: House, game: str) -> None:
    root = (b"r" * 32).hex().encode()
    rng = random.Random(3)
    for _ in range(30):
        chosen = next_move(house, game, rng)
        assert chosen is not None
        seat, move = chosen
        answer = house.play(game, seat, move)
        for raw in answer.events:
            assert root not in raw
            for part in msgspec.json.decode(raw)["known"]:
                assert part["path"] in {f"/hands/{seat}", f"/received/{seat}", "/cards"}


def test_no_public_object_holds_the_root_before_the_end(house: House, game: str) -> None:
    root = (b"r" * 32).hex().encode()
    play_on(house, game)
    holding = [e.version for e in house.store.read(game) if root in e.public]
    assert holding == [house.table(game).version]


def test_a_state_holds_no_link_that_is_not_out(house: House, game: str) -> None:
    loaded = house.loader.current(game)
    told = msgspec.json.encode(loaded.game)
    assert not any(link.hex().encode() in told for link in loaded.chain.links[1:])


# --- what is due


def test_a_bot_is_due_while_its_seat_owes_a_move(house: House) -> None:
    game = house.open(seats=(OPEN, BOT, BOT, BOT)).game
    assert due(house) == {"score"}
    house.sit(game, ANN, 0)
    assert due(house) == {"bot", "score"}
    bots_play(house, game, 3)
    assert due(house) == {"score"}


def test_a_scored_deal_is_due_for_its_scoresheet(house: House, game: str) -> None:
    house.store.clear_due(game, "score", house.table(game).version)
    play_on(house, game, moves=4 + 51)
    assert due(house) == set()
    play_on(house, game, moves=1)
    assert due(house) == {"score"}


def test_what_the_lobby_shows_is_due_for_its_projections(house: House) -> None:
    game = house.open().game
    for change in (
        lambda: house.sit(game, ANN, 0),
        lambda: house.send(game, Leave(player=ANN, seat=0), person(ANN, 0)),
        lambda: house.send(game, CloseGame(player=ANN), person(ANN)),
    ):
        house.store.clear_due(game, "score", house.table(game).version)
        assert due(house) == set()
        change()
        assert due(house) == {"score"}


# --- little helpers of this page


def due(house: House) -> set[str]:
    return {work for _, work, _ in house.store.due(NOW * 2)}


def bots_play(house: House, game: str, moves: int) -> None:
    rng = random.Random(0)
    for _ in range(moves):
        state = house.table(game)
        seat = min(s for s in questions(state) if state.seats[s].kind == "bot")
        move = some_move(find(state.ruleset), state.state, seat, rng)
        house.send(game, request(move), Actor(kind="bot", seat=seat, level="normal"))


def at_once(calls: Sequence[Any]) -> None:
    """Every call in a thread of its own, all starting together; raises what one of them raised."""
    start = threading.Barrier(len(calls))
    failed: list[Exception] = []

    def run(call: Any) -> None:
        start.wait()
        try:
            call()
        except Exception as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
