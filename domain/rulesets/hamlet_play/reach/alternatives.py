"""Requirements as alternatives of plain facts, and as what would make them untrue.

An *atom* is one plain fact, such as `("at", "laertes.france")`; a requirement holds while every
atom of one of its *alternatives* does.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import assert_never

from domain.rulesets.hamlet_play.cardset.model import CardSet
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
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.requirements import subjects

Atom = tuple[str, str, int]
"""What kind of fact, about which ref, and for a track, boxes or the Act which number."""
Alternatives = tuple[tuple[Atom, ...], ...]

ALIVE, DEAD = "alive", "dead"


def atoms_now(cards: CardSet, board: Board, now: int) -> Iterator[Atom]:
    """All that is so; of the Acts, every one from `now` on. Before the first, `now` is 0."""
    for persona in cards.personae:
        if persona.id in board.dead:
            yield dead(persona.id)
            continue
        yield alive(persona.id)
        if persona.places:
            yield at(board.places[persona.id])
        for name in persona.tracks:
            yield on(f"{persona.id}.{name}", board.tracks[f"{persona.id}.{name}"])
        for name in persona.statuses:
            ref = f"{persona.id}.{name}"
            yield checked(ref, yes=ref in board.statuses)
        for name in COUNTERS:
            ref = f"{persona.id}.{name}"
            yield counter(ref, yes=ref in board.counters)
        for action in persona.actions:
            ref = f"{persona.id}.{action.id}"
            yield boxes(ref, board.boxes.get(ref, 0))
    yield from map(act, range(max(now, 1), ACTS + 1))


def every_atom(cards: CardSet) -> Iterator[Atom]:
    for persona in cards.personae:
        yield from (alive(persona.id), dead(persona.id))
        yield from map(at, places(cards, persona.id))
        for name in persona.tracks:
            ref = f"{persona.id}.{name}"
            yield from (on(ref, value) for value in values(cards, ref))
        for name in persona.statuses:
            yield from (checked(f"{persona.id}.{name}", yes=yes) for yes in (True, False))
        for name in COUNTERS:
            yield from (counter(f"{persona.id}.{name}", yes=yes) for yes in (True, False))
    for ref, action in cards.actions.items():
        yield from (boxes(ref, count) for count in range(action.boxes + 1))
    yield from map(act, range(1, ACTS + 1))


def alternatives(cards: CardSet, need: Needs) -> Alternatives:
    """Ruling HP-8: what is said of a persona's state needs that persona alive."""
    if isinstance(need, Dead):
        return ((dead(need.persona),),)
    if isinstance(need, InAct):
        return tuple((act(n),) for n in _range(need.at_least, need.at_most, 1, ACTS))
    living = tuple(alive(persona) for persona in subjects(need))
    return tuple((*living, *facts) for facts in _states(cards, need, holds=True))


def denials(cards: CardSet, need: Needs) -> Alternatives:
    """What makes a requirement untrue: the other state, or that one of those concerned is dead."""
    if isinstance(need, Dead):
        return ((alive(need.persona),),)
    if isinstance(need, InAct):
        stated = _range(need.at_least, need.at_most, 1, ACTS)
        return tuple((act(n),) for n in range(1, ACTS + 1) if n not in stated)
    living = tuple(alive(persona) for persona in subjects(need))
    deaths = tuple((dead(persona),) for persona in subjects(need))
    return (*deaths, *((*living, *facts) for facts in _states(cards, need, holds=False)))


def _states(  # noqa: C901, PLR0912 - one case for each kind
    cards: CardSet, need: Needs, *, holds: bool
) -> Iterator[tuple[Atom, ...]]:
    match need:
        case Alive():
            if holds:
                yield ()
        case HasStatus(status=ref):
            yield (checked(ref, yes=holds != need.negated),)
        case HasCounter(counter=ref):
            yield (counter(ref, yes=holds != need.negated),)
        case IsAt(place=ref):
            wanted = holds != need.negated
            yield from ((at(one),) for one in places(cards, ref) if (one == ref) == wanted)
        case OnTrack(track=ref):
            stated = _range(need.at_least, need.at_most, *ends(cards, ref))
            yield from ((on(ref, n),) for n in values(cards, ref) if (n in stated) == holds)
        case BoxesChecked(action=ref):
            most = cards.actions[ref].boxes
            stated = _range(need.at_least, need.at_most, 0, most)
            yield from ((boxes(ref, n),) for n in range(most + 1) if (n in stated) == holds)
        case Higher(higher=first, lower=second):
            wanted = holds != need.negated
            for one, two in product(values(cards, first), values(cards, second)):
                if (one > two) == wanted:
                    yield on(first, one), on(second, two)
        case Together(personae=personae):
            yield from _together(cards, personae, together=holds != need.negated)
        case Dead() | InAct():
            raise AssertionError("neither is about a state")
        case _:
            assert_never(need)


def _together(
    cards: CardSet, personae: tuple[str, ...], *, together: bool
) -> Iterator[tuple[Atom, ...]]:
    ids = [tuple(cards.by_id[persona].places) for persona in personae]
    if together:
        for shared in set(ids[0]).intersection(*ids[1:]):
            yield tuple(at(f"{persona}.{shared}") for persona in personae)
        return
    for (one, its), (two, theirs) in combinations(zip(personae, ids, strict=True), 2):
        yield from (
            (at(f"{one}.{here}"), at(f"{two}.{there}"))
            for here, there in product(its, theirs)
            if here != there
        )


def _range(at_least: int | None, at_most: int | None, lowest: int, highest: int) -> range:
    return range(
        lowest if at_least is None else at_least, (highest if at_most is None else at_most) + 1
    )


# --- atoms


def act(number: int) -> Atom:
    return ("act", "", number)


def alive(persona: str) -> Atom:
    return (ALIVE, persona, 0)


def dead(persona: str) -> Atom:
    return (DEAD, persona, 0)


def at(place: str) -> Atom:
    return ("at", place, 0)


def on(track: str, value: int) -> Atom:
    return ("on", track, value)


def boxes(action: str, count: int) -> Atom:
    return ("boxes", action, count)


def checked(status: str, *, yes: bool) -> Atom:
    return ("checked" if yes else "unchecked", status, 0)


def counter(ref: str, *, yes: bool) -> Atom:
    return ("placed" if yes else "not-placed", ref, 0)


# --- what the cards say of a ref


def places(cards: CardSet, ref: str) -> Iterable[str]:
    persona = persona_of(ref)
    return tuple(f"{persona}.{name}" for name in cards.by_id[persona].places)


def ends(cards: CardSet, track: str) -> tuple[int, int]:
    persona, _, name = track.partition(".")
    found = cards.by_id[persona].tracks[name]
    return found.min, found.max


def values(cards: CardSet, track: str) -> range:
    lowest, highest = ends(cards, track)
    return range(lowest, highest + 1)
