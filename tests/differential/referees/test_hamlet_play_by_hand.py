"""The referee of the board game Hamlet! against examples worked by hand from the rulebook.

Those on the tiny card set play it as it stands; the others write the few cards they need.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.differential.referees.hamlet_play import CardSet, Play, load

TINY = Path(__file__).parents[2] / "cardsets" / "tiny"
FLOWERS = {("ophelia.flowers", "to-hamlet"), ("ophelia.flowers", "to-laertes")}

Action = dict[str, Any]


def tiny(*endings: str, first: int = 0) -> Play:
    return Play(load(TINY), len(endings), first, list(endings))


def inline(personae: dict[str, Any], **rest: Any) -> CardSet:
    """A card set of which nobody's ending comes true unless `rest` says so."""
    never = [{"needs": "dead", "persona": "yorick"}]
    cards: CardSet = {
        "personae": personae,
        "end_of_scene": [],
        "end_of_act": [],
        "endings": {"never": never, "also-never": never},
        "common": never,
    }
    return {**cards, **rest}


def two(cards: CardSet, *endings: str) -> Play:
    return Play(cards, 2, 0, list(endings or ("never", "also-never")))


def action(
    name: str, *results: Action, requires: list[Action] | None = None, boxes: int = 0
) -> Any:
    return {"id": name, "boxes": boxes, "requires": requires or [], "results": list(results)}


def person(*actions: Action, sanity: int = 4, **rest: Any) -> dict[str, Any]:
    """A card with a status, two places and a track from 0 to 6."""
    return {
        "start": "court",
        "places": {"court": {}, "abroad": {}},
        "tracks": {"wits": {"min": 0, "max": 6, "start": sanity}},
        "statuses": {"mad": {}},
        "actions": list(actions),
        **rest,
    }


def no_dice() -> int:
    raise AssertionError("no die is rolled here")


def play(game: Play, moves: str, rolls: str = "") -> None:
    """Take the moves, `persona.action` or `persona.action:choice`; every die must be used."""
    dice = [int(face) for face in rolls.split()]
    roll: Callable[[], int] = lambda: dice.pop(0) if dice else no_dice()  # noqa: E731
    for move in moves.split():
        ref, _, choice = move.partition(":")
        game.take(ref, choice or None, roll)
    assert dice == []


def refs(game: Play) -> set[str]:
    return {ref for ref, _ in game.legal()}


def kill(persona: str) -> Action:
    return {"does": "kill", "persona": persona}


def place(counter: str) -> Action:
    return {"does": "place-counter", "counter": counter}


def wits(persona: str, by: int) -> Action:
    return {"does": "move-track", "track": f"{persona}.wits", "by": by}


# --- what is possible ------------------------------------------------------------------------


def test_the_first_scene_of_the_tiny_set() -> None:
    game = tiny("revenge", "exile")
    assert (game.act, game.scene, game.current()) == (1, 1, 0)
    assert game.legal() == FLOWERS | {
        ("hamlet.antic-disposition", None),
        ("ophelia.get-thee", None),
        ("ophelia.wedding", None),
        ("laertes.to-france", None),
        ("laertes.few-precepts", None),
        ("horatio.season-your-admiration", None),
    }
    assert game.state() == {
        "statuses": set(),
        "tracks": {"hamlet.swordplay": 3, "ophelia.sanity": 4, "laertes.swordplay": 2},
        "places": {"hamlet": "court", "ophelia": "court", "laertes": "court"},
        "counters": set(),
        "boxes": dict.fromkeys(game.state()["boxes"], 0),
        "dead": set(),
    }
    assert len(game.state()["boxes"]) == 4 + 4 + 3 + 1


def test_unmet_lists_what_fails_in_the_order_of_the_card() -> None:
    game = tiny("revenge", "exile")
    act_three = {"needs": "act", "at_least": 3}
    together = {"needs": "together", "personae": ["hamlet", "laertes"]}
    assert game.unmet("hamlet.the-foils") == [act_three]
    play(game, "laertes.to-france")
    assert game.unmet("hamlet.the-foils") == [together, act_three]
    # Swordplay 2 against 3; that Laertes is not dying is met.
    assert [need["needs"] for need in game.unmet("laertes.unbated-point")] == ["compare"]
    assert game.unmet("horatio.season-your-admiration") == []


