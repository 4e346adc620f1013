"""What follows from an action, in the rulebook's order (ruling HP-11).

The results; after the last action of a Scene the table at its end; after the last Scene of an Act
what happens there, and the endings. Only then, whether anything is possible at all.
"""

from collections.abc import Iterator

from domain.kernel import Seat
from domain.rulesets.hamlet_play.cardset.model import CardSet, Does, Effect
from domain.rulesets.hamlet_play.cardset.requirements import ACTS
from domain.rulesets.hamlet_play.constants import actions_owed
from domain.rulesets.hamlet_play.engine import endings
from domain.rulesets.hamlet_play.engine.legal_actions import anything_possible
from domain.rulesets.hamlet_play.engine.requirements import all_hold
from domain.rulesets.hamlet_play.engine.results import Roller, Stage
from domain.rulesets.hamlet_play.model import (
    ActEnded,
    Following,
    HamletPlayState,
    PlayStopped,
    SceneEnded,
    TableFact,
    Turn,
)


def course(state: HamletPlayState, turn: Turn, cards: CardSet, roll: Roller) -> Iterator[Following]:
    """Every event after the action taken, in order, up to the next question or the end.

    Of `state` only the number of seats and the endings are looked at.
    """
    stage = Stage(cards, turn.board, turn.act, roll)
    stage.goes_to(f"a{turn.act}.s{turn.scene}", turn.dice)
    yield from stage.perform(results_of(cards, turn.action, turn.choice), turn.action)
    if turn.number < actions_owed(turn.act, state.seats):
        yield from _unless_possible(cards, stage, turn.act, turn.scene, turn.seat, turn.number)
        return
    yield from _rows(stage, cards.end_of_scene, "end-of-scene")
    yield SceneEnded(act=turn.act, scene=turn.scene, seat=turn.seat)
    if turn.scene < state.seats:
        seat = (turn.seat + 1) % state.seats
        yield from _unless_possible(cards, stage, turn.act, turn.scene + 1, seat)
        return
    stage.goes_to(f"a{turn.act}.end")
    yield from _dying(stage, cards)
    yield from _rows(stage, cards.end_of_act, "end-of-act")
    ended = _act_ended(state, turn, stage)
    yield ended
    if ended.first_player is not None:
        yield from _unless_possible(cards, stage, turn.act + 1, 1, ended.first_player)


def opening_course(state: HamletPlayState, cards: CardSet) -> Iterator[PlayStopped]:
    """What follows when First Player is known: nothing, if anything is possible."""
    if not anything_possible(cards, state.board, state.act):
        yield _stopped(state.act, state.scene, state.current, 0)


def _unless_possible(
    cards: CardSet, stage: Stage, act: int, scene: int, seat: Seat, taken: int = 0
) -> Iterator[PlayStopped]:
    if not anything_possible(cards, stage.board, act):
        yield _stopped(act, scene, seat, taken)


def _stopped(act: int, scene: int, seat: Seat, taken: int) -> PlayStopped:
    return PlayStopped(act=act, scene=scene, seat=seat, taken=taken)


def _dying(stage: Stage, cards: CardSet) -> Iterator[TableFact]:
    """Ruling HP-10: who has the counter now dies, all together."""
    dying = stage.board.dying
    yield from stage.dies((p.id for p in cards.personae if p.id in dying), "dying")


def _act_ended(state: HamletPlayState, turn: Turn, stage: Stage) -> ActEnded:
    """Ruling HP-6: every player whose whole ending holds wins; the common one wins for all."""
    assert state.common is not None
    common = endings.holds(state.common, stage.board, turn.act)
    winners = tuple(
        seat
        for seat, ending in enumerate(state.endings)
        if common or endings.holds(ending, stage.board, turn.act)
    )
    last = bool(winners) or turn.act == ACTS
    return ActEnded(
        act=turn.act,
        winners=winners,
        common=common,
        first_player=None if last else (turn.first_player + 1) % state.seats,
    )


def results_of(cards: CardSet, action: str, choice: str | None) -> tuple[Does, ...]:
    """Those of the action, then those of the choice."""
    taken = cards.actions[action]
    chosen = (option.results for option in taken.choose if option.id == choice)
    return taken.results + next(chosen, ())


def _rows(stage: Stage, rows: tuple[Effect, ...], table: str) -> Iterator[TableFact]:
    """Ruling HP-4: top to bottom, once each, as the table stands when the row's turn comes."""
    for row in rows:
        if all_hold(row.requires, stage.board, stage.act):
            yield from stage.perform(row.results, f"{table}.{row.id}")
