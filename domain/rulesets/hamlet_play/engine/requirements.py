"""Whether a requirement, or a line of an ending, holds of the table (docs/cardsets.md)."""

from collections.abc import Iterable
from typing import assert_never

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


def all_hold(needs: Iterable[Needs], board: Board, act: int) -> bool:
    return all(holds(need, board, act) for need in needs)


def holds(need: Needs, board: Board, act: int) -> bool:  # noqa: C901 - one case for each kind
    """Ruling HP-8: what is said of a persona's state, `not` included, needs that persona alive."""
    if isinstance(need, Dead):
        return need.persona in board.dead
    if board.dead and not board.dead.isdisjoint(subjects(need)):
        return False
    match need:
        case Alive():
            return True
        case HasStatus(status=status):
            return (status in board.statuses) != need.negated
        case IsAt(place=place):
            return (board.places[persona_of(place)] == place) != need.negated
        case OnTrack(track=track):
            return _between(board.tracks[track], need.at_least, need.at_most)
        case HasCounter(counter=counter):
            return (counter in board.counters) != need.negated
        case BoxesChecked(action=action):
            return _between(board.boxes.get(action, 0), need.at_least, need.at_most)
        case Higher(higher=higher, lower=lower):
            return (board.tracks[higher] > board.tracks[lower]) != need.negated
        case Together(personae=personae):
            return (len(where(board, personae)) == 1) != need.negated
        case InAct():
            return _between(act, need.at_least, need.at_most)
        case _:
            assert_never(need)


def subjects(need: Needs) -> tuple[str, ...]:
    """The personae a requirement is about; nobody for the Act."""
    match need:
        case Alive(persona=ref) | Dead(persona=ref):
            return (ref,)
        case HasStatus(status=ref) | IsAt(place=ref) | OnTrack(track=ref):
            return (persona_of(ref),)
        case HasCounter(counter=ref) | BoxesChecked(action=ref):
            return (persona_of(ref),)
        case Higher(higher=higher, lower=lower):
            return tuple(dict.fromkeys((persona_of(higher), persona_of(lower))))
        case Together(personae=personae):
            return personae
        case InAct():
            return ()
        case _:
            assert_never(need)


def where(board: Board, personae: Iterable[str]) -> set[str]:
    """The ids of the places these personae are on: `france` of `laertes.france`."""
    return {board.places[persona].partition(".")[2] for persona in personae}


def _between(value: int, at_least: int | None, at_most: int | None) -> bool:
    return (at_least is None or value >= at_least) and (at_most is None or value <= at_most)