def test_what_is_not_legal_is_refused() -> None:
    game = tiny("revenge", "exile")
    for move, choice in [
        ("hamlet.to-england", None),
        ("ophelia.flowers", None),
        ("ophelia.flowers", "to-horatio"),
        ("ophelia.wedding", "to-hamlet"),
    ]:
        with pytest.raises(ValueError, match="not legal"):
            game.take(move, choice, no_dice)


def test_an_action_with_a_choice_is_one_action() -> None:
    # HP-7: flowers for Hamlet use up flowers for Laertes, in this Scene and no longer.
    game = tiny("revenge", "exile")
    play(game, "ophelia.flowers:to-hamlet")
    assert not game.legal() & FLOWERS
    play(game, "horatio.season-your-admiration")
    assert game.current() == 1
    assert game.legal() >= FLOWERS


def test_a_full_box_bars_the_action_for_good() -> None:
    game = tiny("revenge", "exile")
    play(game, "laertes.few-precepts horatio.season-your-admiration")
    assert game.state()["boxes"]["laertes.few-precepts"] == 1
    assert game.unmet("laertes.few-precepts") == []
    assert "laertes.few-precepts" not in refs(game)


def test_repeats_only_when_nothing_else_is_possible() -> None:
    # HP-7: `once` has a box, `twice` two. In a Scene of two actions neither is repeated ...
    once = action("once", {"does": "check-box"}, boxes=1)
    twice = action("twice", {"does": "check-box"}, boxes=2)
    game = two(inline({"clown": person(once, twice, action("wait"))}))
    play(game, "clown.wait")
    assert refs(game) == {"clown.once", "clown.twice"}
    play(game, "clown.once clown.twice")
    # ... seat 1 has taken `twice`: `wait` is the only one not taken, so it must be.
    assert refs(game) == {"clown.wait"}
    play(game, "clown.wait")
    # Act 2, three actions: `twice` has its second box, then `wait`, then `wait` once more.
    assert (game.act, game.scene) == (2, 1)
    play(game, "clown.wait")
    assert refs(game) == {"clown.twice"}
    play(game, "clown.twice")
    assert refs(game) == {"clown.wait"}
    play(game, "clown.wait")
    assert (game.act, game.scene) == (2, 2)


def test_a_fresh_possibility_ends_the_repeats() -> None:
    # HP-7, "evaluated anew": the second `rave` makes `weep` possible, and then only that.
    mad = {"needs": "track", "track": "clown.wits", "at_most": 2}
    clown = person(action("rave", wits("clown", -1)), action("weep", requires=[mad]))
    game = two(inline({"clown": clown}))
    play(game, "clown.rave")
    assert refs(game) == {"clown.rave"}  # wits 3
    play(game, "clown.rave")  # wits 2, and the Scene is over
    assert refs(game) == {"clown.rave", "clown.weep"}
    play(game, "clown.rave")
    assert refs(game) == {"clown.weep"}


# --- the order of play -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "counts"),
    [(2, [2, 3, 3, 3, 4]), (3, [2, 3, 3, 3, 4]), (4, [1, 2, 2, 2, 3]), (8, [1, 2, 2, 2, 3])],
)
def test_actions_per_scene_and_the_first_player(seats: int, counts: list[int]) -> None:
    cards = inline({"clown": person(action("wait"))})
    game = Play(cards, seats, seats - 1, ["never"] * seats)
    for act in range(1, 6):
        for scene in range(1, seats + 1):
            for _ in range(counts[act - 1]):
                assert (game.act, game.scene) == (act, scene)
                # Act 1 begins with the last seat, Act 2 with seat 0, Act 3 with seat 1 ...
                assert game.current() == (seats - 1 + act - 1 + scene - 1) % seats
                play(game, "clown.wait")
    assert game.over()
    assert (game.reason, game.winners(), game.current()) == ("act-five", [], None)
    assert game.legal() == set()


