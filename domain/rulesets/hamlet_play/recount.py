"""The second scorer: every ending looked at again, from the marks that the events have made.

It keeps a sheet of what was last said of each thing, and the entry that said it, trusts no winner
that is stated, and shares no code with the first. Written as a player goes through the cards.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.model import (
    ActEnded,
    BoxChecked,
    CounterPlaced,
    CounterRemoved,
    EndingsDealt,
    HeldEnding,
    PersonaDied,
    PersonaMoved,
    PlayStopped,
    StageSet,
    StatusChecked,
    TrackMoved,
)
from domain.rulesets.hamlet_play.text import ending_lines
from domain.rulesets.hamlet_play.text.sentences import Names
from domain.scores import ScoreLine

DEATH = "died"


class Read(NamedTuple):
    """One line of an ending, read off the sheet."""

    holds: bool
    dead: str | None
    value: Any
    versions: tuple[int, ...]


class Sheet:
    """`marks` by name: a status or counter is True or gone, a place its ref, a track or the boxes
    of an action a number. `said` is the entry behind each."""

    def __init__(self) -> None:
        self.marks: dict[str, Any] = {}
        self.said: dict[str, int] = {}
        self.act = 1
        self.stage = 0

    def note(self, version: int, event: Any) -> None:  # noqa: C901 - one case for each kind
        match event:
            case StageSet():
                self.stage = version
                for persona, place in event.places.items():
                    self._mark(version, f"{persona} at", place)
                for track, laid in event.tracks.items():
                    self._mark(version, track, laid.start)
            case TrackMoved():
                self._mark(version, event.track, event.after)
            case StatusChecked():
                self._mark(version, f"{event.status} status", True)
            case BoxChecked():
                self._mark(version, f"{event.action} boxes", event.checked)
            case CounterPlaced():
                self._mark(version, f"{event.counter} counter", True)
            case CounterRemoved():
                self._mark(version, f"{event.counter} counter", False)
            case PersonaMoved():
                self._mark(version, f"{event.after.split('.')[0]} at", event.after)
            case PersonaDied():
                self._mark(version, f"{event.persona} {DEATH}", True)
            case _:
                return

    def _mark(self, version: int, name: str, value: Any) -> None:
        self.marks[name] = value
        self.said[name] = version

    def read(self, need: Needs) -> Read:
        """A line about the state of somebody dead does not hold, whatever it says (HP-8)."""
        if isinstance(need, Dead | Alive):
            name = f"{need.persona} {DEATH}"
            dead = self.marks.get(name, False)
            return Read(dead == isinstance(need, Dead), None, dead, self._behind(name))
        names = self._names(need)
        for persona in _people(names):
            if self.marks.get(f"{persona} {DEATH}"):
                value = self._value(need, names)
                return Read(False, persona, value, self._behind(f"{persona} {DEATH}"))
        value = self._value(need, names)
        return Read(self._fits(need, value), None, value, self._behind(*names))

    def _names(self, need: Needs) -> tuple[str, ...]:
        match need:
            case HasStatus():
                return (f"{need.status} status",)
            case HasCounter():
                return (f"{need.counter} counter",)
            case BoxesChecked():
                return (f"{need.action} boxes",)
            case OnTrack():
                return (need.track,)
            case IsAt():
                return (f"{need.place.split('.')[0]} at",)
            case Higher():
                return need.higher, need.lower
            case Together():
                return tuple(f"{persona} at" for persona in need.personae)
            case _:
                return ()

    def _value(self, need: Needs, names: tuple[str, ...]) -> Any:
        match need:
            case HasStatus() | HasCounter():
                return self.marks.get(names[0], False)
            case BoxesChecked():
                return self.marks.get(names[0], 0)
            case Higher() | Together():
                return tuple(self.marks[name] for name in names)
            case InAct():
                return self.act
            case _:
                return self.marks[names[0]]

    def _fits(self, need: Needs, value: Any) -> bool:
        match need:
            case HasStatus() | HasCounter():
                return bool(value) is not need.negated
            case IsAt():
                return (value == need.place) is not need.negated
            case OnTrack() | BoxesChecked() | InAct():
                lowest = value if need.at_least is None else need.at_least
                highest = value if need.at_most is None else need.at_most
                return bool(lowest <= value <= highest)
            case Higher():
                return (value[0] > value[1]) is not need.negated
            case Together():
                ids = [place.split(".")[1] for place in value]
                return (ids.count(ids[0]) == len(ids)) is not need.negated
            case _:
                return False

    def _behind(self, *names: str) -> tuple[int, ...]:
        """The entries that said these things last; of what was never said, the one that set it."""
        return tuple(sorted({self.said.get(name, self.stage) for name in names}))


def recount(
    card_sets: CardSets, facts: Iterable[tuple[int, Any]], before: Sequence[ScoreLine] = ()
) -> tuple[ScoreLine, ...]:
    """The score lines of a game that has ended, with the entries behind each.

    `facts` are all (version, event) pairs in order; other kinds of event are passed over. There is
    one time for lines, the end: after those `before` come none.
    """
    if before:
        return ()
    sheet, lines, names = Sheet(), list[ScoreLine](), Names(None)
    common: HeldEnding | None = None
    endings: tuple[HeldEnding, ...] = ()
    for version, event in facts:
        sheet.note(version, event)
        match event:
            case StageSet():
                names = Names(card_sets.lookup(event.card_set, event.digest))
            case EndingsDealt():
                common, endings = event.common, event.endings
            case ActEnded() if common is not None:
                sheet.act = event.act
                lines += _looked_at(sheet, common, endings, names)
                sheet.act += 1
            case PlayStopped():
                lines += [_stopped(sheet.act, seat, version) for seat in range(len(endings))]
            case _:
                continue
    return tuple(lines)


def _looked_at(
    sheet: Sheet, common: HeldEnding, endings: tuple[HeldEnding, ...], names: Names
) -> list[ScoreLine]:
    """All endings at the end of an Act; nothing while nobody wins and another Act follows."""
    together = all(sheet.read(need).holds for need in common.lines)
    whole = [all(sheet.read(need).holds for need in ending.lines) for ending in endings]
    if not together and not any(whole) and sheet.act < 5:
        return []
    lines = []
    for seat, ending in enumerate(endings):
        lines += [_line(sheet, seat, need, names) for need in ending.lines]
        if together:
            text = ending_lines.won_together(names.ending(common.id))
            lines.append(_won(sheet, seat, common, text, ending_lines.COMMON))
        elif whole[seat]:
            text = ending_lines.won(names.ending(ending.id))
            lines.append(_won(sheet, seat, ending, text, ending_lines.ENDING))
    return lines


def _line(sheet: Sheet, seat: int, need: Needs, names: Names) -> ScoreLine:
    holds, dead, value, versions = sheet.read(need)
    found = ending_lines.found(need, dead, value, names)
    reason = ending_lines.line(need, found, ending_lines.wanted(need, names), names, holds=holds)
    return ScoreLine(
        deal=sheet.act,
        seat=seat,
        points=0,
        reason=reason,
        ruling=ending_lines.ENDING,
        versions=versions,
    )


def _won(sheet: Sheet, seat: int, ending: HeldEnding, text: str, ruling: str) -> ScoreLine:
    behind = {version for need in ending.lines for version in sheet.read(need).versions}
    return ScoreLine(
        deal=sheet.act,
        seat=seat,
        points=1,
        reason=text,
        ruling=ruling,
        versions=tuple(sorted(behind)),
    )


def _stopped(act: int, seat: int, version: int) -> ScoreLine:
    return ScoreLine(
        deal=act,
        seat=seat,
        points=0,
        reason=ending_lines.NOT_POSSIBLE,
        ruling=ending_lines.STOPPED,
        versions=(version,),
    )


def _people(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.split(" ", maxsplit=1)[0].split(".")[0] for name in names)
