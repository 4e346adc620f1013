"""Entries: canonical bytes, lines that stay the same, and older schemas brought up later."""

import string
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import Chain
from domain.visibility import Viewer
from events.audit.parsing import lines_of, read
from events.errors import LogBroken, UnknownSchema
from events.log import upcasting
from events.log.entry import (
    Entry,
    canonical,
    check_follows,
    entry_digest,
    envelope,
    event_of,
    line_for,
    parts_of,
    whole_line,
)
from events.log.loader import fold
from tests.games.hearts.golden import hearts_bots, hearts_closed
from tests.golden.games import Table

NAMES = st.text(string.ascii_letters + string.digits + "_-", max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(codec="utf-8"), max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def table() -> Table:
    return hearts_bots()


@pytest.fixture(scope="module")
def entries(table: Table) -> list[Entry]:
    return table.store.read(table.game)


@pytest.fixture(scope="module")
def chain(table: Table) -> Chain:
    return table.handler.loader.current(table.game).chain


@given(VALUES)
def test_canonical_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("code", [*range(0x20), 0x22, 0x2F, 0x5C, 0x7F, 0x80, 0x2028, 0x1F0A1])
def test_canonical_texts_escape_what_rfc_8785_escapes(code: int) -> None:
    assert canonical({"a": chr(code)}) == rfc8785.dumps({"a": chr(code)})


def test_every_stored_entry_is_canonical_and_chained(table: Table, entries: list[Entry]) -> None:
    previous = b""
    for version, entry in enumerate(entries, start=1):
        assert canonical(msgspec.json.decode(entry.public)) == entry.public
        assert entry.digest == entry_digest(table.game, previous, entry.public)
        check_follows(entry, table.game, version, previous)
        previous = entry.digest


def test_an_entry_out_of_order_or_with_another_digest_breaks_the_log(
    table: Table, entries: list[Entry]
) -> None:
    with pytest.raises(LogBroken) as gap:
        check_follows(entries[2], table.game, 2, entries[0].digest)
    assert gap.value.version == 2
    with pytest.raises(LogBroken):
        check_follows(entries[1], table.game, 2, entries[1].digest)


def test_no_secret_value_stands_in_a_public_object(entries: list[Entry]) -> None:
    for entry in entries:
        if envelope(entry).type in {"game.deal-revealed", "game.finished"}:
            continue
        for part in parts_of(entry, envelope(entry)):
            assert canonical(part.value) not in entry.public


def test_a_line_is_the_stored_bytes_with_digest_and_known(
    entries: list[Entry], chain: Chain
) -> None:
    for entry in entries:
        line = whole_line(entry, chain)
        assert line.startswith(entry.public[:-1] + b',"digest":"')
        assert msgspec.json.decode(line)["digest"] == entry.digest.hex()


@given(st.integers(0, 10_000), st.sampled_from([None, 0, 1, 2, 3]), st.booleans())
def test_an_entry_is_shown_to_a_viewer_the_same_at_any_time(
    table: Table, entries: list[Entry], place: int, seat: int | None, opener: bool
) -> None:
    """The line while the game stood there, and when it is over and all is known."""
    version = place % len(entries) + 1
    then = fold(table.game, entries[:version])
    now = fold(table.game, entries)
    entry, viewer = entries[version - 1], Viewer(seat, opener=opener)
    assert line_for(entry, viewer, then.chain) == line_for(entry, viewer, now.chain)


def test_a_viewer_knows_only_what_is_for_them(entries: list[Entry], chain: Chain) -> None:
    for entry in entries:
        for seat in (None, 0, 1, 2, 3):
            line = msgspec.json.decode(line_for(entry, Viewer(seat), chain))
            for known in line["known"]:
                sealed = at(line["data"], known["path"])
                assert seat in sealed["to"]


def test_what_the_opener_wrote_down_is_for_the_opener() -> None:
    closed = hearts_closed()
    opened = closed.store.read(closed.game)[0]
    chain = closed.handler.loader.current(closed.game).chain
    shown = msgspec.json.decode(line_for(opened, Viewer(opener=True), chain))
    assert [known["path"] for known in shown["known"]] == ["/scripted_deals/0"]
    assert msgspec.json.decode(line_for(opened, Viewer(2), chain))["known"] == []


def at(data: Any, path: str) -> Any:
    for step in path[1:].split("/"):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data


def test_c01_an_older_schema_is_brought_up_on_a_copy(
    entries: list[Entry], chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes, digest and feed of the old entry stay; only the event that is folded is new."""
    played = next(e for e in entries if envelope(e).type == "hearts.card-played")
    old = older(played)
    monkeypatch.setitem(
        upcasting.UPCASTERS,
        ("hearts.card-played", 0),
        lambda data: data | {"card": data.pop("cards")[0]},
    )
    before = (old.public, old.digest, line_for(old, Viewer(0), chain))
    assert event_of(old, envelope(old)) == event_of(played, envelope(played))
    assert before == (old.public, old.digest, line_for(old, Viewer(0), chain))
    assert b'"cards":[' in before[2]


def older(entry: Entry) -> Entry:
    """The entry as a schema 0, with a list of one card, would have been written."""
    public = msgspec.json.decode(entry.public)
    public["schema"] = 0
    public["data"]["cards"] = [public["data"].pop("card")]
    encoded = canonical(public)
    return Entry(entry.version, encoded, entry_digest(public["game"], b"", encoded))


@pytest.mark.parametrize("change", [{"schema": 99}, {"type": "hearts.card-eaten"}])
def test_an_unknown_newer_schema_or_type_is_a_clear_error(
    entries: list[Entry], change: dict[str, Any]
) -> None:
    public = msgspec.json.decode(entries[20].public) | change
    entry = Entry(21, canonical(public), b"")
    with pytest.raises(UnknownSchema, match=r"entry 21: .* newer than this release"):
        event_of(entry, envelope(entry))


def test_a_log_file_is_split_at_line_feeds_and_nowhere_else(
    table: Table, entries: list[Entry]
) -> None:
    assert lines_of(b"a\nb\n") == [b"a", b"b"]
    assert lines_of(b"a\n\nb") == [b"a", b"", b"b"]
    assert lines_of(b"a\r\n") == [b"a\r"]
    found, stop = read(table.log)
    assert stop is None
    assert [line.entry for line in found] == entries
