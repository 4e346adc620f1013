"""What a card set is made of. The words and what they mean are in docs/cardsets.md.

A card set is data: personae, the tables at the end of a Scene and of an Act, and the endings. A
*ref* names something on a card, persona first: `ophelia.sanity`, `laertes.france`.
"""

from functools import cached_property
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from domain.hashing import digest
from domain.rulesets.hamlet_play.cardset.requirements import Id, Needs, Ref, Requirement, Text

# --- results


class Result(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="does",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """One thing that happens. On a dead persona nothing does (HP-9)."""


class CheckBox(Result, frozen=True, kw_only=True, tag="check-box"):
    """A box of the action named, else of the action taken."""

    action: Ref | None = None


class CheckStatus(Result, frozen=True, kw_only=True, tag="check-status"):
    status: Ref


class MoveTrack(Result, frozen=True, kw_only=True, tag="move-track"):
    track: Ref
    by: int


class SetTrack(Result, frozen=True, kw_only=True, tag="set-track"):
    track: Ref
    to: int


class MovePersona(Result, frozen=True, kw_only=True, tag="move"):
    place: Ref


class PlaceCounter(Result, frozen=True, kw_only=True, tag="place-counter"):
    counter: Ref


class RemoveCounter(Result, frozen=True, kw_only=True, tag="remove-counter"):
    counter: Ref


class Kill(Result, frozen=True, kw_only=True, tag="kill"):
    persona: Id


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    faces: tuple[int, ...]
    results: tuple["Does", ...]


class Roll(Result, frozen=True, kw_only=True, tag="roll"):
    """One die; what its face brings. A face in no case brings nothing."""

    cases: tuple[Case, ...]


class RollAgainst(Result, frozen=True, kw_only=True, tag="roll-against"):
    """One die: greater than the track, or not."""

    track: Ref
    above: tuple["Does", ...] = ()
    otherwise: tuple["Does", ...] = ()


class Duel(Result, frozen=True, kw_only=True, tag="duel"):
    """Each of two tracks adds a die of its own; the higher sum wins."""

    first: Ref
    second: Ref
    first_wins: tuple["Does", ...] = ()
    second_wins: tuple["Does", ...] = ()
    tie: tuple["Does", ...] = ()


class When(Result, frozen=True, kw_only=True, tag="when"):
    """Results that depend on how the table stands when their turn comes."""

    requires: tuple[Needs, ...]
    results: tuple["Does", ...] = ()
    otherwise: tuple["Does", ...] = ()


Plain = (
    CheckBox
    | CheckStatus
    | MoveTrack
    | SetTrack
    | MovePersona
    | PlaceCounter
    | RemoveCounter
    | Kill
)
"""What changes one thing on one card."""
Branching = Roll | RollAgainst | Duel | When
"""What goes on with one list of results or another."""
Does = Plain | Branching


# --- cards


class Card(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Anything a card set names: the name in every language, and prose that decides nothing."""

    name: Text
    text: Text = {}


class Track(Card, frozen=True, kw_only=True):
    min: int
    max: int
    start: int


class Status(Card, frozen=True, kw_only=True):
    pass


class Place(Card, frozen=True, kw_only=True):
    pass


class Option(Card, frozen=True, kw_only=True):
    """One of the choices an action offers; its results follow those of the action."""

    id: Id
    results: tuple[Does, ...] = ()


class Action(Card, frozen=True, kw_only=True):
    id: Id
    boxes: Annotated[int, Meta(ge=0, le=12)] = 0
    requires: tuple[Needs, ...] = ()
    results: tuple[Does, ...] = ()
    choose: tuple[Option, ...] = ()


class Effect(Card, frozen=True, kw_only=True):
    """A row of the table at the end of every Scene, or of every Act."""

    id: Id
    requires: tuple[Needs, ...] = ()
    results: tuple[Does, ...]


class Ending(Card, frozen=True, kw_only=True):
    id: Id
    lines: tuple[Needs, ...]


class Persona(Card, frozen=True, kw_only=True):
    """A Dramatis Personae card. `plural` says that a sentence about it has "are"."""

    id: Id
    plural: bool = False
    start: Id | None = None
    tracks: dict[Id, Track] = {}
    places: dict[Id, Place] = {}
    statuses: dict[Id, Status] = {}
    actions: tuple[Action, ...] = ()


class Endings(msgspec.Struct, frozen=True, kw_only=True):
    common: Ending
    regular: tuple[Ending, ...]
    difficult: tuple[Ending, ...]


class CardSet(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A whole card set, as `parsing.parse` gives it. Its first language is English."""

    name: Id
    version: int
    title: Text
    text: Text
    languages: tuple[str, ...]
    personae: tuple[Persona, ...]
    end_of_scene: tuple[Effect, ...]
    end_of_act: tuple[Effect, ...]
    endings: Endings

    @property
    def id(self) -> str:
        return f"{self.name}@{self.version}"

    @cached_property
    def actions(self) -> dict[str, Action]:
        """Every action by its ref, in the order of the cards."""
        return {f"{p.id}.{action.id}": action for p in self.personae for action in p.actions}

    @cached_property
    def by_id(self) -> dict[str, Persona]:
        return {persona.id: persona for persona in self.personae}

    @cached_property
    def digest(self) -> str:
        """Over all that decides a game, English names included; no prose, no translation.

        Of the JSON of the set with sorted keys, without defaults, each text cut to its English
        name.
        """
        encoded = msgspec.json.encode(_decisive(self), order="sorted")
        return digest("card-set", encoded).hex()


PROSE = {"text", "title", "languages"}


def _decisive(value: Any) -> Any:
    match value:
        case Requirement() | Result():
            return msgspec.to_builtins(value)
        case msgspec.Struct():
            kept = {n: getattr(value, n) for n in value.__struct_fields__ if n not in PROSE}
            if isinstance(value, Card):
                kept["name"] = value.name["en"]
            return {name: _decisive(item) for name, item in kept.items()}
        case dict():
            return {key: _decisive(item) for key, item in value.items()}
        case tuple():
            return [_decisive(item) for item in value]
        case _:
            return value
