"""What a card set of the right shape may still have wrong: refs, ids, texts, impossible values."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from typing import Any

from domain.chance import CHAIN_LENGTH
from domain.rulesets.hamlet_play.cardset.errors import Flaw
from domain.rulesets.hamlet_play.cardset.model import (
    Action,
    Card,
    CardSet,
    Does,
    Duel,
    Effect,
    Ending,
    Persona,
    Roll,
    RollAgainst,
    When,
)
from domain.rulesets.hamlet_play.cardset.requirements import Alive, Dead, InAct, Needs, Text
from domain.rulesets.hamlet_play.cardset.validate_references import flaws_in
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS
from domain.rulesets.hamlet_play.engine.dice import most_draws

DEEPEST = 4


def validate(cards: CardSet) -> tuple[Flaw, ...]:
    """Every flaw of meaning, file by file."""
    found = [*_set_flaws(cards)]
    for persona in cards.personae:
        found += _persona_flaws(cards, persona)
    for key, rows in (("end_of_scene", cards.end_of_scene), ("end_of_act", cards.end_of_act)):
        found += _repeated("effects.toml", (row.id for row in rows))
        for row in rows:
            found += _effect_flaws(cards, key, row)
    found += _ending_flaws(cards)
    if not found:
        found += _dice_flaws(cards)
    return tuple(found)


def _set_flaws(cards: CardSet) -> Iterator[Flaw]:
    if cards.languages[0] != "en":
        yield Flaw("set.toml", "languages", "the first language is English, en")
    yield from _repeated("set.toml", cards.languages)
    yield from _text_flaws(cards, "set.toml", "title", cards.title, needed=True)
    yield from _text_flaws(cards, "set.toml", "text", cards.text)


def _persona_flaws(cards: CardSet, persona: Persona) -> Iterator[Flaw]:
    file = f"personae/{persona.id}.toml"
    yield from _card_flaws(cards, file, "", persona)
    for kind in ("tracks", "places", "statuses"):
        things: dict[str, Card] = getattr(persona, kind)
        for name, card in things.items():
            yield from _card_flaws(cards, file, f"{kind} {name}", card)
    if len(persona.places) == 1:
        yield Flaw(file, "places", "one place alone is none")
    if (persona.start is None) != (not persona.places) or (
        persona.start is not None and persona.start not in persona.places
    ):
        yield Flaw(file, "start", "where there are places, start is one of them")
    for name, track in persona.tracks.items():
        if not 0 <= track.min < track.max <= 99 or not track.min <= track.start <= track.max:
            yield Flaw(file, f"tracks {name}", "0 <= min < max <= 99, and start between them")
    yield from _repeated(file, (action.id for action in persona.actions))
    for action in persona.actions:
        yield from _action_flaws(cards, persona, action, file)


def _action_flaws(cards: CardSet, persona: Persona, action: Action, file: str) -> Iterator[Flaw]:
    where, own = f"actions {action.id}", f"{persona.id}.{action.id}"
    yield from _card_flaws(cards, file, where, action)
    yield from _needs_flaws(cards, file, where, action.requires)
    if any(isinstance(n, Dead) and n.persona == persona.id for n in action.requires):
        yield Flaw(file, where, "it needs its own persona dead: never possible")
    yield from _does_flaws(cards, file, where, action.results, own)
    if len(action.choose) == 1:
        yield Flaw(file, where, "one choice alone is none")
    yield from _repeated(file, (option.id for option in action.choose), f"{where}: ")
    for option in action.choose:
        yield from _card_flaws(cards, file, f"{where}: choose {option.id}", option)
        yield from _does_flaws(cards, file, f"{where}: choose {option.id}", option.results, own)


def _effect_flaws(cards: CardSet, key: str, row: Effect) -> Iterator[Flaw]:
    where = f"{key} {row.id}"
    yield from _card_flaws(cards, "effects.toml", where, row)
    yield from _needs_flaws(cards, "effects.toml", where, row.requires)
    if not row.results:
        yield Flaw("effects.toml", where, "a row without results")
    yield from _does_flaws(cards, "effects.toml", where, row.results, None)


def _ending_flaws(cards: CardSet) -> Iterator[Flaw]:
    endings = cards.endings
    yield from _one_ending(cards, "endings/common.toml", endings.common)
    for pack, listed in (("regular", endings.regular), ("difficult", endings.difficult)):
        file = f"endings/{pack}.toml"
        if len(listed) < max(SEAT_COUNTS):
            yield Flaw(file, "", f"a pack is at least {max(SEAT_COUNTS)} endings")
        for ending in listed:
            yield from _one_ending(cards, file, ending)
    every = (endings.common, *endings.regular, *endings.difficult)
    yield from _repeated("endings", (ending.id for ending in every))


def _one_ending(cards: CardSet, file: str, ending: Ending) -> Iterator[Flaw]:
    where = f"endings {ending.id}"
    yield from _card_flaws(cards, file, where, ending)
    yield from _needs_flaws(cards, file, where, ending.lines)
    if not ending.lines:
        yield Flaw(file, where, "an ending without lines")
    if any(isinstance(line, InAct) for line in ending.lines):
        yield Flaw(file, where, "an ending does not say in which Act")


def _needs_flaws(
    cards: CardSet, file: str, where: str, requires: Iterable[Needs]
) -> Iterator[Flaw]:
    listed = list(requires)
    for need in listed:
        for reason in flaws_in(cards, need):
            yield Flaw(file, where, f"needs {_word(need)}: {reason}")
    for place, need in enumerate(listed):
        if need in listed[:place]:
            yield Flaw(file, where, f"needs {_word(need)}: said twice")
    alive = {need.persona for need in listed if isinstance(need, Alive)}
    dead = {need.persona for need in listed if isinstance(need, Dead)}
    for persona in sorted(alive & dead):
        yield Flaw(file, where, f"{persona} cannot be alive and dead")


def _does_flaws(
    cards: CardSet,
    file: str,
    where: str,
    results: Iterable[Does],
    own: str | None,
    depth: int = 0,
) -> Iterator[Flaw]:
    """`own` is the action whose boxes `check-box` means where it names none."""
    if depth > DEEPEST:
        yield Flaw(file, where, f"results stand more than {DEEPEST} levels deep")
        return
    for result in results:
        for reason in flaws_in(cards, result, own):
            yield Flaw(file, where, f"{_word(result)}: {reason}")
        if isinstance(result, When):
            yield from _needs_flaws(cards, file, where, result.requires)
        for inner in branches(result):
            yield from _does_flaws(cards, file, where, inner, own, depth + 1)


def branches(result: Does) -> tuple[tuple[Does, ...], ...]:
    """The lists inside a result, of which at most one will happen."""
    match result:
        case Roll():
            return tuple(case.results for case in result.cases)
        case RollAgainst():
            return (result.above, result.otherwise)
        case Duel():
            return (result.first_wins, result.second_wins, result.tie)
        case When():
            return (result.results, result.otherwise)
        case _:
            return ()


def _dice_flaws(cards: CardSet) -> Iterator[Flaw]:
    for seats in SEAT_COUNTS:
        draws = most_draws(cards, seats)
        if draws >= CHAIN_LENGTH:
            yield Flaw(
                "set.toml", "", f"with {seats} seats up to {draws} draws, {CHAIN_LENGTH} or more"
            )


def _card_flaws(cards: CardSet, file: str, where: str, card: Card) -> Iterator[Flaw]:
    yield from _text_flaws(cards, file, f"{where} name".strip(), card.name, needed=True)
    yield from _text_flaws(cards, file, f"{where} text".strip(), card.text)


def _text_flaws(
    cards: CardSet, file: str, where: str, text: Text, *, needed: bool = False
) -> Iterator[Flaw]:
    if not text and not needed:
        return
    if set(text) != set(cards.languages):
        yield Flaw(file, where, f"wanted in {', '.join(cards.languages)} and in nothing else")
    if not all(value.strip() and value == value.strip() for value in text.values()):
        yield Flaw(file, where, "empty, or with blanks around it")


def _repeated(file: str, names: Iterable[str], before: str = "") -> Iterator[Flaw]:
    for name, times in Tally(names).items():
        if times > 1:
            yield Flaw(file, f"{before}{name}", "this id is there twice")


def _word(struct: Any) -> str:
    return str(struct.__struct_config__.tag)
