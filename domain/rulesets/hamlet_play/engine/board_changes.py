"""What each fact changes of the cards on the table. Applied, never judged by any card."""

from typing import assert_never

from domain.kernel import IntegrityError
from domain.rulesets.hamlet_play.cardset.requirements import COUNTERS, persona_of
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.model import (
    BoxChecked,
    CounterPlaced,
    CounterRemoved,
    DieRolled,
    PersonaDied,
    PersonaMoved,
    StatusChecked,
    TableFact,
    TrackMoved,
)


def changed(board: Board, fact: TableFact) -> Board:
    """Raises IntegrityError on a fact that cannot follow: what is checked stays checked, a token
    leaves the place it is on, nothing happens to the dead."""
    match fact:
        case DieRolled():
            return board
        case TrackMoved(track=track, before=before, after=after):
            _check(board, track, board.tracks.get(track) == before != after)
            return board.with_track(track, after)
        case StatusChecked(status=status):
            _check(board, status, status not in board.statuses)
            return board.with_status(status)
        case BoxChecked(action=action, checked=checked):
            _check(board, action, board.boxes.get(action, 0) == checked - 1)
            return board.with_boxes(action, checked)
        case CounterPlaced(counter=counter):
            named = counter.partition(".")[2] in COUNTERS
            _check(board, counter, named and counter not in board.counters)
            return board.with_counter(counter)
        case CounterRemoved(counter=counter):
            _check(board, counter, counter in board.counters)
            return board.without_counter(counter)
        case PersonaMoved(before=before_place, after=place):
            persona = persona_of(place)
            _check(board, place, board.places.get(persona) == before_place != place)
            return board.with_place(place)
        case PersonaDied(persona=persona):
            _check(board, persona, True)
            return board.with_death(persona)
        case _:
            assert_never(fact)


def _check(board: Board, ref: str, possible: bool) -> None:  # noqa: FBT001
    if board.is_dead(ref):
        raise IntegrityError(f"something happens to {ref}, who is dead")
    if not possible:
        raise IntegrityError(f"{ref} is not as the entry says it was")