def test_three_seats_from_seat_two() -> None:
    game = Play(inline({"clown": person(action("wait"))}), 3, 2, ["never"] * 3)
    order: list[tuple[int, int | None]] = []
    while not game.over():
        seat = game.current()
        if not order or order[-1] != (game.act, seat):
            order.append((game.act, seat))
        play(game, "clown.wait")
    assert [seat for _, seat in order] == [2, 0, 1, 0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2]


# --- results ---------------------------------------------------------------------------------


def test_a_slider_stops_at_its_end_and_the_action_may_still_be_taken() -> None:
    game = tiny("revenge", "exile")
    play(game, "ophelia.flowers:to-laertes horatio.season-your-admiration")
    assert game.state()["tracks"]["laertes.swordplay"] == 1
    play(game, "ophelia.flowers:to-laertes horatio.season-your-admiration")
    assert game.state()["tracks"]["laertes.swordplay"] == 1
    assert game.state()["tracks"]["ophelia.sanity"] == 2
    assert game.legal() >= FLOWERS


def test_a_slider_stops_at_its_upper_end() -> None:
    # From 4 by 5 in a track to 6: only the steps that fit are taken.
    game = two(inline({"clown": person(action("laugh", wits("clown", 5)), action("wait"))}))
    play(game, "clown.laugh clown.wait")
    assert game.state()["tracks"]["clown.wits"] == 6
    assert "clown.laugh" in refs(game)


def test_the_nunnery_and_a_spy_who_stops() -> None:
    game = tiny("revenge", "exile")
    play(game, "hamlet.antic-disposition")
    assert game.state()["counters"] == {"ophelia.spying"}
    play(game, "ophelia.get-thee")  # 4 - 2, and 1 back as the Scene ends
    assert game.state()["counters"] == set()
    assert game.state()["places"]["ophelia"] == "nunnery"
    assert game.state()["tracks"]["ophelia.sanity"] == 3
    assert "ophelia.wedding" not in refs(game)  # not together any more
    play(game, "horatio.season-your-admiration")
    assert game.state()["tracks"]["ophelia.sanity"] == 3  # once a Scene, not once an action
    play(game, "laertes.few-precepts")
    assert game.state()["tracks"]["ophelia.sanity"] == 4


def test_when_looks_at_the_table_as_it_stands() -> None:
    game = tiny("revenge", "exile")
    play(game, "ophelia.wedding")  # no box of the antic disposition is checked: a happy bride
    assert game.state()["statuses"] == {"ophelia.married-to-hamlet"}
    assert game.state()["tracks"]["ophelia.sanity"] == 5
    game = tiny("revenge", "exile")
    play(game, "hamlet.antic-disposition ophelia.wedding")
    assert game.state()["tracks"]["ophelia.sanity"] == 4
    assert game.state()["statuses"] == {
        "hamlet.mad",
        "ophelia.married-to-hamlet",
        "ophelia.insane",
    }
    assert [need["needs"] for need in game.unmet("ophelia.wedding")] == ["status"]


@pytest.mark.parametrize(("face", "after"), [("2", 2), ("3", 3)])
def test_laertes_in_france_must_roll_more_than_his_swordplay(face: str, after: int) -> None:
    game = tiny("revenge", "exile")
    play(game, "laertes.to-france horatio.season-your-admiration", face)
    assert game.state()["tracks"]["laertes.swordplay"] == after


def test_laertes_chastised_learns_without_a_die() -> None:
    game = tiny("revenge", "exile")
    play(game, "laertes.few-precepts laertes.to-france")
    assert game.state()["tracks"]["laertes.swordplay"] == 3


def test_the_die_is_rolled_even_at_swordplay_six() -> None:
    # HP-1. Five Scenes in France, five dice: 3, 4, 5, 6 and still 6.
    game = tiny("revenge", "exile")
    play(game, "laertes.to-france horatio.season-your-admiration", "6")
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet", "6")
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet", "")
    play(game, "hamlet.antic-disposition", "6")
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet ophelia.get-thee", "6")
    assert (game.act, game.state()["tracks"]["laertes.swordplay"]) == (3, 6)
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet ophelia.the-brook", "6")
    assert game.state()["tracks"]["laertes.swordplay"] == 6


