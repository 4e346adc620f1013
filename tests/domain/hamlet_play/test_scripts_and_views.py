"""Games written down beforehand, what a table looks like to whom, and a set that is missing."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import registry
from domain.kernel import RuleViolation
from domain.rulesets.hamlet_play.cardset.requirements import Dead, HasStatus, Higher, IsAt, OnTrack
from domain.rulesets.hamlet_play.model import DieRolled, ScriptedDeal
from domain.scores import ScoreLine
from domain.visibility import SPECTATOR, Viewer
from events.audit.audit import audit
from tests.chances import TableChance
from tests.domain.hamlet_play.given import (
    RULESET,
    accepted,
    action,
    only,
    options,
    playing,
    position,
    refused,
    take,
    tiny,
    written,
)
from tests.events.playing import ANN, BEN, OPEN, House, play_on
from tests.tables import Table

IDLE = "horatio.season-your-admiration"
SCRIPT = ScriptedDeal(
    first_player=1, endings=("paris", "exile"), dice={"a1.s1.die1": 6, "a2.s2.die2": 1}
)


# --- scripts


def test_a_script_gives_first_player_endings_and_dice() -> None:
    draws = RULESET.script_draws(options(tiny()), 2, 1, [SCRIPT])
    table = Table(RULESET, TableChance(1, draws), seats=2, options=options(tiny()))
    assert table.state.first_player == 1
    assert [ending.id for ending in table.state.endings] == ["paris", "exile"]
    table.play(1, accepted_move(table, "laertes.to-france"))
    events = table.play(1, accepted_move(table, IDLE))
    assert only(events, DieRolled).face == 6
    assert only(events, DieRolled).draw.scripted


def accepted_move(table: Table, ref: str) -> Any:
    legal = RULESET.legal_moves(table.state, table.waiting_for[0]).moves
    return next(move for move in legal if move.action == ref)


@pytest.mark.parametrize(
    ("first_deal", "deals"),
    [
        (1, []),
        (0, [SCRIPT]),
        (2, [SCRIPT]),
        (1, [SCRIPT, SCRIPT]),
        (1, [msgspec.structs.replace(SCRIPT, first_player=2)]),
        (1, [msgspec.structs.replace(SCRIPT, endings=("paris",))]),
        (1, [msgspec.structs.replace(SCRIPT, endings=("paris", "paris"))]),
        (1, [msgspec.structs.replace(SCRIPT, endings=("paris", "pirates-twice"))]),
        *(
            (1, [msgspec.structs.replace(SCRIPT, dice=dice)])
            for dice in (
                {"a1.s1.die1": 7},
                {"a6.s1.die1": 1},
                {"a1.s3.die1": 1},
                {"a1.s1.die9": 1},
                {"a1.end.die1": 1},
                {"die1": 1},
            )
        ),
    ],
)
def test_an_impossible_script_is_refused(first_deal: int, deals: list[ScriptedDeal]) -> None:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.script_draws(options(tiny()), 2, first_deal, deals)
    assert refusal.value.code == "impossible-script"


# --- refusals in words


@pytest.mark.parametrize(
    ("given", "ref", "rule", "detail"),
    [
        ({"at": "laertes.france"}, "laertes.to-france", "needs-place", "Laertes is in France."),
        ({"at": "laertes.france"}, "laertes.few-precepts", "needs-place", "Laertes is in France."),
        ({"dead": "ophelia"}, "ophelia.wedding", "dead-persona", "Ophelia is dead."),
        ({"dead": "hamlet"}, "ophelia.get-thee", "needs-alive", "Hamlet is dead."),
        (
            {"marks": "ophelia.insane"},
            "ophelia.wedding",
            "needs-status",
            "Ophelia is insane.",
        ),
        ({}, "ophelia.the-brook", "needs-track", "Ophelia's Sanity is 4."),
        ({}, "hamlet.to-england", "needs-act", "This is Act 1."),
        (
            {},
            "laertes.unbated-point",
            "needs-compare",
            "Laertes' Swordplay is 2, and Hamlet's Swordplay is 3.",
        ),
        (
            {"tracks": {"laertes.swordplay": 5}, "marks": "laertes.dying"},
            "laertes.unbated-point",
            "needs-counter",
            "Laertes is dying.",
        ),
        (
            {"boxes": {"hamlet.antic-disposition": 1}},
            "hamlet.antic-disposition",
            "no-free-box",
            "Every box of “An antic disposition” is checked.",
        ),
    ],
)
def test_a_refused_action_says_which_requirement_failed(
    given: dict[str, Any], ref: str, rule: str, detail: str
) -> None:
    state = position(**given)
    refusal = refused(state, ref)
    assert (refusal.rule, refusal.detail, refusal.code) == (rule, detail, "illegal-move")
    listed = RULESET.legal_moves(state, 0).refused
    assert next((r.rule, r.detail) for r in listed if r.move.action == ref) == (rule, detail)


def test_the_reason_is_there_in_every_language_of_the_set() -> None:
    view = RULESET.view(position(at="laertes.france"), SPECTATOR)
    one = next(a for a in view.actions if a.action == "laertes.to-france")
    assert one.details == {"en": "Laertes is in France.", "ja": "レアティーズはフランスにいる。"}
    every = [action.details for action in view.actions if not action.legal]
    assert all(detail["ja"].endswith("。") for detail in every)


def test_boxes_of_another_action_are_spoken_of_by_its_title() -> None:
    cards = action(
        "horatio",
        "reports",
        'requires = [{ needs = "box", action = "hamlet.pirates", at_least = 1 }]',
    )
    detail = "0 boxes of “A pirate of very warlike appointment” are checked."
    assert refused(position(cards), "horatio.reports").detail == detail


@pytest.mark.parametrize(
    ("ref", "choice", "detail"),
    [
        ("hamlet.sleep", None, "There is no such action in this card set."),
        ("ophelia.flowers", None, "This action has a choice: to-hamlet, to-laertes."),
        ("ophelia.flowers", "to-yorick", "This action has no such choice."),
        (IDLE, "to-hamlet", "This action has no such choice."),
    ],
)
def test_a_move_that_names_nothing_on_the_cards_is_invalid(
    ref: str, choice: str | None, detail: str
) -> None:
    refusal = refused(position(), ref, choice)
    assert (refusal.code, refusal.detail) == ("invalid-action", detail)


# --- views


def test_a_viewer_sees_which_lines_of_its_own_ending_hold_and_what_is_out_of_reach() -> None:
    own = (Dead(persona="hamlet"), HasStatus(status="ophelia.insane"))
    view = RULESET.view(position(dead="hamlet", endings={1: own}), Viewer(1))
    assert [(line.holds, line.reachable, line.now) for line in view.ending.lines] == [
        (True, True, "Hamlet is dead."),
        (False, True, "Ophelia is not insane."),
    ]
    assert (view.ending.holds, view.ending.reachable) == (False, True)


@pytest.mark.parametrize(
    ("line", "given"),
    [
        (IsAt(place="ophelia.nunnery"), {"dead": "ophelia"}),
        (IsAt(place="ophelia.nunnery"), {"dead": "hamlet"}),
        (HasStatus(status="ophelia.insane", negated=True), {"marks": "ophelia.insane"}),
        (OnTrack(track="ophelia.sanity", at_least=5), {"dead": "ophelia"}),
        (HasStatus(status="hamlet.mad"), {"boxes": {"hamlet.antic-disposition": 1}}),
        (
            Dead(persona="hamlet"),
            {"dead": "laertes", "at": "hamlet.court", "boxes": {"hamlet.pirates": 2}},
        ),
    ],
)
def test_a_line_is_out_of_reach_when_nothing_can_bring_it_about(
    line: Any, given: dict[str, Any]
) -> None:
    assert RULESET.view(position(endings={0: (line,)}), Viewer(0)).ending.reachable
    assert not RULESET.view(position(endings={0: (line,)}, **given), Viewer(0)).ending.reachable


def test_a_spectator_sees_the_board_and_no_ending() -> None:
    state = position(dead="laertes", marks="hamlet.mad hamlet.spying", boxes={"hamlet.pirates": 1})
    view = RULESET.view(state, SPECTATOR)
    assert view.ending is None
    hamlet, ophelia, laertes, horatio = view.personae
    assert (hamlet.statuses, hamlet.counters, hamlet.boxes) == (
        ("mad",),
        ("spying",),
        {"pirates": 1},
    )
    assert (hamlet.place, hamlet.tracks["swordplay"].at, laertes.dead) == ("court", 3, True)
    assert (horatio.place, horatio.tracks) == (None, {})
    assert ophelia.tracks["sanity"].max == 6


# --- score lines


def test_score_lines_say_of_each_line_what_it_needed() -> None:
    married = HasStatus(status="ophelia.married-to-hamlet")
    state = position(
        act=5,
        scene=2,
        taken=["x"] * 3,
        dead="ophelia",
        at="laertes.france",
        marks="laertes.chastised-by-polonius",
        endings={0: (married,), 1: (IsAt(place="laertes.france"),)},
    )
    _, after = take(state, IDLE)
    said = [(line.seat, line.points, line.reason) for line in RULESET.score_lines(after)]
    assert said == [
        (0, 0, "Ophelia: dead, needs: married to Hamlet"),
        (1, 0, "Laertes: in France, as needed"),
        (1, 1, "the whole ending “of-1” holds: +1"),
    ]
    assert all(
        isinstance(line, ScoreLine) and line.deal == 5 for line in RULESET.score_lines(after)
    )
    assert RULESET.score_lines(state) == ()


@pytest.mark.parametrize("dead", ["hamlet", "laertes"])
def test_a_score_line_of_a_comparison_names_the_one_who_is_dead(dead: str) -> None:
    better = Higher(higher="hamlet.swordplay", lower="laertes.swordplay")
    state = position(act=5, scene=2, taken=["x"] * 3, dead=dead, endings={0: (better,)})
    _, after = take(state, IDLE)
    said = RULESET.score_lines(after)[0].reason
    assert said == f"Hamlet: {dead.title()} dead, needs: Swordplay above Laertes' Swordplay"


def test_while_results_happen_no_action_is_called_legal() -> None:
    view = RULESET.view(replace(position(), goes_on=True), Viewer(0))
    assert view.actions == ()
    assert RULESET.view(position(), Viewer(0)).actions != ()


# --- a missing card set


@pytest.fixture
def lost() -> tuple[House, str]:
    """A game under way, of a set that is then gone."""
    house = House()
    with registry.using(playing(written({}, "lost"))):
        game = house.open(ruleset="hamlet_play", seats=(OPEN, OPEN), card_set="lost").game
        house.sit(game, ANN, 0)
        house.sit(game, BEN, 1)
        play_on(house, game, moves=1)
    return house, game


def test_a_game_of_a_missing_set_shows_its_marks_and_takes_no_move(
    lost: tuple[House, str],
) -> None:
    house, game = lost
    house = House(house.store)
    table = house.table(game).state
    seat = table.current
    view = RULESET.view(table, Viewer(seat))
    assert not view.card_set.loaded
    assert view.personae[0].persona == "hamlet"
    assert (view.actions, view.ending.id) == ((), table.endings[seat].id)
    assert RULESET.legal_moves(table, seat).moves == ()
    with pytest.raises(RuleViolation) as refusal:
        accepted(table, IDLE)
    assert refusal.value.code == "card-set-missing"


def test_another_set_of_the_same_name_is_not_taken_for_it(
    lost: tuple[House, str],
) -> None:
    house, game = lost
    extra = '\n[[actions]]\nid = "new"\nname = { en = "new", ja = "new" }\n'
    other = written({"personae/horatio.toml": extra}, "lost")
    with registry.using(playing(other)), pytest.raises(RuleViolation) as refusal:
        accepted(House(house.store).table(game).state, IDLE)
    assert refusal.value.code == "card-set-missing"


def test_an_unknown_set_opens_no_game() -> None:
    with pytest.raises(RuleViolation) as refusal:
        House().open(ruleset="hamlet_play", seats=(OPEN, OPEN), card_set="nobody-has-it")
    assert refusal.value.code == "card-set-missing"


def test_the_audit_says_that_the_set_is_missing_and_all_else_still_holds() -> None:
    house = House()
    with registry.using(playing(written({}, "audited"))):
        game = house.open(ruleset="hamlet_play", seats=(OPEN, OPEN), card_set="audited").game
        house.sit(game, ANN, 0)
        house.sit(game, BEN, 1)
        play_on(house, game)
        lines = list(house.reader.log(game))
        assert audit(lines).status == "ok"
    verdicts = {verdict.name: verdict for verdict in audit(lines).verdicts}
    assert verdicts["rules"].status == "unsupported"
    assert verdicts["rules"].detail.startswith("card-set-missing")
    others = {name: verdict.status for name, verdict in verdicts.items()}
    assert {others[name] for name in ("chain", "commitment", "seals", "scores")} == {"ok"}
