"""Each ruling by its number (rulings HP-1 to HP-13)."""

from typing import Any

import pytest

from domain.rulesets.hamlet_play.cardset.requirements import Alive, Dead, HasStatus, IsAt, OnTrack
from domain.rulesets.hamlet_play.constants import actions_owed
from domain.rulesets.hamlet_play.model import (
    ActEnded,
    DieRolled,
    EndingsDealt,
    FirstPlayerDrawn,
    HamletPlayOptions,
    HamletPlayState,
    PersonaDied,
    PlayStopped,
    TrackMoved,
)
from domain.visibility import SPECTATOR, Viewer, secret_parts
from tests.chances import TableChance
from tests.domain.hamlet_play.given import (
    RULESET,
    Dice,
    action,
    house,
    legal,
    only,
    options,
    position,
    refused,
    row,
    take,
    told,
    written,
)
from tests.tables import Table

IDLE = "horatio.season-your-admiration"
MARRIED = HasStatus(status="ophelia.married-to-hamlet")
ALL_DEAD = "hamlet ophelia laertes"


def last_of_act(act: int = 1, **given: Any) -> HamletPlayState:
    """The last action of the last Scene of an Act is owed."""
    owed = actions_owed(act, 2)
    taken = ["ophelia.flowers"] * (owed - 1)
    return position(act=act, scene=2, taken=taken, **given)


# --- HP-1


def test_hp_1_first_player_is_a_public_draw_of_the_chain() -> None:
    chance = TableChance(1)
    table = Table(RULESET, chance, seats=5)
    drawn = only(table.log, FirstPlayerDrawn)
    assert (drawn.draw.purpose, drawn.draw.number) == ("first-player", 1)
    assert drawn.draw.link == chance.chain.links[1].hex()
    assert RULESET.to_act(table.state) == (drawn.first_player,)


def test_hp_1_a_die_is_an_event_with_its_link_and_a_purpose_that_names_its_place() -> None:
    state = position(act=2, scene=2, at="hamlet.england")
    events, after = take(state, "hamlet.pirates", dice=Dice(5))
    die = only(events, DieRolled)
    assert (die.draw.purpose, die.face, die.draw.link) == ("a2.s2.die1", 5, "00")
    assert after.board.places["hamlet"] == "hamlet.court"


def test_hp_1_the_dice_of_a_scene_are_numbered_on_through_its_end() -> None:
    state = position(act=5, taken=[IDLE] * 3, at="hamlet.court laertes.court")
    events, _ = take(state, "hamlet.the-foils", dice=(dice := Dice(3, 3)))
    assert dice.purposes == ["a5.s1.die1", "a5.s1.die2"]
    state = position(act=2, taken=[IDLE, IDLE], at="hamlet.england laertes.france")
    events, _ = take(state, "hamlet.pirates", dice=(dice := Dice(2, 1)))
    assert dice.purposes == ["a2.s1.die1", "a2.s1.die2"]
    assert [event.kind for event in events if isinstance(event, DieRolled)] == [
        "roll",
        "roll-against",
    ]


def test_hp_1_the_die_for_laertes_is_rolled_even_at_swordplay_6() -> None:
    state = position(taken=[IDLE], at="laertes.france", tracks={"laertes.swordplay": 6})
    events, after = take(state, "ophelia.flowers", "to-hamlet", dice=Dice(6))
    die = only(events, DieRolled)
    assert (die.track, die.value, die.cause) == ("laertes.swordplay", 6, "end-of-scene.france")
    assert after.board.tracks["laertes.swordplay"] == 6


@pytest.mark.parametrize(("face", "swordplay"), [(1, 2), (2, 2), (3, 3), (6, 3)])
def test_laertes_learns_where_the_die_is_greater_than_his_swordplay(
    face: int, swordplay: int
) -> None:
    state = position(taken=[IDLE], at="laertes.france")
    _, after = take(state, "ophelia.flowers", "to-hamlet", dice=Dice(face))
    assert after.board.tracks["laertes.swordplay"] == swordplay


# --- HP-2


def test_hp_2_a_game_in_which_nothing_is_possible_ends_at_once_in_a_draw() -> None:
    cards = action("ophelia", "last", 'results = [{ does = "kill", persona = "ophelia" }]')
    state = position(
        cards, dead="horatio hamlet laertes", act=2, endings={0: (Dead(persona="ophelia"),)}
    )
    events, after = take(state, "ophelia.last")
    assert told(events) == ["persona-died", "play-stopped"]
    stopped = only(events, PlayStopped)
    assert (stopped.reason, stopped.act, stopped.scene, stopped.taken) == (
        "no-possible-action",
        2,
        1,
        1,
    )
    outcome = RULESET.outcome(after)
    assert (outcome.winners, outcome.result) == ((), "draw")
    assert RULESET.to_act(after) == ()


