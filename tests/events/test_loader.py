"""From stored entries to state: verified, cached, and never half understood."""

import dataclasses
import itertools
import random
from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
import pytest

from domain import registry
from domain.kernel import Event
from domain.visibility import Public, Secret
from events.errors import LogBroken, LogMissing, UnknownGame, UnknownRuleset, UnknownSchema
from events.log import upcasting
from events.log.entry import Entry, entry_digest, envelope, event_of
from events.log.loader import Loader, fold
from events.log.memory import MemoryStore
from events.log.store import Head
from tests.events.playing import House, play_on, seated

Data = dict[str, Any]

OPENED: Data = {
    "ruleset": "hearts@1",
    "options": {},
    "seats": [],
    "opener": "p_ann",
    "commitment": "",
    "links": 1024,
    "root": "",
}


class CountingStore(MemoryStore):
    """Notes which entries were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, int, int | None]] = []

    def read(self, game: str, first: int = 1, last: int | None = None) -> list[Entry]:
        self.asked.append((game, first, last))
        return super().read(game, first, last)


@pytest.fixture(scope="module")
def finished() -> tuple[str, list[Entry]]:
    house = House()
    game = seated(house)
    play_on(house, game)
    return game, house.store.read(game)


def rewritten(
    game: str, entries: list[Entry], version: int, change: Callable[[Data], object]
) -> list[Entry]:
    """The log with one public object changed, and every digest after it made to fit."""
    previous, written = b"", []
    for entry in entries:
        public = entry.public
        if entry.version == version:
            data = msgspec.json.decode(public)
            change(data)
            public = msgspec.json.encode(data, order="sorted")
        previous = entry_digest(game, previous, public)
        written.append(Entry(entry.version, public, previous, entry.secrets))
    return written


def first_of(entries: list[Entry], kind: str, after: int = 0) -> int:
    return next(e.version for e in entries[after:] if envelope(e).type == kind)


# --- the cache


def test_the_least_recently_used_game_is_dropped_first() -> None:
    house = House(CountingStore(), capacity=2)
    games = [house.open().game for _ in range(3)]
    store: Any = house.store
    house.loader.cached(games[1])
    store.asked.clear()
    house.loader.cached(games[2])
    house.loader.cached(games[1])
    assert store.asked == []
    house.loader.cached(games[0])
    assert store.asked == [(games[0], 1, None)]
    house.loader.cached(games[1])
    assert len(store.asked) == 1
    house.loader.cached(games[2])
    assert len(store.asked) == 2


def test_a_tail_read_starts_at_the_version_that_is_cached() -> None:
    house = House(CountingStore())
    game = seated(house)
    store: Any = house.store
    store.asked.clear()
    house.loader.current(game)
    assert store.asked == [(game, 7, None)]


def test_a_cached_game_only_moves_forward() -> None:
    house = House()
    game = seated(house)
    past = house.loader.at(game, 4)
    now = house.loader.current(game)
    assert house.loader.keep(past) == past
    assert house.loader.cached(game) == now


def test_another_process_is_caught_up_with_by_its_tail() -> None:
    house = House()
    game = seated(house)
    other = House(house.store)
    other.table(game)
    play_on(house, game, moves=20)
    assert other.loader.cached(game).head.version == 7
    assert other.loader.current(game) == house.loader.current(game)


def test_a_dropped_game_is_loaded_cold() -> None:
    house = House(CountingStore())
    game = house.open().game
    store: Any = house.store
    house.loader.drop(game)
    house.loader.drop("never seen")
    store.asked.clear()
    house.loader.cached(game)
    assert store.asked == [(game, 1, None)]


def test_another_log_under_the_same_versions_is_noticed_and_loaded_cold() -> None:
    """After a restore from another backup: the head's digest differs, and nothing cached holds."""
    ours, theirs = House(), House(root=b"t" * 32)
    game = ours.open(key="k").game
    ours.sit(game, "p_ann", 0)
    assert theirs.open(key="k").game == game
    theirs.sit(game, "p_ben", 0)
    theirs.sit(game, "p_cat", 1)
    store: Any = ours.store
    store.logs[game] = theirs.store.read(game)
    assert ours.loader.current(game) == theirs.loader.current(game)
    assert ours.loader.cached(game).game.seat_of("p_ben") == 0


def test_a_log_shorter_than_the_cache_is_loaded_cold() -> None:
    house = House()
    game = seated(house)
    store: Any = house.store
    store.logs[game] = store.logs[game][:3]
    assert house.loader.current(game).head.version == 3


def test_c09_a_cached_game_whose_log_is_gone_is_missing() -> None:
    house = House()
    game = seated(house)
    store: Any = house.store
    del store.logs[game]
    with pytest.raises(LogMissing):
        house.loader.current(game)
    with pytest.raises(LogMissing):
        house.loader.cached(game)


