"""A table of Hamlet! beside its referee: the same moves, reasons, cards and winners."""

from collections import Counter
from typing import Any

from domain.registry import find
from domain.rulesets.hamlet_play.engine.consequences import cards_of
from domain.rulesets.hamlet_play.engine.requirements import all_hold
from domain.rulesets.hamlet_play.model import HamletPlayState, TakeAction
from tests.differential.referees import hamlet_play as referee

RULESET: Any = find("hamlet_play@1")


def compare_decision(
    state: HamletPlayState, play: referee.Play, seen: Counter[str]
) -> list[TakeAction]:
    seat = play.current()
    assert RULESET.to_act(state) == (seat,)
    assert (state.act, state.scene, state.current) == (play.act, play.scene, seat)
    assert on_the_table(state) == play.state()
    legal = RULESET.legal_moves(state, seat)
    moves = [(move.action, move.choice) for move in legal.moves]
    assert len(moves) == len(set(moves))
    assert set(moves) == play.legal()
    seen["ending holds"] += compare_endings(state, play)
    for refusal in legal.refused:
        assert refusal.rule == why_not(refusal.move.action, play), refusal
        seen[refusal.rule] += 1
        seen["needs"] += refusal.rule.startswith("needs-")
    return list(legal.moves)


def compare_endings(state: HamletPlayState, play: referee.Play) -> int:
    """Of every ending of the set, held by a seat or not, whether it holds now; how many do."""
    packs = cards_of(state).endings
    lines = play.cards["endings"] | {packs.common.id: play.cards["common"]}
    found = {
        ending.id: all_hold(ending.lines, state.board, state.act)
        for ending in (packs.common, *packs.regular, *packs.difficult)
    }
    assert found == {ending: play._all_hold(needs) for ending, needs in lines.items()}
    return sum(found.values())


def why_not(action: str, play: referee.Play) -> str:
    """The rule that a refusal names: the first that speaks against the action."""
    table = play.state()
    persona, name = action.split(".")
    (card,) = [one for one in play.cards["personae"][persona]["actions"] if one["id"] == name]
    if persona in table["dead"]:
        return "dead-persona"
    if 0 < card.get("boxes", 0) <= table["boxes"][action]:
        return "no-free-box"
    unmet = play.unmet(action)
    return f"needs-{unmet[0]['needs']}" if unmet else "once-a-scene"


def on_the_table(state: HamletPlayState) -> dict[str, Any]:
    """The engine's board, as the referee states its own."""
    board = state.board
    actions = cards_of(state).actions
    return {
        "statuses": set(board.statuses),
        "tracks": board.tracks,
        "places": {persona: ref.split(".")[1] for persona, ref in board.places.items()},
        "counters": set(board.counters),
        "boxes": {ref: board.boxes.get(ref, 0) for ref in actions},
        "dead": set(board.dead),
    }


def compare_end(state: HamletPlayState, play: referee.Play, seen: Counter[str]) -> None:
    """The engine counts one Scene on when it asks for endings; the referee stays in the last."""
    assert play.over()
    assert play.legal() == set()
    assert on_the_table(state) == play.state()
    outcome = RULESET.outcome(state)
    assert list(outcome.winners) == play.winners()
    assert outcome.result == ("win" if play.winners() else "draw")
    over = "endings" if outcome.winners else "no-action" if state.stopped else "act-five"
    assert over == play.reason
    assert (state.act, min(state.scene, state.seats)) == (play.act, play.scene)
    seen[over] += 1