def test_hp_2_neither_the_end_of_the_scene_nor_the_dying_nor_endings_are_looked_at() -> None:
    cards = action("laertes", "last", 'results = [{ does = "kill", persona = "laertes" }]')
    state = position(
        cards,
        dead="horatio ophelia",
        act=2,
        at="hamlet.england",
        marks="hamlet.dying hamlet.mad",
        boxes={"hamlet.pirates": 2},
    )
    events, after = take(state, "laertes.last")
    assert told(events) == ["persona-died", "play-stopped"]
    assert "hamlet" not in after.board.dead
    assert after.board.tracks["hamlet.swordplay"] == 3


# --- HP-3


def test_hp_3_counters_do_not_run_out_and_are_independent() -> None:
    six = "hamlet.spying hamlet.dying laertes.spying laertes.dying horatio.spying horatio.dying"
    state = position(marks=six)
    events, after = take(state, "hamlet.antic-disposition")
    assert told(events) == ["box-checked", "status-checked", "counter-placed"]
    assert len(after.board.counters) == 7


def test_hp_3_placing_a_counter_twice_does_nothing() -> None:
    events, after = take(position(marks="ophelia.spying"), "hamlet.antic-disposition")
    assert told(events) == ["box-checked", "status-checked"]
    assert after.board.counters == {"ophelia.spying"}


def test_hp_3_death_removes_both_counters() -> None:
    state = last_of_act(marks="ophelia.spying ophelia.dying")
    _, after = take(state, IDLE)
    assert after.board.dead == {"ophelia"}
    assert after.board.counters == frozenset()


# --- HP-4


def test_hp_4_the_table_is_gone_through_once_from_top_to_bottom() -> None:
    state = position(
        taken=[IDLE],
        at="ophelia.nunnery hamlet.england laertes.france",
        marks="laertes.chastised-by-polonius",
    )
    events, _ = take(state, "ophelia.flowers", "to-hamlet")
    moved = [e.cause for e in events if isinstance(e, TrackMoved)]
    assert moved == [
        "ophelia.flowers",
        "end-of-scene.nunnery",
        "end-of-scene.england",
        "end-of-scene.france-chastised",
    ]


def test_hp_4_it_is_not_gone_through_before_the_last_action_of_the_scene() -> None:
    events, _ = take(position(at="ophelia.nunnery"), IDLE)
    assert events == ()


def test_hp_4_the_dead_are_passed_over() -> None:
    state = position(
        taken=["ophelia.flowers"], dead="ophelia laertes", at="ophelia.nunnery laertes.france"
    )
    events, _ = take(state, IDLE)
    assert told(events) == ["scene-ended"]


def test_hp_4_sanity_and_swordplay_stop_at_6_and_insanity_keeps_ophelia_as_she_is() -> None:
    full = position(
        taken=["ophelia.flowers"],
        at="ophelia.nunnery hamlet.england",
        tracks={"ophelia.sanity": 6, "hamlet.swordplay": 6},
    )
    assert told(take(full, IDLE)[0]) == ["scene-ended"]
    insane = position(taken=["ophelia.flowers"], at="ophelia.nunnery", marks="ophelia.insane")
    assert told(take(insane, IDLE)[0]) == ["scene-ended"]


# --- HP-5


@pytest.mark.parametrize(("pack", "size"), [("regular", 8), ("difficult", 8), ("mixed", 16)])
def test_hp_5_endings_come_from_the_pack_that_was_chosen_and_are_never_alike(
    pack: str, size: int
) -> None:
    cards = written({})
    packs = {
        "regular": cards.endings.regular,
        "difficult": cards.endings.difficult,
        "mixed": cards.endings.regular + cards.endings.difficult,
    }
    seen: set[str] = set()
    for seed in range(40):
        table = Table(RULESET, TableChance(seed), seats=8, options=options(cards, endings=pack))
        held = [ending.id for ending in table.state.endings]
        assert len(set(held)) == 8
        seen |= set(held)
    assert seen == {ending.id for ending in packs[pack]}
    assert len(seen) == size


