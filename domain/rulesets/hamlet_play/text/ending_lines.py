"""How score lines speak of the lines of an ending; both scorers use these words, each with what it
has found itself. "Ophelia: dead, needs: married to Hamlet"."""

from typing import Any, assert_never

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
)
from domain.rulesets.hamlet_play.engine.requirements import subjects
from domain.rulesets.hamlet_play.text.sentences import COUNTERS, Names

NOT_POSSIBLE = "no action was possible, so the game ended without winners (HP-2)"
ENDING, COMMON, STOPPED = "hamlet_play.ending", "hamlet_play.common-ending", "hamlet_play.stopped"


def line(need: Needs, found: str, wanted: str, names: Names, *, holds: bool) -> str:
    """One line of an ending, and how it stood."""
    who = " and ".join(names.persona(persona) for persona in _who(need))
    if holds:
        return f"{who}: {wanted}, as needed"
    return f"{who}: {found}, needs: {wanted}"


def won(ending: str) -> str:
    return f"the whole ending “{ending}” holds: +1"


def won_together(ending: str) -> str:
    return f"everyone wins by “{ending}” (HP-6): +1"


def wanted(need: Needs, names: Names) -> str:  # noqa: C901 - one case for each kind
    no = "not " if getattr(need, "negated", False) else ""
    match need:
        case Alive():
            return "alive"
        case Dead():
            return "dead"
        case HasStatus(status=status):
            return no + names.thing("statuses", status)
        case IsAt(place=place):
            return no + names.thing("places", place)
        case OnTrack(track=track):
            return f"{names.thing('tracks', track)} {_span(need.at_least, need.at_most)}"
        case HasCounter(counter=counter):
            return no + COUNTERS[counter.partition(".")[2]]
        case BoxesChecked(action=action):
            return f"boxes of “{names.action(action)}” {_span(need.at_least, need.at_most)}"
        case Higher(higher=higher, lower=lower):
            return (
                f"{names.thing('tracks', higher)} {no}above"
                f" {names.whose(lower)} {names.thing('tracks', lower)}"
            )
        case Together():
            return f"{no}in one place"
        case InAct():
            return f"Act {_span(need.at_least, need.at_most)}"
        case _:
            assert_never(need)


def found(  # noqa: C901 - one case for each kind
    need: Needs, dead: str | None, value: Any, names: Names
) -> str:
    """What was there instead: the dead persona, if one is; else what `value` says by kind.

    bool of a status, counter or death; ref of a place; number of a track, box or Act; both numbers
    of a comparison; refs of places of those that are to be together.
    """
    if dead is not None:
        several = len(subjects(need)) > 1
        return f"{names.persona(dead)} dead" if several else "dead"
    match need:
        case Alive() | Dead():
            return "dead" if value else "alive"
        case HasStatus(status=status):
            return ("" if value else "not ") + names.thing("statuses", status)
        case IsAt():
            return names.thing("places", value)
        case OnTrack(track=track):
            return f"{names.thing('tracks', track)} {value}"
        case HasCounter(counter=counter):
            return ("" if value else "not ") + COUNTERS[counter.partition(".")[2]]
        case BoxesChecked(action=action):
            return f"boxes of “{names.action(action)}” {value}"
        case Higher(higher=higher):
            return f"{names.thing('tracks', higher)} {value[0]} and {value[1]}"
        case Together():
            return " and ".join(names.thing("places", place) for place in value)
        case InAct():
            return f"Act {value}"
        case _:
            assert_never(need)


def _who(need: Needs) -> tuple[str, ...]:
    """Whom a line is told of: of a comparison, the one whose track is to be higher."""
    return subjects(need)[:1] if isinstance(need, Higher) else subjects(need)


def _span(at_least: int | None, at_most: int | None) -> str:
    if at_least == at_most:
        return str(at_least)
    if at_least is None:
        return f"at most {at_most}"
    if at_most is None:
        return f"at least {at_least}"
    return f"{at_least} to {at_most}"