@pytest.mark.parametrize(
    ("face", "place_after", "swordplay", "counters"),
    [
        ("1", "england", 4, {"hamlet.dying"}),
        ("3", "england", 4, set()),  # a face in no case: nothing, and he goes on practising
        ("4", "court", 3, set()),
    ],
)
def test_the_pirates(face: str, place_after: str, swordplay: int, counters: set[str]) -> None:
    game = tiny("wedding-bells", "paris")
    for _ in "01":
        play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet")
    play(game, "hamlet.to-england horatio.season-your-admiration hamlet.pirates", face)
    state = game.state()
    assert state["places"]["hamlet"] == place_after
    assert state["tracks"]["hamlet.swordplay"] == swordplay
    assert state["counters"] == counters
    assert state["boxes"]["hamlet.pirates"] == 1


def _to_act_three(*endings: str) -> Play:
    """Tokens as at the start, but Sanity 0: everybody at court, Swordplay 3 and 2."""
    game = tiny(*endings)
    wait = "horatio.season-your-admiration ophelia.flowers:to-hamlet"
    play(game, f"{wait} {wait} {wait} laertes.few-precepts {wait} hamlet.antic-disposition")
    assert (game.act, game.scene, game.current()) == (3, 1, 0)
    assert game.state()["tracks"] == {
        "hamlet.swordplay": 3,
        "ophelia.sanity": 0,
        "laertes.swordplay": 2,
    }
    return game


@pytest.mark.parametrize(
    ("rolls", "counters"),
    [
        ("1 1", {"laertes.dying"}),  # 4 to 3
        ("1 3", {"hamlet.dying"}),  # 4 to 5
        ("3 1", {"laertes.dying"}),  # 6 to 3: the first die is Hamlet's
        ("2 3", {"laertes.dying", "hamlet.dying"}),  # 5 to 5
    ],
)
def test_the_foils(rolls: str, counters: set[str]) -> None:
    game = _to_act_three("revenge", "a-noble-heart")
    play(game, "hamlet.the-foils", rolls)
    assert game.state()["counters"] - {"ophelia.spying"} == counters
    assert game.state()["dead"] == set()  # HP-10: dying is alive


def test_results_pass_over_the_dead_one_by_one() -> None:
    # HP-9: he is dead when he would go abroad, go mad, spy, die or check his own box; she is not.
    end = action(
        "end",
        wits("hamlet", -1),
        kill("hamlet"),
        wits("hamlet", -1),
        {"does": "move", "place": "hamlet.abroad"},
        {"does": "check-status", "status": "hamlet.mad"},
        place("hamlet.spying"),
        place("hamlet.dying"),
        kill("hamlet"),
        {"does": "check-box"},
        wits("ophelia", -1),
        boxes=1,
    )
    game = two(inline({"hamlet": person(end), "ophelia": person(action("wait"))}))
    play(game, "hamlet.end")
    assert game.state() == {
        "statuses": set(),
        "tracks": {"hamlet.wits": 3, "ophelia.wits": 3},
        "places": {"hamlet": "court", "ophelia": "court"},
        "counters": set(),
        "boxes": {"hamlet.end": 0, "ophelia.wait": 0},
        "dead": {"hamlet"},
    }
    assert refs(game) == {"ophelia.wait"}


def test_dice_about_the_dead() -> None:
    # A plain roll is always rolled; against a dead track, or in a duel with the dead, never.
    against: Action = {"does": "roll-against", "track": "hamlet.wits", "above": [wits("clown", 1)]}
    against["otherwise"] = [wits("clown", 1)]
    duel: Action = {"does": "duel", "first": "clown.wits", "second": "hamlet.wits"}
    duel["first_wins"] = duel["second_wins"] = duel["tie"] = [wits("clown", 1)]
    roll: Action = {"does": "roll", "cases": [{"faces": [6], "results": [wits("hamlet", 1)]}]}
    roll["cases"].append({"faces": [1, 2], "results": [wits("clown", -2)]})
    dig = action("dig", kill("hamlet"), against, duel, roll)
    game = two(inline({"clown": person(dig, action("wait")), "hamlet": person()}))
    play(game, "clown.dig", "2")
    assert game.state()["tracks"] == {"clown.wits": 2, "hamlet.wits": 4}