def test_a_game_opened_while_it_is_looked_for_is_found_or_unknown_but_never_missing() -> None:
    class Late(MemoryStore):
        def is_known(self, game: str) -> bool:
            if not super().is_known(game):
                return False
            self.logs = self.hidden
            return True

        hidden: ClassVar[dict[str, list[Entry]]] = {}

    house = House(Late())
    game = house.open().game
    store: Any = house.store
    store.hidden, store.logs = store.logs, {}
    assert Loader(store).current(game).head.version == 1


# --- the fold


def test_a_folded_log_is_what_the_handler_had(finished: tuple[str, list[Entry]]) -> None:
    house = House()
    game = seated(house)
    play_on(house, game, moves=60)
    assert fold(game, house.store.read(game)) == house.loader.cached(game)


def test_a_log_may_be_folded_in_any_pieces(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    whole = fold(game, entries)
    rng = random.Random(5)
    for _ in range(20):
        cut = rng.randint(1, len(entries))
        assert fold(game, entries[cut:], fold(game, entries[:cut])) == whole


def test_the_span_of_each_command_is_known(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    spans = sorted(fold(game, entries).commands.values())
    assert spans[0][0] == 1
    assert spans[-1][1] == len(entries)
    assert all(one[1] + 1 == next_[0] for one, next_ in itertools.pairwise(spans))


def test_no_entries_are_no_game() -> None:
    with pytest.raises(UnknownGame):
        fold("g", [])


# --- broken logs


def test_a21_a_card_played_twice_stops_the_replay_with_its_version(
    finished: tuple[str, list[Entry]],
) -> None:
    game, entries = finished
    first = first_of(entries, "hearts.card-played")
    card = msgspec.json.decode(entries[first - 1].public)["data"]["card"]
    second = next(
        e.version
        for e in entries[first + 4 :]
        if (public := msgspec.json.decode(e.public))["type"] == "hearts.card-played"
        and public["data"]["seat"] == msgspec.json.decode(entries[first - 1].public)["data"]["seat"]
    )
    tampered = rewritten(game, entries, second, lambda public: public["data"].update(card=card))
    with pytest.raises(LogBroken) as broken:
        fold(game, tampered)
    assert broken.value.version == second
    assert "does not hold it" in broken.value.reason


def test_a21_a_hand_of_fourteen_cards_stops_the_replay(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    dealt = first_of(entries, "hearts.dealt")
    secrets = msgspec.json.decode(entries[dealt - 1].secrets)
    secrets["/hands/0"].append(secrets["/hands/1"].pop())
    entry = entries[dealt - 1]
    tampered = list(entries)
    tampered[dealt - 1] = Entry(dealt, entry.public, entry.digest, msgspec.json.encode(secrets))
    with pytest.raises(LogBroken) as broken:
        fold(game, tampered)
    assert broken.value.version == dealt


def test_an_entry_changed_in_place_does_not_fit_its_digest(
    finished: tuple[str, list[Entry]],
) -> None:
    game, entries = finished
    for version in (1, 7, 100, len(entries)):
        entry = entries[version - 1]
        for public, digest in (
            (entry.public.replace(b'"c"', b'"d"'), entry.digest),
            (entry.public, bytes([entry.digest[0] ^ 1]) + entry.digest[1:]),
        ):
            tampered = list(entries)
            tampered[version - 1] = Entry(version, public, digest, entry.secrets)
            with pytest.raises(LogBroken) as broken:
                fold(game, tampered)
            assert broken.value.version == version


def test_a_missing_or_repeated_entry_breaks_the_log(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    for tampered in (
        entries[:50] + entries[51:],
        entries[:50] + entries[49:],
        [*entries[:50], entries[51], entries[50], *entries[52:]],
    ):
        with pytest.raises(LogBroken) as broken:
            fold(game, tampered)
        assert broken.value.version == 51


def test_a_log_under_the_id_of_another_game_is_broken(finished: tuple[str, list[Entry]]) -> None:
    with pytest.raises(LogBroken):
        fold("another", finished[1])


@pytest.mark.parametrize(
    ("version", "change"),
    [
        (1, lambda p: p.update(type="game.seat-left", data={"seat": 0, "player": "p_ann"})),
        (1, lambda p: p["data"].update(links=0)),
        (1, lambda p: p["data"].update(links=10**9)),
        (1, lambda p: p["data"].update(options={"target_score": "high"})),
        (2, lambda p: p.pop("command")),
        (2, lambda p: p.update(extra=1)),
        (2, lambda p: p["data"].update(seat="first")),
        (2, lambda p: p["data"].update(seat=4)),
        (2, lambda p: p["data"].update(seat=-1)),
        (6, lambda p: p.update(type="game.deal-revealed", data={})),
        (10, lambda p: p.update(type="game.opened")),
        (10, lambda p: p.update(type="game.opened", data=OPENED)),
    ],
)
def test_an_entry_that_cannot_be_is_broken_and_named(
    finished: tuple[str, list[Entry]], version: int, change: Callable[[Data], object]
) -> None:
    game, entries = finished
    with pytest.raises(LogBroken) as broken:
        fold(game, rewritten(game, entries, version, change))
    assert broken.value.version == version


@pytest.mark.parametrize("root", ["", "00", "zz" * 32])
def test_a_root_that_is_none_breaks_the_log(finished: tuple[str, list[Entry]], root: str) -> None:
    game, entries = finished
    first = entries[0]
    tampered = Entry(1, first.public, first.digest, msgspec.json.encode({"/root": root}))
    with pytest.raises(LogBroken):
        fold(game, [tampered])


def test_play_after_the_end_breaks_the_log(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    loaded = fold(game, entries)
    played = entries[first_of(entries, "hearts.card-played") - 1]
    public = played.public
    digest = entry_digest(game, loaded.head.digest, public)
    with pytest.raises(LogBroken):
        fold(game, [Entry(loaded.head.version + 1, public, digest)], loaded)


# --- schemas


def test_a_newer_schema_is_unknown_and_says_so(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    with pytest.raises(UnknownSchema, match=r"entry 9: hearts.cards-passed schema 2 is newer"):
        fold(game, rewritten(game, entries, 9, lambda p: p.update(schema=2)))


def test_an_event_type_of_a_later_release_is_unknown(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    with pytest.raises(UnknownSchema, match=r"bridge\.bid"):
        fold(game, rewritten(game, entries, 9, lambda p: p.update(type="bridge.bid")))


def test_a_rule_set_of_a_later_release_is_unknown(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    with pytest.raises(UnknownRuleset, match=r"^There is no rule set hearts@2\.$"):
        fold(game, rewritten(game, entries, 1, lambda p: p["data"].update(ruleset="hearts@2")))


class Shuffled(Event, frozen=True, kw_only=True, tag="dummy.shuffled"):
    """The third schema of an event that once had a `count` and then a `cards`."""

    schema: ClassVar[int] = 3

    hands: Public[int]
    cut: Public[str]
    order: Secret[tuple[str, ...]]


@pytest.fixture
def third_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    hearts = registry.RULESETS["hearts@1"]
    dummy = dataclasses.replace(hearts, name="dummy", events=(Shuffled,))
    monkeypatch.setitem(registry.RULESETS, "dummy@1", dummy)
    monkeypatch.setitem(
        upcasting.UPCASTERS, ("dummy.shuffled", 1), lambda d: d | {"hands": d.pop("count")}
    )
    monkeypatch.setitem(upcasting.UPCASTERS, ("dummy.shuffled", 2), lambda d: d | {"cut": "middle"})


@pytest.mark.usefixtures("third_schema")
@pytest.mark.parametrize(
    ("schema", "data"),
    [(1, {"count": 4}), (2, {"hands": 4}), (3, {"hands": 4, "cut": "middle"})],
)
def test_an_older_schema_is_brought_up_to_date_on_its_way_into_state_only(
    schema: int, data: Data
) -> None:
    sealed = {"sealed": "00" * 32, "to": [], "until": "game"}
    public = msgspec.json.encode(
        {
            "actor": {"kind": "table"},
            "at": "",
            "causation": None,
            "command": "",
            "correlation": "",
            "data": data | {"order": sealed},
            "game": "g",
            "schema": schema,
            "type": "dummy.shuffled",
            "version": 2,
        },
        order="sorted",
    )
    entry = Entry(2, public, b"", b'{"/order":["2C","QS"]}')
    assert event_of(entry, envelope(entry)) == Shuffled(hands=4, cut="middle", order=("2C", "QS"))
    assert entry.public == public


def test_an_upcaster_does_not_touch_what_it_is_given() -> None:
    given = {"count": 4}
    assert upcasting.upcast("none", 1, 1, given) is given


def test_the_types_a_process_knows_are_those_registered_now(
    finished: tuple[str, list[Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No table of types outlives a change of the registry."""
    game, entries = finished
    fold(game, entries)
    others = {name: found for name, found in registry.RULESETS.items() if name != "hearts@1"}
    monkeypatch.setattr(registry, "RULESETS", others)
    with pytest.raises(UnknownSchema):
        fold(game, entries)
    entry = entries[first_of(entries, "hearts.card-played") - 1]
    with pytest.raises(UnknownSchema):
        event_of(entry, envelope(entry))


def test_versions_and_digests_come_from_the_log(finished: tuple[str, list[Entry]]) -> None:
    game, entries = finished
    loaded = fold(game, entries)
    assert loaded.head == Head(len(entries), entries[-1].digest)
    assert loaded.game.version == len(entries)