def test_hp_5_an_ending_is_for_its_seat_alone_until_the_game_is_finished() -> None:
    table = Table(RULESET, TableChance(3), seats=3)
    parts = secret_parts(only(table.log, EndingsDealt), None)
    assert [(part.path, part.to, part.until) for part in parts] == [
        (f"/endings/{seat}", (seat,), "game") for seat in range(3)
    ]
    for seat in range(3):
        own = RULESET.view(table.state, Viewer(seat)).ending
        assert own.id == table.state.endings[seat].id
    assert RULESET.view(table.state, SPECTATOR).ending is None
    others = [e for e in table.log if not isinstance(e, EndingsDealt)]
    assert all(secret_parts(event, None) == () for event in others)


def test_hp_5_the_endings_come_from_the_root_and_use_no_link() -> None:
    chain = TableChance(5)
    table = Table(RULESET, chain, seats=2, options=options(written({})))
    assert chain.drawn == 1
    again = (
        TableChance(5)
        .next()
        .secret_shuffle("endings", tuple(e.id for e in written({}).endings.regular))
    )
    assert [ending.id for ending in table.state.endings] == list(again[:2])


def test_hp_5_what_is_possible_is_public() -> None:
    state = position()
    views = [RULESET.view(state, viewer) for viewer in (SPECTATOR, Viewer(0), Viewer(1))]
    assert views[0].actions == views[1].actions == views[2].actions
    assert [a.action for a in views[0].actions if a.legal] == legal(state)


# --- HP-6


def test_hp_6_every_player_whose_whole_ending_holds_wins() -> None:
    in_france = IsAt(place="laertes.france")
    state = last_of_act(
        at="laertes.france",
        marks="laertes.chastised-by-polonius",
        endings={0: (in_france,), 1: (in_france, Alive(persona="hamlet"))},
    )
    events, after = take(state, IDLE)
    ended = only(events, ActEnded)
    assert (ended.winners, ended.common, ended.first_player) == ((0, 1), False, None)
    outcome = RULESET.outcome(after)
    assert (outcome.winners, outcome.result) == ((0, 1), "win")
    assert outcome.standings.ranks == (1, 1)


def test_hp_6_with_the_common_ending_everybody_wins_even_beside_one_of_their_own() -> None:
    state = last_of_act(
        dead="hamlet laertes", marks="ophelia.dying", endings={0: (Dead(persona="hamlet"),)}
    )
    events, after = take(state, IDLE)
    ended = only(events, ActEnded)
    assert (ended.winners, ended.common) == ((0, 1), True)
    assert RULESET.outcome(after).winners == (0, 1)


def test_an_ending_needs_every_line() -> None:
    state = last_of_act(
        marks="ophelia.married-to-hamlet", endings={0: (MARRIED, Dead(persona="laertes"))}
    )
    events, _ = take(state, IDLE)
    assert only(events, ActEnded).winners == ()


# --- HP-7


def test_hp_7_an_action_taken_in_this_scene_may_not_be_taken_again_while_another_is_possible() -> (
    None
):
    state = position(act=2, taken=[IDLE])
    assert IDLE not in legal(state)
    refusal = refused(state, IDLE)
    assert refusal.rule == "once-a-scene"
    assert "Season your admiration" in refusal.detail


def test_hp_7_where_all_that_is_possible_has_been_taken_any_of_it_may_be_taken_again() -> None:
    state = position(dead="hamlet ophelia laertes", act=2, taken=[IDLE])
    assert legal(state) == [IDLE]
    _, after = take(state, IDLE)
    assert after.taken == (IDLE, IDLE)


def test_hp_7_an_action_is_the_same_whatever_is_chosen() -> None:
    state = position(act=2)
    choices = [
        m.choice for m in RULESET.legal_moves(state, 0).moves if m.action == "ophelia.flowers"
    ]
    assert choices == ["to-hamlet", "to-laertes"]
    _, after = take(state, "ophelia.flowers", "to-hamlet")
    assert refused(after, "ophelia.flowers", "to-laertes").rule == "once-a-scene"


def test_hp_7_an_action_whose_boxes_are_all_checked_is_not_possible_not_even_as_a_repeat() -> None:
    state = position(act=2, at="hamlet.england", boxes={"hamlet.pirates": 1})
    assert "hamlet.pirates" in legal(state)
    _, after = take(state, "hamlet.pirates", dice=Dice(2))
    assert after.board.boxes["hamlet.pirates"] == 2
    later = position(
        dead="ophelia laertes horatio",
        act=2,
        taken=["hamlet.pirates"],
        at="hamlet.court",
        boxes={"hamlet.pirates": 2},
    )
    assert refused(later, "hamlet.pirates").rule == "no-free-box"
    assert "hamlet.pirates" not in legal(later)