def test_counters_are_one_of_each_and_gone_with_the_dead() -> None:
    spy = action("spy", place("hamlet.spying"), place("hamlet.dying"), place("hamlet.spying"))
    stop = action("stop", {"does": "remove-counter", "counter": "hamlet.spying"})
    clown = person(spy, stop, action("end", kill("hamlet")))
    game = two(inline({"clown": clown, "hamlet": person()}))
    play(game, "clown.spy")
    assert game.state()["counters"] == {"hamlet.spying", "hamlet.dying"}  # HP-3
    play(game, "clown.stop")  # once is enough
    assert game.state()["counters"] == {"hamlet.dying"}
    play(game, "clown.end")
    assert game.state()["counters"] == set()


def test_the_results_of_the_choice_come_last() -> None:
    pick = action("pick", {"does": "set-track", "track": "clown.wits", "to": 6})
    pick["choose"] = [
        {"id": "less", "results": [wits("clown", -1)]},
        {"id": "more", "results": [wits("clown", 1)]},
    ]
    game = two(inline({"clown": person(pick, action("wait"))}))
    assert game.legal() == {("clown.pick", "less"), ("clown.pick", "more"), ("clown.wait", None)}
    play(game, "clown.pick:less")
    assert game.state()["tracks"] == {"clown.wits": 5}


# --- requirements ----------------------------------------------------------------------------


def test_a_state_is_of_the_living_only() -> None:
    # HP-8: alive, each of a pair holds; dead, only `dead` does.
    needs: list[Action] = [
        {"needs": "alive", "persona": "hamlet"},
        {"needs": "status", "status": "hamlet.mad", "not": True},
        {"needs": "place", "place": "hamlet.court"},
        {"needs": "place", "place": "hamlet.abroad", "not": True},
        {"needs": "track", "track": "hamlet.wits", "at_least": 4, "at_most": 4},
        {"needs": "counter", "counter": "hamlet.spying", "not": True},
        {"needs": "box", "action": "hamlet.wait", "at_most": 0},
        {"needs": "compare", "higher": "hamlet.wits", "lower": "clown.wits", "not": True},
        {"needs": "compare", "higher": "clown.wits", "lower": "hamlet.wits", "not": True},
        {"needs": "together", "personae": ["clown", "hamlet"]},
    ]
    apart: Action = {"needs": "together", "personae": ["clown", "hamlet"], "not": True}
    dead: Action = {"needs": "dead", "persona": "hamlet"}
    act: Action = {"needs": "act", "at_least": 1, "at_most": 1}
    probe = action("probe", requires=[*needs, apart, dead, act])
    clown = person(probe, action("end", kill("hamlet")))
    game = two(inline({"clown": clown, "hamlet": person(action("wait", boxes=1))}))
    assert game.unmet("clown.probe") == [apart, dead]
    play(game, "clown.end")
    assert game.unmet("clown.probe") == [*needs, apart]


# --- ends of Scene and Act -------------------------------------------------------------------


def test_the_table_is_applied_top_to_bottom() -> None:
    # HP-4: the second row sees what the first has done; the first does not see the second's.
    def row(at: int, by: int) -> Action:
        track = {"needs": "track", "track": "clown.wits", "at_least": at, "at_most": at}
        return {"requires": [track], "results": [wits("clown", by)]}

    cards = inline({"clown": person(action("wait"))}, end_of_scene=[row(4, -1), row(3, -2)])
    game = two(cards)
    play(game, "clown.wait")
    assert game.state()["tracks"]["clown.wits"] == 4
    play(game, "clown.wait")
    assert game.state()["tracks"]["clown.wits"] == 1


