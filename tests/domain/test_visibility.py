from collections.abc import Callable
from typing import Any

import pytest

from domain.game.model import LIFECYCLE_EVENTS
from domain.kernel import Event
from domain.registry import RULESETS, event_types
from domain.visibility import (
    SPECTATOR,
    UNKNOWN,
    Hidden,
    NotKnown,
    OpenerOnly,
    PerSeat,
    Public,
    SeatOnly,
    Secret,
    Viewer,
    audiences,
    redact,
    secret_parts,
    undeclared_fields,
)

EVENT_TYPES = [*LIFECYCLE_EVENTS, *event_types().values()]
VIEWERS = [SPECTATOR, Viewer(0), Viewer(1), Viewer(1, opener=True), Viewer(opener=True)]


class Probe(Event, frozen=True, kw_only=True, tag="test.probe"):
    seat: Public[int]
    secret_probe: str


class Everything(Event, frozen=True, kw_only=True, tag="test.everything"):
    seat: Public[int]
    own: SeatOnly[str]
    hands: PerSeat[str]
    stock: Hidden[str]
    root: Secret[str]
    deals: OpenerOnly[str]


EVERYTHING = Everything(seat=1, own="o", hands=("h0", "h1"), stock="s", root="r", deals=("d",))


def test_b02_an_undeclared_field_is_sealed_to_nobody() -> None:
    assert undeclared_fields(Probe) == ("secret_probe",)
    (part,) = secret_parts(Probe(seat=0, secret_probe="!"), 3)
    assert (part.path, part.to, part.until) == ("/secret_probe", (), "game")
    assert all(redact([part], viewer) == () for viewer in VIEWERS)


@pytest.mark.parametrize("event_type", EVENT_TYPES, ids=lambda e: e.__struct_config__.tag)
def test_b02_every_event_type_declares_who_may_know_each_field(event_type: type[Event]) -> None:
    assert undeclared_fields(event_type) == ()


def test_event_types_are_named_after_their_ruleset_and_no_name_is_used_twice() -> None:
    for ruleset in RULESETS.values():
        assert all(
            str(e.__struct_config__.tag).startswith(f"{ruleset.name.replace('_', '-')}.")
            or str(e.__struct_config__.tag).startswith(f"{ruleset.name}.")
            for e in ruleset.events
        )
    names = {e.__struct_config__.tag for e in LIFECYCLE_EVENTS} | set(event_types())
    assert len(names) == len(EVENT_TYPES)


def test_each_secret_value_is_a_part_with_its_readers_and_its_end() -> None:
    parts = {part.path: (part.value, part.to, part.until) for part in secret_parts(EVERYTHING, 7)}
    assert parts == {
        "/own": ("o", (1,), 7),
        "/hands/0": ("h0", (0,), 7),
        "/hands/1": ("h1", (1,), 7),
        "/stock": ("s", (), 7),
        "/root": ("r", (), "game"),
        "/deals/0": ("d", ("opener",), "game"),
    }


def test_a_viewer_gets_the_parts_that_are_for_it_and_no_others() -> None:
    parts = secret_parts(EVERYTHING, 7)
    seen = {viewer: [part.value for part in redact(parts, viewer)] for viewer in VIEWERS}
    assert seen == {
        SPECTATOR: [],
        Viewer(0): ["h0"],
        Viewer(1): ["o", "h1"],
        Viewer(1, opener=True): ["o", "h1", "d"],
        Viewer(opener=True): ["d"],
    }


def test_without_a_secret_draw_a_part_stays_sealed_until_the_game_is_finished() -> None:
    assert {part.until for part in secret_parts(EVERYTHING, None)} == {"game"}


def test_public_fields_are_declared_too() -> None:
    assert dict(audiences(Everything))["seat"].to == "everyone"


# --- what is not known


LOOKS: list[Callable[[Any], Any]] = [
    *(bool, len, iter, list, set, str, hash, sorted, int, range, "{}".format),
    *(lambda x: x.lines, lambda x: x[0], lambda x: x == 1, lambda x: x != 1, lambda x: 1 in x),
    *(lambda x: x < 1, lambda x: x >= 1, lambda x: x + 1, lambda x: 1 + x, lambda x: x & 1),
    *(lambda x: 1 | x, lambda x: x % 2, lambda x: {x: 1}, lambda x: [1][x], lambda x: x()),
]


@pytest.mark.parametrize("number", range(len(LOOKS)))
def test_whoever_looks_at_what_is_not_known_is_told_so(number: int) -> None:
    with pytest.raises(NotKnown):
        LOOKS[number](UNKNOWN)


def test_what_is_not_known_may_be_kept_and_passed_on() -> None:
    hands = EVERYTHING.hands
    hidden = Everything(
        seat=1, own=UNKNOWN, hands=(hands[0], UNKNOWN), stock="s", root=UNKNOWN, deals=()
    )
    values = {part.path: part.value for part in secret_parts(hidden, 3)}
    assert values["/hands/0"] == "h0"
    assert all(values[path] is UNKNOWN for path in ("/own", "/hands/1", "/root"))