def test_hp_7_what_is_possible_is_looked_at_anew_before_each_action() -> None:
    state = position()
    assert "ophelia.wedding" in legal(state)
    _, after = take(state, "ophelia.get-thee")
    assert refused(after, "ophelia.wedding").detail == (
        "Hamlet is at court, Ophelia is at the nunnery."
    )


# --- HP-8


@pytest.mark.parametrize(
    "line",
    [
        MARRIED,
        HasStatus(status="ophelia.insane", negated=True),
        IsAt(place="ophelia.court"),
        IsAt(place="ophelia.nunnery", negated=True),
        OnTrack(track="ophelia.sanity", at_least=1),
        Alive(persona="ophelia"),
    ],
)
def test_hp_8_what_is_said_of_a_state_holds_of_the_living_only(line: object) -> None:
    mark = "ophelia.married-to-hamlet"
    alive = last_of_act(marks=mark, endings={0: (line,)})
    assert only(take(alive, IDLE)[0], ActEnded).winners == (0,)
    dying = last_of_act(marks=f"{mark} ophelia.dying", endings={0: (line,)})
    assert only(take(dying, IDLE)[0], ActEnded).winners == ()


def test_hp_8_ophelia_stays_married_when_hamlet_dies() -> None:
    state = last_of_act(
        marks="ophelia.married-to-hamlet hamlet.dying",
        endings={0: (MARRIED, Dead(persona="hamlet"))},
    )
    events, _ = take(state, IDLE)
    assert only(events, ActEnded).winners == (0,)


def test_hp_8_a_requirement_about_the_dead_fails_with_not_as_well() -> None:
    cards = action(
        "horatio",
        "asks",
        'requires = [{ needs = "status", status = "ophelia.insane", not = true }]',
    )
    assert "horatio.asks" in legal(position(cards))
    refusal = refused(position(cards, dead="ophelia"), "horatio.asks")
    assert (refusal.rule, refusal.detail) == ("needs-status", "Ophelia is dead.")


# --- HP-9


def test_hp_9_results_apply_in_order_and_the_dead_are_passed_over_one_by_one() -> None:
    cards = action(
        "horatio",
        "three-things",
        """results = [
  { does = "kill", persona = "ophelia" },
  { does = "move-track", track = "ophelia.sanity", by = 1 },
  { does = "check-status", status = "ophelia.insane" },
  { does = "place-counter", counter = "ophelia.spying" },
  { does = "move", place = "ophelia.nunnery" },
  { does = "check-box", action = "hamlet.antic-disposition" },
  { does = "move-track", track = "laertes.swordplay", by = 1 },
]""",
    )
    events, _ = take(position(cards), "horatio.three-things")
    assert told(events) == ["persona-died", "box-checked", "track-moved"]


def test_hp_9_a_duel_of_the_dead_is_passed_over_without_a_die() -> None:
    cards = action(
        "horatio",
        "a-duel",
        """results = [
  { does = "duel", first = "hamlet.swordplay", second = "laertes.swordplay", tie = [
    { does = "kill", persona = "ophelia" },
  ] },
  { does = "roll-against", track = "laertes.swordplay", otherwise = [
    { does = "kill", persona = "ophelia" },
  ] },
]""",
    )
    assert take(position(cards, dead="laertes"), "horatio.a-duel")[0] == ()


def test_hp_9_requirements_alone_decide_even_if_every_result_is_void() -> None:
    cards = action(
        "horatio", "in-vain", 'results = [{ does = "check-status", status = "ophelia.insane" }]'
    )
    state = position(cards, dead="ophelia", act=2)
    assert "horatio.in-vain" in legal(state)
    events, after = take(state, "horatio.in-vain")
    assert events == ()
    assert after.taken == ("horatio.in-vain",)


# --- HP-10


def test_hp_10_who_is_dying_is_alive_until_the_act_ends_and_can_be_saved() -> None:
    cards = action(
        "horatio", "saves", 'results = [{ does = "remove-counter", counter = "ophelia.dying" }]'
    )
    state = position(cards, scene=1, taken=["horatio.x"], marks="ophelia.dying")
    assert "ophelia.flowers" in legal(state)
    _, after = take(state, "ophelia.flowers", "to-hamlet")
    assert after.board.dead == frozenset()
    _, after = take(after, "horatio.saves")
    events, after = take(after, IDLE)
    assert after.board.dead == frozenset()
    assert told(events) == ["scene-ended", "act-ended"]


