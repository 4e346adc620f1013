"""What one requirement or one result may have wrong: a name that dangles, an impossible value."""

from collections.abc import Iterable, Iterator
from typing import Literal, assert_never

from domain.rulesets.hamlet_play.cardset.model import (
    Branching,
    CardSet,
    Case,
    CheckBox,
    CheckStatus,
    Does,
    Duel,
    Kill,
    MovePersona,
    MoveTrack,
    PlaceCounter,
    RemoveCounter,
    Roll,
    RollAgainst,
    SetTrack,
    Track,
    When,
)
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


def flaws_in(cards: CardSet, one: Needs | Does, own: str | None = None) -> tuple[str, ...]:
    """Reasons to refuse it; `own` is the action whose boxes a bare `check-box` means."""
    return tuple(_flaws(cards, one, own))


def _flaws(  # noqa: C901, PLR0912 - one case for each kind
    cards: CardSet, one: Needs | Does, own: str | None
) -> Iterator[str]:
    match one:
        case Alive(persona=persona) | Dead(persona=persona) | Kill(persona=persona):
            yield from _personae(cards, (persona,))
        case HasStatus(status=ref) | CheckStatus(status=ref):
            yield from _thing(cards, "statuses", ref)
        case IsAt(place=ref) | MovePersona(place=ref):
            yield from _thing(cards, "places", ref)
        case HasCounter(counter=ref) | PlaceCounter(counter=ref) | RemoveCounter(counter=ref):
            yield from _counter(cards, ref)
        case OnTrack(track=ref):
            yield from _thing(cards, "tracks", ref)
            if (track := track_of(cards, ref)) is not None:
                yield from _range(one.at_least, one.at_most, track.min, track.max)
        case BoxesChecked(action=ref):
            yield from _boxes(cards, ref)
            if ref in cards.actions:
                yield from _range(one.at_least, one.at_most, 0, cards.actions[ref].boxes)
        case InAct():
            yield from _range(one.at_least, one.at_most, 1, ACTS)
        case Higher(higher=first, lower=second):
            yield from _two_tracks(cards, first, second)
        case Together(personae=personae):
            yield from _together(cards, personae)
        case CheckBox(action=ref):
            yield from _check_box(cards, ref, own)
        case MoveTrack() | SetTrack():
            yield from _track_result(cards, one)
        case Roll() | RollAgainst() | Duel() | When():
            yield from _branching(cards, one)
        case _:
            assert_never(one)


def track_of(cards: CardSet, ref: str) -> Track | None:
    persona, _, name = ref.partition(".")
    card = cards.by_id.get(persona)
    return None if card is None else card.tracks.get(name)


def _personae(cards: CardSet, personae: Iterable[str]) -> Iterator[str]:
    for persona in personae:
        if persona not in cards.by_id:
            yield f"there is no persona {persona}"


def _thing(
    cards: CardSet, kind: Literal["statuses", "places", "tracks"], ref: str
) -> Iterator[str]:
    persona, _, name = ref.partition(".")
    if persona not in cards.by_id:
        yield f"there is no persona {persona}"
    elif name not in getattr(cards.by_id[persona], kind):
        yield f"there is no {ref} among the {kind}"


def _counter(cards: CardSet, ref: str) -> Iterator[str]:
    persona, _, name = ref.partition(".")
    yield from _personae(cards, (persona,))
    if name not in COUNTERS:
        yield f"{name} is no counter: spying or dying"


def _boxes(cards: CardSet, ref: str) -> Iterator[str]:
    if ref not in cards.actions:
        yield f"there is no action {ref}"
    elif not cards.actions[ref].boxes:
        yield f"the action {ref} has no boxes"


def _check_box(cards: CardSet, ref: str | None, own: str | None) -> Iterator[str]:
    if ref is None and own is None:
        yield "here it names its action"
        return
    yield from _boxes(cards, ref or own or "")


def _range(at_least: int | None, at_most: int | None, lowest: int, highest: int) -> Iterator[str]:
    if at_least is None and at_most is None:
        yield "neither at_least nor at_most"
    if at_least is not None and not lowest < at_least <= highest:
        yield f"at_least {at_least} says nothing or never holds: {lowest + 1} … {highest}"
    if at_most is not None and not lowest <= at_most < highest:
        yield f"at_most {at_most} says nothing or never holds: {lowest} … {highest - 1}"
    if at_least is not None and at_most is not None and at_least > at_most:
        yield "at_least is above at_most"


def _two_tracks(cards: CardSet, first: str, second: str) -> Iterator[str]:
    yield from _thing(cards, "tracks", first)
    yield from _thing(cards, "tracks", second)
    if first == second:
        yield "a track beside itself"


def _together(cards: CardSet, personae: tuple[str, ...]) -> Iterator[str]:
    yield from _personae(cards, personae)
    if len(set(personae)) < 2 or len(set(personae)) < len(personae):
        yield "two or more different personae"
    places = [set(cards.by_id[persona].places) for persona in personae if persona in cards.by_id]
    if places and not set.intersection(*places):
        yield "they have no place of the same id"


def _track_result(cards: CardSet, one: MoveTrack | SetTrack) -> Iterator[str]:
    yield from _thing(cards, "tracks", one.track)
    track = track_of(cards, one.track)
    if track is None:
        return
    match one:
        case MoveTrack(by=by):
            if not 0 < abs(by) <= track.max - track.min:
                yield f"by {by}: 1 … {track.max - track.min} steps, up or down"
        case SetTrack(to=to):
            if not track.min <= to <= track.max:
                yield f"to {to} is off the track: {track.min} … {track.max}"


def _branching(cards: CardSet, one: Branching) -> Iterator[str]:
    inside: list[tuple[Does, ...]]
    match one:
        case Roll(cases=cases):
            yield from _faces(cases)
            inside = [case.results for case in cases]
        case RollAgainst(track=track, above=above, otherwise=otherwise):
            yield from _thing(cards, "tracks", track)
            inside = [above, otherwise]
        case Duel(first=first, second=second):
            yield from _two_tracks(cards, first, second)
            if persona_of(first) == persona_of(second):
                yield "a duel of a persona with itself"
            inside = [one.first_wins, one.second_wins, one.tie]
        case When(requires=requires, results=results, otherwise=otherwise):
            if not requires:
                yield "it has no requirement"
            inside = [results, otherwise]
        case _:
            assert_never(one)
    if not any(inside):
        yield "every list inside it is empty"


def _faces(cases: tuple[Case, ...]) -> Iterator[str]:
    faces = [face for case in cases for face in case.faces]
    if len(set(faces)) < len(faces) or not set(faces) <= set(range(1, 7)):
        yield "each face, 1 … 6, once at most"
    if not all(case.faces for case in cases):
        yield "a case without faces"
