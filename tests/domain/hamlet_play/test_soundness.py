"""What `cardset check` calls useless, contradictory or given away; our own set is none of it."""

import pytest

from domain.rulesets.hamlet_play.analysis.soundness import can_hold, unsound
from domain.rulesets.hamlet_play.cardset.parsing import parse
from domain.rulesets.hamlet_play.cardset.requirements import (
    Alive,
    BoxesChecked,
    Dead,
    HasCounter,
    HasStatus,
    Higher,
    IsAt,
    Needs,
    OnTrack,
    Together,
)
from tests.domain.hamlet_play.given import FILES, action, house, tiny, written


@pytest.fixture(scope="module")
def known() -> tuple[str, ...]:
    """What the tiny set is guilty of by itself."""
    return unsound(tiny())


def test_the_cards_of_the_house_are_sound() -> None:
    assert unsound(house()) == ()


def test_an_end_of_a_track_that_nothing_looks_at_is_told(known: tuple[str, ...]) -> None:
    assert known == ("the lower end of ophelia.sanity, 0, is needed by nothing",)


@pytest.mark.parametrize(
    ("before", "more", "told"),
    [
        (
            "[statuses.mad]",
            '[statuses.sad]\nname = { en = "sad", ja = "悲しい" }\n',
            "the status hamlet.sad is needed by nothing",
        ),
        (
            "[places.england]",
            '[places.wittenberg]\nname = { en = "in W.", ja = "W." }\n',
            "the place hamlet.wittenberg is needed by nothing",
        ),
    ],
)
def test_a_status_or_place_that_nothing_needs_is_told(
    known: tuple[str, ...], before: str, more: str, told: str
) -> None:
    path = "personae/hamlet.toml"
    cards = parse({**FILES, path: FILES[path].replace(before, more + before)})
    assert set(unsound(cards)) - set(known) == {told}


def test_an_ending_that_holds_at_once_is_told(known: tuple[str, ...]) -> None:
    text = (
        '\n[[endings]]\nid = "x"\nname = { en = "X", ja = "X" }\n'
        'lines = [{ needs = "alive", persona = "hamlet" }]\n'
    )
    cards = written({"endings/regular.toml": text}, "sound-held")
    assert set(unsound(cards)) - set(known) == {"the ending x holds before anybody has moved"}


PLACE, TRACK = '{ needs = "place", place = "hamlet.', '{ needs = "track", track = "'


@pytest.mark.parametrize(
    "requires",
    [
        f'{PLACE}court" }}, {PLACE}england" }}',
        f'{PLACE}court" }}, {PLACE}court", not = true }}',
        f'{{ needs = "dead", persona = "hamlet" }}, {PLACE}court", not = true }}',
        f'{TRACK}hamlet.swordplay", at_least = 4 }}, {TRACK}hamlet.swordplay", at_most = 3 }}',
        (
            f'{TRACK}laertes.swordplay", at_least = 6 }}, '
            '{ needs = "compare", higher = "hamlet.swordplay", lower = "laertes.swordplay" }'
        ),
    ],
)
def test_an_action_that_needs_what_contradicts_itself_is_told(
    known: tuple[str, ...], requires: str
) -> None:
    cards = action("horatio", "ghost", f"requires = [{requires}]", name=f"sound-{len(requires)}")
    assert set(unsound(cards)) - set(known) == {
        "the action horatio.ghost needs what contradicts itself"
    }


AT_COURT = Together(personae=("hamlet", "ophelia"))


@pytest.mark.parametrize(
    ("needs", "possible"),
    [
        ((AT_COURT, IsAt(place="ophelia.nunnery")), False),
        ((AT_COURT, IsAt(place="ophelia.court")), True),
        ((Dead(persona="hamlet"), AT_COURT), False),
        ((Dead(persona="hamlet"), Alive(persona="ophelia")), True),
        (
            (
                Higher(higher="laertes.swordplay", lower="hamlet.swordplay"),
                OnTrack(track="hamlet.swordplay", at_least=6),
            ),
            False,
        ),
        (
            (
                HasCounter(counter="hamlet.spying"),
                HasStatus(status="hamlet.mad", negated=True),
                BoxesChecked(action="hamlet.pirates", at_least=1, at_most=1),
            ),
            True,
        ),
        (
            (
                BoxesChecked(action="hamlet.pirates", at_least=2),
                BoxesChecked(action="hamlet.pirates", at_most=1),
            ),
            False,
        ),
    ],
)
def test_lines_can_hold_together_or_not(needs: tuple[Needs, ...], possible: bool) -> None:
    assert can_hold(tiny(), needs) == possible
