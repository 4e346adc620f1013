"""What is found in a rule set from outside before it is registered, fault by fault."""

import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.admission import flaw
from domain.card_games.trick_views import TrickView
from domain.card_games.tricks import PlayCard
from domain.game.aggregate import new_game
from domain.game.model import Opened, SeatPlan
from domain.game.views import SHARED, view
from domain.kernel import Event, Move, Ruleset
from domain.registry import RULESETS, register
from domain.rulesets.hearts.model import PassCards
from domain.visibility import Public, SeatOnly, Viewer
from tests.outside.pairs import PAIRS
from tests.outside.pairs.model import EVENTS, PairsState


class Tagged(Move, frozen=True, kw_only=True, tag="shuffle"):
    pass


Thawed = msgspec.defstruct(
    "Thawed", [("deal", Public[int])], bases=(Event,), frozen=False, tag="pairs.thawed"
)


class Undeclared(Event, frozen=True, kw_only=True, tag="pairs.undeclared"):
    deal: int


class Nobodys(Event, frozen=True, kw_only=True, tag="pairs.nobodys"):
    card: SeatOnly[str]


class Fraction(Event, frozen=True, kw_only=True, tag="pairs.fraction"):
    share: Public[float]


class Elsewhere(Event, frozen=True, kw_only=True, tag="hearts.dealt"):
    deal: Public[int]


class OddlyNamed(Event, frozen=True, kw_only=True, tag="pairs.Dealt"):
    deal: Public[int]


class NeedsOne(msgspec.Struct, frozen=True):
    deals: int


class Short(msgspec.Struct, frozen=True):
    deal: int


class PairsStatus(msgspec.Struct, frozen=True):
    status: str


class Inner(msgspec.Struct, frozen=True):
    card: str


class PairsOuter(msgspec.Struct, frozen=True):
    trick: TrickView
    inner: dict[str, tuple[Inner | None, ...]]


def view_as(kind: type[Any]) -> Callable[[PairsState, Viewer], Any]:
    def shown(state: PairsState, viewer: Viewer) -> Any:
        return PAIRS.view(state, viewer)

    shown.__annotations__["return"] = kind
    return shown


def fails(*_: Any) -> Any:
    raise ZeroDivisionError("division")


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"name": "Pairs of four"}, "its name 'Pairs of four' is not a few lower-case words"),
    ({"name": "p" * 41}, "is not a few lower-case words"),
    ({"name": "hamlet"}, "the name hamlet is the house's own"),
    ({"name": "game"}, "the name game is the house's own"),
    ({"version": 0}, "its version 0 is not a whole number from 1 on"),
    ({"version": "1"}, "its version '1' is not"),
    ({"title": " "}, "it has no title"),
    ({"seat_counts": ()}, "it does not say with how many seats it is played"),
    ({"seat_counts": (4, 4)}, "it does not say with how many seats"),
    ({"seat_counts": (17,)}, "a table has 1 to 16 seats"),
    ({"narrate": None}, "its narrate cannot be called"),
    ({"options": dict}, "its options is not a frozen Struct"),
    ({"options": NeedsOne}, "TypeError while its options was looked at"),
    ({"scripted_deal": None}, "its scripted_deal is not a frozen Struct"),
    ({"moves": ()}, "it has no move"),
    ({"moves": (PlayCard, PlayCard)}, "it has a type of move twice"),
    ({"moves": (Short,)}, "its move Short is not a frozen Move"),
    ({"moves": (Tagged,)}, "its move shuffle is not named pairs.…"),
    ({"events": ()}, "it has no event"),
    ({"events": (*EVENTS, Short)}, "its event Short is not a frozen Event"),
    ({"events": (*EVENTS, Thawed)}, "its event Thawed is not a frozen Event"),
    ({"events": (*EVENTS, Elsewhere)}, "its event hearts.dealt is not named pairs.…"),
    ({"events": (*EVENTS, OddlyNamed)}, "its event pairs.Dealt is not named pairs.…"),
    ({"events": (*EVENTS, Undeclared)}, "pairs.undeclared does not declare who may know deal"),
    ({"events": (*EVENTS, Nobodys)}, "pairs.nobodys is of a seat, and has no field seat"),
    ({"events": (*EVENTS, Fraction)}, "pairs.fraction has a fraction"),
    ({"view": view_as(dict)}, "its view does not say which frozen Struct it returns"),
    ({"view": view_as(PairsStatus)}, "the field status of its view is one that all views have"),
    ({"view": view_as(Short)}, "the name of its Struct Short does not begin with Pairs"),
    ({"view": view_as(PairsOuter)}, "the name of its Struct Inner does not begin with Pairs"),
    ({"max_draws": lambda *_: 1024}, "with 4 seats it needs more draws than a game has"),
    ({"outcome": lambda _: PAIRS.won_by((0,) * 4, "higher", None)}, "it is over before it begins"),
    ({"initial": fails}, "ZeroDivisionError while its beginning was looked at: division"),
    ({"teams": lambda *_: ((0, 2), (1,))}, "with 4 seats its teams are not every seat once"),
    ({"won_by": lambda *_: None}, "its won_by gives no Outcome"),
]