def test_the_last_action_of_the_act_still_kills() -> None:
    # HP-10. Sanity 4: 3, 1 (and 2 as the Scene ends), 1, and the brook on the Act's last action.
    game = tiny("the-willow", "revenge")
    play(game, "ophelia.flowers:to-hamlet ophelia.get-thee ophelia.flowers:to-hamlet")
    assert game.state()["tracks"]["ophelia.sanity"] == 1
    play(game, "ophelia.the-brook")
    assert (game.reason, game.winners(), game.act) == ("endings", [0], 1)
    assert game.state()["dead"] == {"ophelia"}
    assert game.state()["counters"] == set()
    assert game.state()["tracks"]["ophelia.sanity"] == 1  # insane: no peace at the nunnery


def test_the_act_ends_with_its_dead_then_its_rows_then_the_endings() -> None:
    # A row that asks for the dead finds them; one that places `dying` kills an Act later.
    dead = {"needs": "dead", "persona": "hamlet"}
    act_one = {"needs": "act", "at_least": 1, "at_most": 1}
    rows = [{"requires": [act_one, dead], "results": [place("clown.dying"), wits("clown", 1)]}]
    cards = inline(
        {
            "clown": person(action("poison", place("hamlet.dying"))),
            "hamlet": person(),
            "horatio": person(action("wait")),
        },
        end_of_act=rows,
        endings={
            "five": [{"needs": "track", "track": "clown.wits", "at_least": 6}],
            "grave": [{"needs": "dead", "persona": "clown"}],
        },
    )
    game = two(cards, "five", "grave")
    play(game, "clown.poison horatio.wait")
    assert game.state()["dead"] == set()
    play(game, "clown.poison horatio.wait")
    assert (game.act, game.current()) == (2, 1)
    assert game.state()["dead"] == {"hamlet"}
    assert game.state()["counters"] == {"clown.dying"}
    assert game.state()["tracks"]["clown.wits"] == 5
    play(game, "clown.poison horatio.wait clown.poison")  # nothing else is possible
    play(game, "horatio.wait clown.poison horatio.wait")
    assert (game.reason, game.winners()) == ("endings", [1])


def test_the_king_calls_laertes_in_act_three() -> None:
    # He rolls at the end of both Scenes, comes home, and is not "in France" for the endings.
    game = _to_act_three("last-of-his-house", "paris")
    play(game, "laertes.to-france horatio.season-your-admiration ophelia.flowers:to-hamlet")
    assert game.state()["tracks"]["laertes.swordplay"] == 3  # chastised: without a die
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet ophelia.get-thee")
    assert game.state()["tracks"]["laertes.swordplay"] == 4
    assert game.state()["places"]["laertes"] == "court"
    assert (game.act, game.over()) == (4, False)


# --- winning ---------------------------------------------------------------------------------


def test_several_win_and_a_dead_hamlet_is_not_without_a_counter() -> None:
    # Both die by the foils: "revenge" (Hamlet dead) holds; "a noble heart" needs a Hamlet
    # who is not dying, and a dead one is nothing of the kind (HP-8).
    game = _to_act_three("revenge", "a-noble-heart")
    play(game, "hamlet.the-foils horatio.season-your-admiration ophelia.flowers:to-hamlet", "2 3")
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet ophelia.get-thee")
    assert (game.reason, game.winners()) == ("endings", [0])
    assert game.state()["dead"] == {"hamlet", "laertes"}


def test_the_common_ending_wins_for_all() -> None:
    # HP-6: as before, but Ophelia drowns too; "a noble heart" wins with the rest.
    game = _to_act_three("revenge", "a-noble-heart")
    play(game, "hamlet.the-foils horatio.season-your-admiration ophelia.flowers:to-hamlet", "2 3")
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet ophelia.the-brook")
    assert (game.reason, game.winners()) == ("endings", [0, 1])


def test_two_of_three_win_whoever_took_the_action() -> None:
    game = tiny("paris", "revenge", "wedding-bells", first=1)
    play(game, "ophelia.wedding horatio.season-your-admiration")
    play(game, "laertes.few-precepts laertes.to-france")
    assert not game.over()  # endings are looked at when the Act ends
    play(game, "horatio.season-your-admiration ophelia.flowers:to-hamlet")
    assert (game.reason, game.winners()) == ("endings", [0, 2])


