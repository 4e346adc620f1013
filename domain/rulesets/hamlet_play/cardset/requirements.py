"""The requirements of a card set, and the lines of its endings (docs/cardsets.md).

A *ref* names something on a card, persona first: `ophelia.sanity`, `laertes.france`.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,39}$")]
Ref = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,39}\\.[a-z][a-z0-9-]{0,39}$")]
Text = dict[str, str]
Counter = Literal["spying", "dying"]

COUNTERS: tuple[Counter, ...] = ("spying", "dying")
ACTS = 5


def persona_of(ref: str) -> str:
    """The persona a ref is about: `ophelia` of `ophelia.sanity`, and of `ophelia` itself."""
    return ref.partition(".")[0]


class Requirement(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="needs",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """One thing that must be so. All but alive, dead and act need the persona alive (HP-8)."""


class Alive(Requirement, frozen=True, kw_only=True, tag="alive"):
    persona: Id


class Dead(Requirement, frozen=True, kw_only=True, tag="dead"):
    persona: Id


class HasStatus(Requirement, frozen=True, kw_only=True, tag="status"):
    status: Ref
    negated: bool = field(default=False, name="not")


class IsAt(Requirement, frozen=True, kw_only=True, tag="place"):
    place: Ref
    negated: bool = field(default=False, name="not")


class OnTrack(Requirement, frozen=True, kw_only=True, tag="track"):
    track: Ref
    at_least: int | None = None
    at_most: int | None = None


class HasCounter(Requirement, frozen=True, kw_only=True, tag="counter"):
    counter: Ref
    negated: bool = field(default=False, name="not")


class BoxesChecked(Requirement, frozen=True, kw_only=True, tag="box"):
    action: Ref
    at_least: int | None = None
    at_most: int | None = None


class Higher(Requirement, frozen=True, kw_only=True, tag="compare"):
    """The track `higher` stands strictly higher than the track `lower`."""

    higher: Ref
    lower: Ref
    negated: bool = field(default=False, name="not")


class Together(Requirement, frozen=True, kw_only=True, tag="together"):
    """All these personae stand on places of the same id."""

    personae: tuple[Id, ...]
    negated: bool = field(default=False, name="not")


class InAct(Requirement, frozen=True, kw_only=True, tag="act"):
    at_least: int | None = None
    at_most: int | None = None


Needs = (
    Alive
    | Dead
    | HasStatus
    | IsAt
    | OnTrack
    | HasCounter
    | BoxesChecked
    | Higher
    | Together
    | InAct
)
