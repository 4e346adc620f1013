"""Every answer as a type: the body is its encoding, the description its schema.

The docstring of a published one stands in openapi.yaml.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.game.model import Actor, ChanceKind, Hex, Status, Version
from domain.game.views import SeatView
from events.accounts.tokens import SCOPES
from events.log.entry import KnownPart, Timestamp
from events.projections.store import Tally
from events.receipts import Receipt
from events.redis.health import HealthIssue
from service.live.presence import SeatPresence
from service.problems.details import ProblemDetails

Problem = Annotated[ProblemDetails, Meta(title="Problem")]
Presence = Annotated[
    SeatPresence,
    Meta(
        title="Presence",
        description="Whether a seat's player was seen within the last moments; and when, if at all "
        "since yesterday. Bots are always there. Decides nothing.",
    ),
]
View = Annotated[dict[str, Any], Meta(title="View")]
Links = Annotated[dict[str, str], Meta(title="Links")]
StoredLine = Annotated[msgspec.Raw, Meta(title="Line")]
"""A line as it is stored, byte for byte; `Line` says what is in it."""

Scope = Annotated[str, Meta(extra_json_schema={"enum": sorted(SCOPES)})]
Yes = Annotated[bool, Meta(extra_json_schema={"const": True})]

Stream = Annotated[
    str, Meta(title="Stream", description="Events `view`, `live`, `entry`, `reset`, `end`.")
]
Text = Annotated[str, Meta(title="Text")]


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer with nothing in it beside what its type says."""


# --- players


class NewPlayerAnswer(Closed, frozen=True, kw_only=True):
    id: str
    name: str
    token: str


class PlayerAnswer(Closed, frozen=True, kw_only=True):
    id: str
    name: str | None
    record: dict[str, Tally]


class Token(Closed, frozen=True, kw_only=True):
    id: str
    token: str
    scopes: tuple[Scope, ...]


class Ticket(Closed, frozen=True, kw_only=True):
    ticket: str
    expires_in: int


# --- games


class Live(msgspec.Struct, frozen=True, kw_only=True):
    names: dict[str, str | None]
    seats: tuple[Presence, ...]
    links: Links


class Game(Closed, frozen=True, kw_only=True):
    id: str
    view: View
    live: Live


class OpenedGame(Game, frozen=True, kw_only=True):
    receipt: Receipt


class GameSummary(Closed, frozen=True, kw_only=True):
    id: str
    ruleset: str
    status: Status
    version: Version
    opened: Timestamp
    opener: str
    chance: ChanceKind
    seats: tuple[SeatView, ...]
    links: Links


class Games(Closed, frozen=True, kw_only=True):
    games: tuple[GameSummary, ...]
    next: str | None


# --- the log


class Line(Closed, frozen=True, kw_only=True):
    """One entry: the public object, its digest, and the parts its reader may know."""

    scheme: str | UnsetType = UNSET
    game: str
    version: Version
    type: str
    schema: int
    data: dict[str, Any]
    actor: Actor
    command: Hex
    causation: int | None
    correlation: str
    at: Timestamp
    digest: Hex
    known: tuple[KnownPart, ...]


class Feed(Closed, frozen=True, kw_only=True):
    version: Version
    events: tuple[StoredLine, ...]


class Answer(Feed, frozen=True, kw_only=True):
    receipt: Receipt


class Key(Closed, frozen=True, kw_only=True):
    id: str
    algorithm: Literal["Ed25519"]
    public_key: Hex


class Keys(Closed, frozen=True, kw_only=True):
    keys: tuple[Key, ...]


# --- rule sets


class RulesetSummary(Closed, frozen=True, kw_only=True):
    name: str
    version: Version
    id: str
    title: str
    seats: tuple[int, ...]
    links: Links


class Rulesets(Closed, frozen=True, kw_only=True):
    rulesets: tuple[RulesetSummary, ...]


class MoveType(Closed, frozen=True, kw_only=True):
    type: str
    json_schema: dict[str, Any]


class EventType(Closed, frozen=True, kw_only=True):
    type: str
    schema: int
    json_schema: dict[str, Any]
    visibility: dict[str, Any]


class Ruling(Closed, frozen=True, kw_only=True):
    id: str
    title: str
    text: str


class Ruleset(RulesetSummary, frozen=True, kw_only=True):
    card_sets: tuple[dict[str, Any], ...] | UnsetType = UNSET
    options: dict[str, Any]
    moves: tuple[MoveType, ...]
    events: tuple[EventType, ...]
    rules: Annotated[str, Meta(description="Markdown.")]
    rulings: tuple[Ruling, ...]


# --- running the service


class Health(Closed, frozen=True, kw_only=True):
    ok: Yes


class Readiness(Closed, frozen=True, kw_only=True):
    ready: Yes
    problems: tuple[HealthIssue, ...]
