"""A game of Hamlet! told in lines of text, for transcripts: it reads like a play."""

from typing import assert_never

from domain.card_games import narration
from domain.rulesets.hamlet_play.model import (
    ActEnded,
    ActionTaken,
    BoxChecked,
    CounterPlaced,
    CounterRemoved,
    DieRolled,
    EndingsDealt,
    FirstPlayerDrawn,
    HamletPlayEvent,
    HamletPlayState,
    PersonaDied,
    PersonaMoved,
    PlayStopped,
    SceneEnded,
    StageSet,
    StatusChecked,
    TableFact,
    TrackMoved,
)
from domain.rulesets.hamlet_play.text.sentences import COUNTERS, Names

NUMERALS = ("", "I", "II", "III", "IV", "V")


def narrate(state: HamletPlayState, event: HamletPlayEvent) -> tuple[str, ...]:
    names = Names(state.cards)
    match event:
        case StageSet():
            return (f"Card set {event.card_set}, digest {event.digest}",)
        case EndingsDealt():
            held = (f"  seat {s}: {names.ending(e.id)}" for s, e in enumerate(event.endings))
            return ("Endings:", *held)
        case FirstPlayerDrawn():
            how = narration.drawn(event.draw)
            return (f"First Player: seat {event.first_player} ({how})",)
        case ActionTaken():
            return (*_headings(event), _action(event, names))
        case SceneEnded():
            return ()
        case ActEnded():
            return _act_ended(event)
        case PlayStopped():
            return ("", "No action is possible. The play stops.")
        case _:
            return (_fact(event, names),)


def _headings(event: ActionTaken) -> tuple[str, ...]:
    if event.number > 1:
        return ()
    scene = ("", f"Act {NUMERALS[event.act]}, Scene {event.scene}. Seat {event.seat}.")
    return ("", f"ACT {NUMERALS[event.act]}", *scene) if event.scene == 1 else scene


def _action(event: ActionTaken, names: Names) -> str:
    line = names.action(event.action)
    if event.choice is not None:
        line = f"{line.rstrip('.')}: {names.choice(event.action, event.choice)}"
    stop = "" if line.endswith((".", "!", "?")) else "."
    return f"  {names.persona(event.action).upper()}. {line}{stop}"


def _act_ended(event: ActEnded) -> tuple[str, ...]:
    if event.common:
        return ("", f"Act {NUMERALS[event.act]} ends. Everyone wins.")
    if event.winners:
        seats = " and ".join(f"seat {seat}" for seat in event.winners)
        return ("", f"Act {NUMERALS[event.act]} ends. Won by {seats}.")
    if event.first_player is None:
        return ("", f"Act {NUMERALS[event.act]} ends. Nobody has won.")
    return ("", f"Act {NUMERALS[event.act]} ends. Seat {event.first_player} is First Player.")


def _fact(event: TableFact, names: Names) -> str:
    table, _, row = event.cause.partition(".")
    told = _told(event, names)
    if table in {"end-of-scene", "end-of-act"} and row:
        return f"    [{names.row(table, row)}: {told}]"
    return f"    [{told}]"


def _told(event: TableFact, names: Names) -> str:
    match event:
        case DieRolled(face=face, track=track):
            against = "" if track is None else f", {_track(names, track)} {event.value}"
            return f"a die shows {face}{against}"
        case TrackMoved(track=track):
            return f"{_track(names, track)} {event.before} to {event.after}"
        case StatusChecked(status=status):
            return _is(names, status, names.thing("statuses", status))
        case BoxChecked(action=action, checked=checked):
            return f"“{names.action(action)}” checked, box {checked}"
        case CounterPlaced(counter=counter):
            return _is(names, counter, COUNTERS[counter.partition(".")[2]])
        case CounterRemoved(counter=counter):
            return _is(names, counter, f"no longer {COUNTERS[counter.partition('.')[2]]}")
        case PersonaMoved(after=place):
            return _is(names, place, names.thing("places", place))
        case PersonaDied(persona=persona):
            return f"{names.persona(persona)} {'die' if names.are(persona) == 'are' else 'dies'}"
        case _:
            assert_never(event)


def _track(names: Names, track: str) -> str:
    return f"{names.whose(track)} {names.thing('tracks', track)}"


def _is(names: Names, ref: str, what: str) -> str:
    return f"{names.persona(ref)} {names.are(ref)} {what}"