def test_a_widow_is_married_and_a_dead_bride_is_not() -> None:
    wed = action("wed", {"does": "check-status", "status": "ophelia.mad"})
    end = action("end")
    end["choose"] = [
        {"id": "him", "results": [kill("hamlet")]},
        {"id": "her", "results": [kill("ophelia")]},
    ]
    cards = inline(
        {"ophelia": person(), "hamlet": person(), "horatio": person(wed, end, action("wait"))},
        endings={
            "married": [{"needs": "status", "status": "ophelia.mad"}],
            "never": [{"needs": "alive", "persona": "yorick"}, {"needs": "dead", "persona": "x"}],
        },
    )
    game = two(cards, "married", "never")
    play(game, "horatio.wed horatio.end:him horatio.wait horatio.wed")
    assert (game.reason, game.winners()) == ("endings", [0])
    game = two(cards, "married", "never")
    play(game, "horatio.wed horatio.end:her horatio.wait horatio.wed")
    assert (game.reason, game.act) == (None, 2)


def test_an_ending_in_act_five_is_no_draw() -> None:
    five = {"needs": "track", "track": "clown.wits", "at_least": 6}
    cards = inline(
        {"clown": person(action("wait"))},
        endings={"six": [five], "never": [{"needs": "dead", "persona": "clown"}]},
    )
    act_five = {"needs": "act", "at_least": 5}
    cards["end_of_scene"] = [{"requires": [act_five], "results": [wits("clown", 1)]}]
    game = two(cards, "never", "six")
    play(game, "clown.wait " * (4 + 6 + 6 + 6 + 8))
    assert (game.act, game.scene, game.reason, game.winners()) == (5, 2, "endings", [1])


# --- when nothing is possible ----------------------------------------------------------------


def _boxes(boxes: int, *results: Action) -> CardSet:
    clown = person(action("jest", {"does": "check-box"}, *results, boxes=boxes))
    return inline(
        {"clown": clown, "hamlet": person()},
        end_of_scene=[{"results": [wits("hamlet", 1)]}],
        endings={
            "revenge": [{"needs": "dead", "persona": "hamlet"}],
            "never": [{"needs": "dead", "persona": "clown"}],
        },
    )


def test_no_action_in_mid_scene_ends_all_at_once() -> None:
    # HP-2: no table, nobody dies of a counter, no endings.
    game = two(_boxes(1, place("hamlet.dying")), "revenge", "never")
    play(game, "clown.jest")
    assert (game.reason, game.winners(), game.current()) == ("no-action", [], None)
    assert game.state()["tracks"]["hamlet.wits"] == 4
    assert game.state()["dead"] == set()
    assert game.state()["counters"] == {"hamlet.dying"}


def test_no_action_is_asked_when_the_next_scene_has_begun() -> None:
    # HP-11: the table first; the Scene that cannot be played is the second.
    game = two(_boxes(2, place("hamlet.dying")), "revenge", "never")
    play(game, "clown.jest clown.jest")
    assert (game.reason, game.act, game.scene) == ("no-action", 1, 2)
    assert game.state()["tracks"]["hamlet.wits"] == 5
    assert game.state()["dead"] == set()


def test_endings_come_before_no_action() -> None:
    game = two(_boxes(4, place("hamlet.dying")), "revenge", "never")
    play(game, "clown.jest clown.jest clown.jest clown.jest")
    assert (game.reason, game.winners()) == ("endings", [0])
    # Nobody's ending: the Act is over, First Player has moved, and Act 2 cannot begin.
    game = two(_boxes(4), "revenge", "never")
    play(game, "clown.jest clown.jest clown.jest clown.jest")
    assert (game.reason, game.winners(), game.act) == ("no-action", [], 2)
    assert game.first_player == 1


def test_no_action_from_the_first() -> None:
    stuck = action("stuck", requires=[{"needs": "act", "at_least": 2}])
    assert two(inline({"clown": person(stuck)})).reason == "no-action"