@pytest.mark.parametrize(("fault", "reason"), FAULTS, ids=[reason for _, reason in FAULTS])
def test_a_fault_is_found(fault: dict[str, Any], reason: str) -> None:
    found = flaw(dataclasses.replace(PAIRS, **fault))
    assert found is not None
    assert reason in found


def test_a_game_without_a_fault_is_not_refused() -> None:
    assert flaw(PAIRS) is None


def test_a_move_of_the_house_may_be_used_as_it_is() -> None:
    assert flaw(dataclasses.replace(PAIRS, moves=(*PAIRS.moves, PassCards))) is None


def test_a_struct_of_the_house_may_be_shown_as_it_is() -> None:
    class PairsTable(msgspec.Struct, frozen=True):
        trick: TrickView

    shown = dataclasses.replace(PAIRS, view=view_as(PairsTable))
    assert flaw(shown) is None


def test_another_version_shares_types_and_an_equal_one_is_a_second() -> None:
    register(PAIRS)
    assert flaw(dataclasses.replace(PAIRS, version=2)) is None
    assert flaw(dataclasses.replace(PAIRS, title="Pears")) == "there is another pairs@1"


def test_types_and_names_of_another_game_from_outside_are_its_own() -> None:
    class Dealt(Event, frozen=True, kw_only=True, tag="pairs.dealt"):
        deal: Public[int]

    class Wish(Move, frozen=True, kw_only=True, tag="pairs.make_wish"):
        pass

    PairsView2 = msgspec.defstruct("PairsView", [("deal", int)], frozen=True)  # noqa: N806
    register(PAIRS)
    second: Ruleset[Any] = dataclasses.replace(PAIRS, version=2)
    for fault, reason in (
        ({"events": (Dealt,)}, "another game has an event pairs.dealt"),
        ({"moves": (Wish,)}, "another game has a move pairs.make_wish"),
        ({"view": view_as(PairsView2)}, "another game has a Struct PairsView"),
    ):
        assert str(flaw(dataclasses.replace(second, **fault))).startswith(reason)


@pytest.mark.parametrize("ruleset_id", sorted(RULESETS))
def test_all_views_have_the_fields_that_no_game_may_have(ruleset_id: str) -> None:
    ruleset = RULESETS[ruleset_id]
    seats = tuple(SeatPlan(kind="open") for _ in range(ruleset.seat_counts[0]))
    opened = Opened(
        ruleset=ruleset_id,
        options=msgspec.to_builtins(ruleset.complete_options(ruleset.options(), len(seats))),
        seats=seats,
        opener="p_ann",
        commitment="00" * 32,
        links=1024,
        root="00" * 32,
    )
    game = new_game(opened)
    own = msgspec.to_builtins(ruleset.view(game.state, Viewer()))
    assert view(game, Viewer()).keys() - own.keys() == SHARED - {"scheme", "digest", "teams"}
