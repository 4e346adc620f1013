"""Whether a line of an ending is about something that the first events of the game have set up."""

from typing import assert_never

from domain.rulesets.hamlet_play.cardset.requirements import (
    COUNTERS,
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
from domain.rulesets.hamlet_play.model import HamletPlayState


def is_staged(need: Needs, state: HamletPlayState) -> bool:
    """Facts are told of what lies on the table alone; the stage does not list statuses."""
    match need:
        case Alive(persona=persona) | Dead(persona=persona):
            return persona in state.personae
        case HasStatus(status=ref):
            return persona_of(ref) in state.personae
        case IsAt(place=ref):
            return persona_of(ref) in state.board.places
        case OnTrack(track=ref):
            return ref in state.tracks
        case HasCounter(counter=ref):
            persona, _, counter = ref.partition(".")
            return persona in state.personae and counter in COUNTERS
        case BoxesChecked(action=ref):
            return ref in state.boxes
        case Higher(higher=higher, lower=lower):
            return higher in state.tracks and lower in state.tracks
        case Together(personae=personae):
            return len(personae) > 1 and set(personae) <= state.board.places.keys()
        case InAct():
            return True
        case _:
            assert_never(need)
