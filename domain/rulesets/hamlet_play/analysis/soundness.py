"""What is wrong with a card set that can be loaded and played, but not enjoyed.

Nothing on the cards may be without a use, and nothing may ask for what cannot be so. That actions
and endings can be *reached* is proven by `lines`.
"""

from collections.abc import Iterable, Iterator

from domain.rulesets.hamlet_play.cardset.model import CardSet, Does, Duel, Ending, RollAgainst, When
from domain.rulesets.hamlet_play.cardset.requirements import (
    HasStatus,
    Higher,
    IsAt,
    Needs,
    OnTrack,
    Together,
    persona_of,
)
from domain.rulesets.hamlet_play.cardset.validation import branches
from domain.rulesets.hamlet_play.engine.board import opening
from domain.rulesets.hamlet_play.engine.requirements import all_hold
from domain.rulesets.hamlet_play.reach.alternatives import Alternatives, Atom, alternatives


def unsound(cards: CardSet) -> tuple[str, ...]:
    """A sentence for each thing without a use, each contradiction, each ending held at once."""
    return (*_useless(cards), *_contradictions(cards), *_held_at_once(cards))


def every_ending(cards: CardSet) -> tuple[Ending, ...]:
    """The common one first."""
    return (cards.endings.common, *cards.endings.regular, *cards.endings.difficult)


# --- use


def _useless(cards: CardSet) -> Iterator[str]:
    needs = tuple(_every_need(cards))
    statuses = {need.status for need in needs if isinstance(need, HasStatus)}
    places = {need.place for need in needs if isinstance(need, IsAt)}
    places |= {place for need in needs if isinstance(need, Together) for place in _met(cards, need)}
    for persona in cards.personae:
        for name in persona.statuses:
            if f"{persona.id}.{name}" not in statuses:
                yield f"the status {persona.id}.{name} is needed by nothing"
        for name in persona.places:
            if f"{persona.id}.{name}" not in places:
                yield f"the place {persona.id}.{name} is needed by nothing"
        for name in persona.tracks:
            yield from _useless_ends(cards, f"{persona.id}.{name}", needs)


def _useless_ends(cards: CardSet, track: str, needs: Iterable[Needs]) -> Iterator[str]:
    """An end has a use if something tells it from the value beside it."""
    if track in _weighed(cards):
        return
    found = cards.by_id[persona_of(track)].tracks[track.partition(".")[2]]
    stated = [need for need in needs if isinstance(need, OnTrack) and need.track == track]
    if not any(need.at_most == found.min or need.at_least == found.min + 1 for need in stated):
        yield f"the lower end of {track}, {found.min}, is needed by nothing"
    if not any(need.at_least == found.max or need.at_most == found.max - 1 for need in stated):
        yield f"the upper end of {track}, {found.max}, is needed by nothing"


def _met(cards: CardSet, need: Together) -> Iterator[str]:
    ids = [set(cards.by_id[persona].places) for persona in need.personae]
    for shared in set.intersection(*ids):
        yield from (f"{persona}.{shared}" for persona in need.personae)


def _weighed(cards: CardSet) -> set[str]:
    """Tracks of which every value counts: compared, added to a die, or rolled against."""
    weighed = set()
    for result in _every_result(cards):
        if isinstance(result, Duel):
            weighed |= {result.first, result.second}
        elif isinstance(result, RollAgainst):
            weighed.add(result.track)
    for need in _every_need(cards):
        if isinstance(need, Higher):
            weighed |= {need.higher, need.lower}
    return weighed


def _every_need(cards: CardSet) -> Iterator[Needs]:
    for action in cards.actions.values():
        yield from action.requires
    for row in (*cards.end_of_scene, *cards.end_of_act):
        yield from row.requires
    for result in _every_result(cards):
        if isinstance(result, When):
            yield from result.requires
    for ending in every_ending(cards):
        yield from ending.lines


def _every_result(cards: CardSet) -> Iterator[Does]:
    for action in cards.actions.values():
        yield from _all(action.results)
        for option in action.choose:
            yield from _all(option.results)
    for row in (*cards.end_of_scene, *cards.end_of_act):
        yield from _all(row.results)


def _all(results: Iterable[Does]) -> Iterator[Does]:
    for result in results:
        yield result
        for inner in branches(result):
            yield from _all(inner)


# --- sense


def _contradictions(cards: CardSet) -> Iterator[str]:
    for ref, action in cards.actions.items():
        if not can_hold(cards, action.requires):
            yield f"the action {ref} needs what contradicts itself"
    for ending in every_ending(cards):
        if not can_hold(cards, ending.lines):
            yield f"the ending {ending.id} contradicts itself"


def can_hold(cards: CardSet, needs: Iterable[Needs]) -> bool:
    """Whether some state of the table, reached or not, satisfies all of them at once."""
    return _fits({}, [alternatives(cards, need) for need in needs])


def _fits(stated: dict[tuple[str, str], Atom], rest: list[Alternatives]) -> bool:
    if not rest:
        return True
    for facts in rest[0]:
        said = {_about(atom): atom for atom in facts}
        agrees = all(stated.get(about, atom) == atom for about, atom in said.items())
        if agrees and _fits(stated | said, rest[1:]):
            return True
    return False


_OPPOSITES = {"dead": "alive", "unchecked": "checked", "not-placed": "placed"}


def _about(atom: Atom) -> tuple[str, str]:
    """What can be so in one way only: a persona's life or place, a track, a status."""
    kind, ref, _ = atom
    return _OPPOSITES.get(kind, kind), persona_of(ref) if kind == "at" else ref


def _held_at_once(cards: CardSet) -> Iterator[str]:
    for ending in every_ending(cards):
        if all_hold(ending.lines, opening(cards), act=1):
            yield f"the ending {ending.id} holds before anybody has moved"
