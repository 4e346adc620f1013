"""The card set "Elsinore" agrees with all that the rulebook states, and its page with it."""

import re
from pathlib import Path

import pytest

from domain.rulesets.hamlet_play.cardset.model import (
    CheckStatus,
    Kill,
    MoveTrack,
    PlaceCounter,
    RollAgainst,
)
from domain.rulesets.hamlet_play.cardset.requirements import Dead, HasStatus, IsAt
from tests.domain.hamlet_play.given import house

PAGE = (Path(__file__).parents[3] / "docs" / "elsinore-set.md").read_text(encoding="utf-8")


def test_hp_13_eight_personae_horatio_among_them_with_six_to_ten_actions_each() -> None:
    assert [persona.id for persona in house().personae] == [
        "hamlet",
        "ophelia",
        "polonius",
        "laertes",
        "claudius",
        "gertrude",
        "rosencrantz-guildenstern",
        "horatio",
    ]
    assert all(6 <= len(persona.actions) <= 10 for persona in house().personae)


def test_hp_13_the_common_ending_wants_all_dead_but_horatio() -> None:
    everybody = {persona.id for persona in house().personae}
    assert set(house().endings.common.lines) == {
        Dead(persona=persona) for persona in everybody - {"horatio"}
    }


@pytest.mark.parametrize("track", ["ophelia.sanity", "hamlet.swordplay", "laertes.swordplay"])
def test_the_sliders_of_the_rulebook_end_at_six(track: str) -> None:
    persona, name = track.split(".")
    assert house().by_id[persona].tracks[name].max == 6


@pytest.mark.parametrize(
    ("persona", "place"), [("ophelia", "nunnery"), ("hamlet", "england"), ("laertes", "france")]
)
def test_the_places_of_the_rulebook_are_there(persona: str, place: str) -> None:
    assert place in house().by_id[persona].places
    assert house().by_id[persona].start != place


@pytest.mark.parametrize(
    ("persona", "status"),
    [("ophelia", "insane"), ("ophelia", "married-to-hamlet"), ("laertes", "chastised-by-polonius")],
)
def test_the_statuses_of_the_rulebook_are_there(persona: str, status: str) -> None:
    assert status in house().by_id[persona].statuses


def test_hp_4_the_end_of_a_scene_is_the_rulebooks_table_row_for_row() -> None:
    chastised = HasStatus(status="laertes.chastised-by-polonius")
    spared = HasStatus(status="laertes.chastised-by-polonius", negated=True)
    more = MoveTrack(track="laertes.swordplay", by=1)
    france = IsAt(place="laertes.france")
    rows = [(set(row.requires), row.results) for row in house().end_of_scene]
    assert rows == [
        (
            {HasStatus(status="ophelia.insane", negated=True), IsAt(place="ophelia.nunnery")},
            (MoveTrack(track="ophelia.sanity", by=1),),
        ),
        ({IsAt(place="hamlet.england")}, (MoveTrack(track="hamlet.swordplay", by=1),)),
        ({france, spared}, (RollAgainst(track="laertes.swordplay", above=(more,)),)),
        ({france, chastised}, (more,)),
    ]
    assert house().end_of_act == ()


def test_eisel_is_ophelias_and_neither_kills_nor_makes_happy() -> None:
    eisel = house().actions["ophelia.eisel"]
    assert not any(
        isinstance(result, Kill | PlaceCounter | CheckStatus) for result in eisel.results
    )
    assert MoveTrack(track="ophelia.sanity", by=-1) in eisel.results


def test_fourteen_endings_in_each_pack_all_different() -> None:
    packs = house().endings
    assert (len(packs.regular), len(packs.difficult)) == (14, 14)
    lines = [frozenset(ending.lines) for ending in (*packs.regular, *packs.difficult)]
    assert len(set(lines)) == 28


@pytest.mark.parametrize("pack", ["regular", "difficult"])
def test_its_page_lists_every_ending_with_as_many_lines(pack: str) -> None:
    _, _, after = PAGE.partition(f"## {pack.title()} endings\n")
    section = after.partition("\n## ")[0]
    rows = re.findall(r"^\| (?!title|---)(.+?) \| (.+?) \|$", section, re.MULTILINE)
    stated = [(title, len(lines.split("; "))) for title, lines in rows]
    endings = getattr(house().endings, pack)
    assert stated == [(ending.name["en"], len(ending.lines)) for ending in endings]
