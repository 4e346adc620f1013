"""What each event of Hamlet! changes. Facts are applied, never judged; no card is looked at."""

from typing import assert_never

from msgspec.structs import replace

from domain.kernel import IntegrityError, stated_seat
from domain.rulesets.hamlet_play.cardset.requirements import (
    ACTS,
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
from domain.rulesets.hamlet_play.constants import actions_owed
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.board_changes import changed
from domain.rulesets.hamlet_play.model import (
    ActEnded,
    ActionTaken,
    DieRolled,
    EndingsDealt,
    FirstPlayerDrawn,
    HamletPlayEvent,
    HamletPlayState,
    PlayStopped,
    SceneEnded,
    StageSet,
    TableFact,
    Turn,
)
from domain.visibility import UNKNOWN


def evolve(state: HamletPlayState, event: HamletPlayEvent) -> HamletPlayState:
    """Raises IntegrityError on a fact that cannot follow, such as a Scene that ends too early."""
    match event:
        case ActionTaken():
            return _action_taken(state, event)
        case StageSet():
            return _stage_set(state, event)
        case EndingsDealt():
            return _endings_dealt(state, event)
        case FirstPlayerDrawn():
            return _first_player_drawn(state, event)
        case SceneEnded():
            return _scene_ended(state, event)
        case ActEnded():
            return _act_ended(state, event)
        case PlayStopped():
            return _play_stopped(state, event)
        case _:
            return _fact(state, event)


def _stage_set(state: HamletPlayState, event: StageSet) -> HamletPlayState:
    if state.personae or state.phase != "setting":
        raise IntegrityError("the stage is set twice")
    if (event.card_set, event.digest) != (state.card_set, state.digest):
        raise IntegrityError("the stage is set with other cards than the game was opened with")
    return replace(
        state,
        personae=event.personae,
        tracks=event.tracks,
        boxes=event.boxes,
        board=Board(
            places=event.places, tracks={ref: laid.start for ref, laid in event.tracks.items()}
        ),
    )


def _endings_dealt(state: HamletPlayState, event: EndingsDealt) -> HamletPlayState:
    if not state.personae or state.endings or state.phase != "setting":
        raise IntegrityError("endings are dealt out of order")
    if len(event.endings) != state.seats:
        raise IntegrityError("there is not one ending for each seat")
    for ending in (event.common, *event.endings):
        if ending is not UNKNOWN and not all(_is_staged(need, state) for need in ending.lines):
            raise IntegrityError("an ending is about something that is not on the stage")
    return replace(state, endings=event.endings, common=event.common)


def _first_player_drawn(state: HamletPlayState, event: FirstPlayerDrawn) -> HamletPlayState:
    if not state.endings or state.phase != "setting":
        raise IntegrityError("First Player is drawn out of order")
    return replace(
        state,
        first_player=stated_seat(event.first_player, state.seats),
        act=1,
        scene=1,
        goes_on=event.goes_on,
    )


def _action_taken(state: HamletPlayState, event: ActionTaken) -> HamletPlayState:
    if state.phase != "scene" or state.goes_on:
        raise IntegrityError("an action is taken while none may be")
    place = (state.act, state.scene, len(state.taken) + 1)
    if (event.act, event.scene, event.number) != place or event.seat != state.current:
        raise IntegrityError("an action is taken out of turn")
    turn = state.turn_of(event.action, event.choice)
    return replace(state, taken=(*state.taken, event.action), turn=turn, goes_on=event.goes_on)


def _fact(state: HamletPlayState, fact: TableFact) -> HamletPlayState:
    turn = _turn(state)
    faces = turn.faces
    if isinstance(fact, DieRolled):
        if not 1 <= fact.face <= 6:
            raise IntegrityError("a die has six sides")
        if fact.draw.purpose != state.next_die:
            raise IntegrityError("a die is rolled out of order")
        faces = (*faces, fact.face)
    return replace(
        state,
        board=changed(state.board, fact),
        turn=replace(turn, facts=turn.facts + 1, faces=faces),
        dice=state.dice + isinstance(fact, DieRolled),
        goes_on=fact.goes_on,
    )


def _scene_ended(state: HamletPlayState, event: SceneEnded) -> HamletPlayState:
    turn = _turn(state)
    if (event.act, event.scene, event.seat) != (turn.act, turn.scene, turn.seat):
        raise IntegrityError("another Scene ends than the one that was played")
    if len(state.taken) != actions_owed(turn.act, state.seats) or state.act != event.act:
        raise IntegrityError("a Scene ends before all its actions are taken")
    if state.scene != event.scene:
        raise IntegrityError("a Scene ends twice")
    return replace(
        state,
        scene=event.scene + 1,
        taken=(),
        dice=0,
        turn=replace(turn, facts=turn.facts + 1),
        goes_on=event.goes_on,
    )


def _act_ended(state: HamletPlayState, event: ActEnded) -> HamletPlayState:
    turn = _turn(state)
    if event.act != state.act or state.scene != state.seats + 1:
        raise IntegrityError("an Act ends before its last Scene")
    over = bool(event.winners) or event.act == ACTS
    if over != (event.first_player is None):
        raise IntegrityError("an Act has a next one or a winner, the last one neither")
    if event.first_player is None:
        winners = tuple(stated_seat(seat, state.seats) for seat in event.winners)
        return replace(state, winners=winners, won_together=event.common, goes_on=False)
    return replace(
        state,
        act=event.act + 1,
        scene=1,
        dice=0,
        first_player=stated_seat(event.first_player, state.seats),
        turn=replace(turn, facts=turn.facts + 1),
        goes_on=event.goes_on,
    )


def _play_stopped(state: HamletPlayState, event: PlayStopped) -> HamletPlayState:
    if state.phase != "scene" or not state.goes_on:
        raise IntegrityError("the play stops while an action may be taken")
    place = (state.act, state.scene, state.current, len(state.taken))
    if (event.act, event.scene, event.seat, event.taken) != place:
        raise IntegrityError("the play stops in another Scene than this one")
    return replace(state, winners=(), stopped=True, goes_on=False)


def _turn(state: HamletPlayState) -> Turn:
    if state.phase != "scene" or not state.goes_on or state.turn is None:
        raise IntegrityError("something happens while an action is awaited")
    return state.turn


def _is_staged(need: Needs, state: HamletPlayState) -> bool:
    """Whether a line is about something that the first events of the game have set up.

    Facts are told of what lies on the table alone; the stage does not list statuses.
    """
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