def test_hp_10_a_counter_placed_by_the_last_action_of_the_act_kills_in_that_act() -> None:
    state = last_of_act(tracks={"ophelia.sanity": 0})
    events, after = take(state, "ophelia.the-brook")
    assert told(events) == [
        "status-checked",
        "counter-placed",
        "scene-ended",
        "persona-died",
        "act-ended",
    ]
    assert after.board.dead == {"ophelia"}


def test_hp_10_all_die_together_in_the_order_of_the_cards() -> None:
    state = last_of_act(marks="laertes.dying hamlet.dying ophelia.dying")
    events, after = take(state, IDLE)
    died = [event.persona for event in events if isinstance(event, PersonaDied)]
    assert died == ["hamlet", "ophelia", "laertes"]
    assert after.won_together


# --- HP-11


def test_hp_11_last_action_table_end_of_act_endings_first_player_next_scene() -> None:
    state = last_of_act(act=3, at="ophelia.nunnery laertes.france", marks="hamlet.dying")
    events, after = take(state, IDLE, dice=Dice(6))
    assert told(events) == [
        "track-moved",
        "die-rolled",
        "track-moved",
        "scene-ended",
        "persona-died",
        "persona-moved",
        "act-ended",
    ]
    assert events[-2].cause == "end-of-act.the-king-calls"
    assert (after.act, after.scene, after.first_player, after.current) == (4, 1, 1, 1)
    assert RULESET.question(after, 1) == "a4.s1.x1"


def test_hp_11_only_then_it_is_asked_whether_anything_is_possible() -> None:
    """Nothing is possible at the last action's end, and the endings are looked at all the same."""
    state = position(
        scene=2,
        taken=["x"],
        dead="laertes horatio hamlet",
        marks="ophelia.dying",
        at="ophelia.nunnery",
        endings={1: (Dead(persona="ophelia"),)},
    )
    events, _ = take(state, "ophelia.flowers", "to-hamlet")
    assert told(events)[-2:] == ["persona-died", "act-ended"]
    assert only(events, ActEnded).common
    state = position(
        scene=2,
        taken=["x"],
        dead="laertes horatio",
        marks="ophelia.dying hamlet.mad",
        at="hamlet.england",
        boxes={"hamlet.pirates": 2},
    )
    events, _ = take(state, "ophelia.flowers", "to-hamlet")
    assert told(events)[-2:] == ["act-ended", "play-stopped"]
    assert (events[-1].act, events[-1].scene, events[-1].taken) == (2, 1, 0)


def test_hp_11_legal_moves_are_those_after_the_table_at_the_end_of_the_scene() -> None:
    cards = row(
        "end_of_scene", "to-paris", 'results = [{ does = "move", place = "laertes.france" }]'
    )
    state = position(cards, taken=["x"])
    _, after = take(state, IDLE)
    assert refused(after, "laertes.to-france").detail == "Laertes is in France."


# --- HP-12, HP-13


def test_hp_12_two_to_eight_play_with_the_actions_of_the_table() -> None:
    assert RULESET.seat_counts == (2, 3, 4, 5, 6, 7, 8)
    assert [actions_owed(act, 3) for act in range(1, 6)] == [2, 3, 3, 3, 4]
    assert [actions_owed(act, 4) for act in range(1, 6)] == [1, 2, 2, 2, 3]


def test_hp_12_first_player_moves_one_to_the_left_and_scenes_go_round() -> None:
    state = position(seats=4, first_player=2)
    current = []
    for _ in range(5):
        current.append(state.current)
        _, state = take(state, IDLE)
    assert current == [2, 3, 0, 1, 3]


def test_hp_13_the_common_ending_passes_over_horatio() -> None:
    state = last_of_act(dead=ALL_DEAD)
    events, after = take(state, IDLE)
    assert only(events, ActEnded).common
    assert "horatio" not in after.board.dead


def test_after_act_five_without_a_winner_the_game_is_a_draw() -> None:
    state = last_of_act(act=5)
    events, after = take(state, IDLE)
    assert only(events, ActEnded).first_player is None
    outcome = RULESET.outcome(after)
    assert (outcome.winners, outcome.result, outcome.standings.totals) == ((), "draw", (0, 0))


def test_the_set_of_the_house_is_asked_for_by_no_name() -> None:
    assert RULESET.complete_options(HamletPlayOptions(), 2).card_set == house().id
