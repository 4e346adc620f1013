"""How a game of Hamlet! ended, and for each ending line by line why (rulings HP-2, HP-6)."""

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from domain import scores
from domain.rulesets.hamlet_play.cardset.requirements import (
    Alive,
    BoxesChecked,
    Dead,
    HasCounter,
    HasStatus,
    Higher,
    InAct,
    IsAt,
    Needs,
    OnTrack,
    Together,
    persona_of,
)
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.requirements import holds, subjects
from domain.rulesets.hamlet_play.model import HamletPlayState
from domain.rulesets.hamlet_play.text import ending_lines
from domain.rulesets.hamlet_play.text.sentences import Names
from domain.scores import Better, Outcome, ScoreLine


def outcome(state: HamletPlayState) -> Outcome | None:
    """A total is 1 for a win and 0 without; several may win, and nobody may."""
    if state.winners is None:
        return None
    return won_by(totals(state), "higher")


def totals(state: HamletPlayState) -> tuple[int, ...]:
    return tuple(int(seat in (state.winners or ())) for seat in range(state.seats))


def won_by(
    totals: Sequence[int], better: Better, tie_break: Sequence[int] | None = None
) -> Outcome:
    """Rulings HP-2, HP-6: whoever has a whole ending has won, beside others or not."""
    winners = tuple(seat for seat, total in enumerate(totals) if total)
    return Outcome(
        winners=winners,
        result="win" if winners else "draw",
        standings=scores.standings(totals, better, tie_break),
    )


def score_lines(state: HamletPlayState, after: int = 0) -> tuple[ScoreLine, ...]:
    """None before the end: endings are secret until then. `deal` is the Act that ended it."""
    if state.winners is None or state.common is None or state.act <= after:
        return ()
    return tuple(line for seat in range(state.seats) for line in _seat_lines(state, seat))


def _seat_lines(state: HamletPlayState, seat: int) -> Iterator[ScoreLine]:
    if state.stopped:
        yield _line(state, seat, ending_lines.NOT_POSSIBLE, ending_lines.STOPPED)
        return
    names = Names(state.cards)
    ending = state.endings[seat]
    for need in ending.lines:
        yield _line(state, seat, _reason(need, state.board, state.act, names), ending_lines.ENDING)
    assert state.winners is not None
    assert state.common is not None
    if state.won_together:
        text = ending_lines.won_together(names.ending(state.common.id))
        yield _line(state, seat, text, ending_lines.COMMON, points=1)
    elif seat in state.winners:
        yield _line(
            state, seat, ending_lines.won(names.ending(ending.id)), ending_lines.ENDING, points=1
        )


def _reason(need: Needs, board: Board, act: int, names: Names) -> str:
    dead = None
    if not isinstance(need, Dead | Alive | InAct):
        dead = next((persona for persona in subjects(need) if persona in board.dead), None)
    return ending_lines.line(
        need,
        ending_lines.found(need, dead, standing(need, board, act), names),
        ending_lines.wanted(need, names),
        names,
        holds=holds(need, board, act),
    )


def standing(need: Needs, board: Board, act: int) -> Any:
    """What the table shows of the thing a line is about; see `ending_lines.found`."""
    match need:
        case Alive(persona=persona) | Dead(persona=persona):
            return persona in board.dead
        case HasStatus(status=status):
            return status in board.statuses
        case IsAt(place=place):
            return board.places[persona_of(place)]
        case OnTrack(track=track):
            return board.tracks[track]
        case HasCounter(counter=counter):
            return counter in board.counters
        case BoxesChecked(action=action):
            return board.boxes.get(action, 0)
        case Higher(higher=higher, lower=lower):
            return board.tracks[higher], board.tracks[lower]
        case Together(personae=personae):
            return tuple(board.places[persona] for persona in personae)
        case InAct():
            return act
        case _:
            assert_never(need)


def _line(
    state: HamletPlayState, seat: int, reason: str, ruling: str, points: int = 0
) -> ScoreLine:
    return ScoreLine(deal=state.act, seat=seat, points=points, reason=reason, ruling=ruling)
