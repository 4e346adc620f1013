"""What anyone is shown: the same at any time, and nothing that is not theirs to know."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.card_games.cards import FRENCH
from domain.game.model import CloseGame, Leave, Script, SeatBot
from domain.visibility import Viewer
from events.errors import LogMissing, NotFinished, UnknownGame, UnknownVersion
from events.log.entry import entry_digest
from events.queries import view_with_head, viewer_of
from tests.events.playing import (
    ANN,
    BEN,
    CAT,
    DAN,
    PEOPLE,
    House,
    person,
    play_on,
    played_on,
    seated,
)

VIEWERS: tuple[str | None, ...] = (*PEOPLE, "p_eve", None)
CARDS = frozenset(FRENCH.codes)

Said = dict[str, Any]


class Watched:
    """A whole game, and what everyone was shown of it after every command."""

    def __init__(self, house: House, game: str) -> None:
        self.house, self.game = house, game
        self.views: dict[tuple[int, str | None], bytes] = {}
        self.feeds: dict[str | None, list[bytes]] = {viewer: [] for viewer in VIEWERS}

    def look(self) -> None:
        reader = self.house.reader
        for viewer in VIEWERS:
            view = msgspec.json.encode(reader.view(self.game, viewer))
            self.views[self.house.table(self.game).version, viewer] = view
            feed = self.feeds[viewer]
            feed += reader.feed(self.game, viewer, after=len(feed))

    @property
    def versions(self) -> list[int]:
        return sorted({version for version, _ in self.views})


@pytest.fixture(scope="module")
def watched() -> Watched:
    house = House()
    game = house.open(target_score=40).game
    watched = Watched(house, game)
    watched.look()
    house.sit(game, CAT, 0)
    watched.look()
    house.send(game, Leave(player=CAT, seat=0), person(CAT, 0))
    for seat, player in enumerate(PEOPLE):
        house.sit(game, player, seat)
        watched.look()
    for _ in played_on(house, game):
        watched.look()
    assert house.table(game).status == "finished"
    return watched


@pytest.fixture
def house() -> House:
    return House()


# --- views


def test_a_past_view_is_byte_for_byte_what_was_shown_then(watched: Watched) -> None:
    for version in watched.versions:
        then = watched.house.loader.at(watched.game, version)
        for viewer in VIEWERS:
            again = msgspec.json.encode(view_with_head(then, viewer_of(then.game, viewer)))
            assert again == watched.views[version, viewer]


def test_the_reader_gives_that_view_by_version(watched: Watched) -> None:
    reader = watched.house.reader
    for version, viewer in random.Random(1).sample(sorted(watched.views, key=str), 60):
        view = reader.view(watched.game, viewer, at=version)
        assert msgspec.json.encode(view) == watched.views[version, viewer]
        assert view["version"] == version


def test_every_version_has_a_view_with_the_head_it_was_computed_from(watched: Watched) -> None:
    entries = watched.house.store.read(watched.game)
    for entry in entries[::7]:
        view = watched.house.reader.view(watched.game, None, at=entry.version)
        assert (view["version"], view["digest"]) == (entry.version, entry.digest.hex())


def test_a_cold_process_shows_the_same(watched: Watched) -> None:
    cold = House(watched.house.store)
    for viewer in VIEWERS:
        view = msgspec.json.encode(cold.reader.view(watched.game, viewer))
        assert view == watched.views[watched.versions[-1], viewer]


def test_a_version_the_game_does_not_have_is_unknown(watched: Watched) -> None:
    for version in (0, -1, watched.versions[-1] + 1):
        with pytest.raises(UnknownVersion):
            watched.house.reader.view(watched.game, None, at=version)


def test_the_views_of_other_seats_open_when_the_game_is_finished(watched: Watched) -> None:
    reader = watched.house.reader
    for version in watched.versions[5::9]:
        for seat, player in enumerate(PEOPLE):
            view = reader.view(watched.game, None, at=version, seat=seat)
            assert msgspec.json.encode(view) == watched.views[version, player]


def test_b06_no_seat_is_shown_to_others_while_the_game_goes_on(house: House) -> None:
    game = seated(house)
    for viewer in VIEWERS:
        for seat in range(4):
            with pytest.raises(NotFinished):
                house.reader.view(game, viewer, seat=seat)
            with pytest.raises(NotFinished):
                house.reader.view(game, viewer, at=7, seat=seat)


def test_b03_a_spectator_is_shown_no_key_that_a_seat_is_not(watched: Watched) -> None:
    for version in watched.versions:
        spectator = keys(msgspec.json.decode(watched.views[version, None]))
        for player in PEOPLE:
            assert spectator <= keys(msgspec.json.decode(watched.views[version, player]))


def test_b03_a_spectator_of_the_pass_sees_counts_only(house: House) -> None:
    game = seated(house)
    play_on(house, game, moves=2)
    view = house.reader.view(game, None)
    assert not codes(view)
    assert sum(view["hand_counts"]) == 52 - 6


def test_every_viewer_without_a_seat_sees_the_same(watched: Watched) -> None:
    for version in watched.versions:
        assert watched.views[version, "p_eve"] == watched.views[version, None]


# --- feeds


def test_a_line_is_the_same_at_any_time(watched: Watched) -> None:
    for viewer in VIEWERS:
        assert (
            watched.house.reader.feed(watched.game, viewer, count=10_000) == watched.feeds[viewer]
        )


def test_a_feed_has_every_version_once(watched: Watched) -> None:
    versions = [line["version"] for line in lines(watched.feeds[None])]
    assert versions == list(range(1, watched.versions[-1] + 1))


def test_a_feed_comes_in_pages(watched: Watched) -> None:
    pages: list[bytes] = []
    while page := watched.house.reader.feed(watched.game, BEN, after=len(pages), count=17):
        pages += page
    assert pages == watched.feeds[BEN]


def test_a_feed_verifies_by_its_own_lines(watched: Watched) -> None:
    previous = b""
    for raw in watched.feeds[None]:
        public, _, rest = raw.rpartition(b',"digest":"')
        previous = entry_digest(watched.game, previous, public + b"}")
        assert rest.startswith(previous.hex().encode())


def test_the_feed_of_a_finished_game_stays_its_readers_own(watched: Watched) -> None:
    paths = {part["path"] for line in lines(watched.feeds[CAT]) for part in line["known"]}
    assert paths == {"/hands/2", "/received/2", "/cards"}
    assert not any(line["known"] for line in lines(watched.feeds[None]))


def test_who_came_by_another_process_has_their_own_feed_in_this_one(house: House) -> None:
    other = House(house.store)
    game = house.open().game
    house.reader.feed(game, DAN)
    for seat, player in enumerate(PEOPLE):
        other.sit(game, player, seat)
    assert lines(house.reader.feed(game, DAN))[-1]["known"][0]["path"] == "/hands/3"


def test_whoever_sits_down_during_a_read_is_not_fed_as_a_spectator(house: House) -> None:
    """The lines end where the reader knew who was asking; the next call has the rest."""
    other = House(house.store)
    game = house.open().game
    for seat, player in enumerate(PEOPLE[:3]):
        house.sit(game, player, seat)
    loader = house.loader
    current = loader.current

    def then_dan_sits(game_id: str) -> Any:
        loaded = current(game_id)
        other.sit(game, DAN, 3)
        return loaded

    loader.current = then_dan_sits  # type: ignore[method-assign]
    assert len(house.reader.feed(game, DAN)) == 4
    loader.current = current  # type: ignore[method-assign]
    assert lines(house.reader.feed(game, DAN, after=4))[-1]["known"][0]["path"] == "/hands/3"


# --- the whole log


def test_the_whole_log_opens_when_the_game_is_finished(watched: Watched, house: House) -> None:
    log = lines(watched.house.reader.log(watched.game))
    dealt = next(line for line in log if line["type"] == "hearts.dealt")
    assert [part["path"] for part in dealt["known"]] == [f"/hands/{seat}" for seat in range(4)]
    assert [part["path"] for part in log[0]["known"]] == ["/root"]
    game = seated(house)
    with pytest.raises(NotFinished):
        house.reader.log(game)


def test_a_table_closed_before_the_start_has_a_log_too(house: House) -> None:
    game = house.open().game
    house.send(game, SeatBot(player=ANN, seat=1, level="easy"), person(ANN))
    house.send(game, CloseGame(player=ANN), person(ANN))
    last = lines(house.reader.log(game))[-1]
    assert (last["type"], last["data"]["reason"]) == ("game.finished", "closed")
    assert house.reader.view(game, None)["status"] == "finished"


# --- what a view tells, the feed has told


def facts_of_the_deal(feed: list[Said]) -> set[str]:
    """Every card a reader was told since the deal began, public or theirs."""
    told: set[str] = set()
    for line in feed:
        if line["type"] == "hearts.dealt":
            told = set()
        told |= codes(line["data"]) | codes([part["value"] for part in line["known"]])
    return told


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_card_in_a_view_is_in_that_viewers_feed(watched: Watched, viewer: str | None) -> None:
    feed = lines(watched.feeds[viewer])
    for version in watched.versions:
        view = msgspec.json.decode(watched.views[version, viewer])
        if view["status"] == "playing":
            assert codes(view) <= facts_of_the_deal(feed[:version])


@pytest.mark.parametrize("seat", range(4))
def test_hand_and_pass_in_a_view_are_those_of_the_seats_own_parts(
    watched: Watched, seat: int
) -> None:
    parts: dict[str, list[str]] = {}
    feed = lines(watched.feeds[PEOPLE[seat]])
    for earlier, version in itertools.pairwise([0, *watched.versions]):
        for line in feed[earlier:version]:
            if line["type"] == "hearts.dealt":
                parts = {}
            parts |= {part["path"]: part["value"] for part in line["known"]}
        view = msgspec.json.decode(watched.views[version, PEOPLE[seat]])
        if view["status"] == "playing":
            received = parts.get(f"/received/{seat}", [])
            assert (view["passed"] or []) == parts.get("/cards", [])
            assert (view["received"] or []) == received
            assert set(view["hand"]) <= {*parts[f"/hands/{seat}"], *received}


def test_the_opener_alone_reads_the_script_until_the_end() -> None:
    house = House()
    hands = [list(FRENCH.codes[seat * 13 : seat * 13 + 13]) for seat in range(4)]
    script = Script(deals=({"hands": hands},))
    game = seated(house, script=script, target_score=1)
    scripted = {"path": "/scripted_deals/0", "value": {"hands": hands}}
    for viewer in VIEWERS:
        known = lines(house.reader.feed(game, viewer))[0]["known"]
        told = [{name: part[name] for name in scripted} for part in known]
        assert told == ([scripted] if viewer == ANN else [])
        assert house.reader.view(game, viewer)["chance"] == "scripted"
    play_on(house, game)
    finished = lines(house.reader.feed(game, None))[-1]["data"]["parts"]
    assert {"version": 1, **scripted} in finished
    assert not lines(house.reader.feed(game, BEN))[0]["known"]


def test_the_opener_without_a_seat_is_a_spectator_of_the_table() -> None:
    house = House()
    game = house.open(opener="p_eve").game
    for seat, player in enumerate(PEOPLE):
        house.sit(game, player, seat)
    assert viewer_of(house.table(game), "p_eve") == Viewer(None, opener=True)
    assert not codes(house.reader.view(game, "p_eve"))
    assert not any(line["known"] for line in lines(house.reader.feed(game, "p_eve")))


# --- games that are not there


@pytest.mark.parametrize(
    "read",
    [
        lambda reader, game: reader.view(game, ANN),
        lambda reader, game: reader.view(game, ANN, at=3),
        lambda reader, game: reader.feed(game, ANN),
        lambda reader, game: reader.log(game),
        lambda reader, game: reader.current(game),
    ],
)
def test_what_is_not_there_is_unknown_and_what_is_lost_is_missing(house: House, read: Any) -> None:
    with pytest.raises(UnknownGame):
        read(house.reader, "nowhere")
    game = seated(house)
    store: Any = house.store
    del store.logs[game]
    with pytest.raises(LogMissing):
        read(house.reader, game)


# --- little helpers of this page


def lines(raw: list[bytes]) -> list[Said]:
    return [msgspec.json.decode(line) for line in raw]


def codes(value: Any) -> set[str]:
    """Every card code anywhere in a JSON value."""
    return {leaf for leaf in leaves(value) if leaf in CARDS}


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item)


def keys(value: Any, at: str = "") -> set[str]:
    """The path of every key; of what depends on the question asked, the place alone."""
    found = set()
    if isinstance(value, dict) and at != "/to_act":
        for name, item in value.items():
            found |= {f"{at}/{name}"} | keys(item, f"{at}/{name}")
    return found
