"""The life of a game around its ruleset: its commands, its events, its state.

opened → seats taken and left → started when the last seat fills → moves, a bot in the seat of who
leaves and until they resume → finished, by its outcome or closed before the start.
"""

from typing import Annotated, Any, Literal

import msgspec

from domain.kernel import Event, Move
from domain.scores import Outcome
from domain.visibility import OpenerOnly, Part, Public, Secret

Level = Literal["easy", "normal", "hard"]
Status = Literal["open", "playing", "finished"]
ChanceKind = Literal["chain", "scripted"]
Version = Annotated[int, msgspec.Meta(ge=0)]
Hex = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})+$")]
Entropy = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2}){16,64}$")]


class Actor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who brought an event about. People are named by id only; `table` is the game itself."""

    kind: Literal["player", "bot", "table", "auditor"]
    id: str | None = None
    seat: int | None = None
    level: Level | None = None
    bot: str | None = None
    fallback: bool = False


TABLE = Actor(kind="table")


class SeatPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a seat is offered when the game is opened."""

    kind: Literal["open", "reserved", "bot"]
    player: str | None = None
    level: Level | None = None


class ScriptPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The public part of a script: from which deal on, and how many, are written down."""

    first_deal: int
    deals: int


# --- commands


class Script(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    first_deal: int = 1
    deals: tuple[Any, ...]


class OpenGame(msgspec.Struct, frozen=True, kw_only=True, tag="open"):
    opener: str
    ruleset: str
    options: dict[str, Any]
    seats: tuple[SeatPlan, ...]
    script: Script | None = None


class Sit(msgspec.Struct, frozen=True, kw_only=True, tag="sit"):
    player: str
    seat: int
    entropy: str | None = None


class SeatBot(msgspec.Struct, frozen=True, kw_only=True, tag="seat-bot"):
    player: str
    seat: int
    level: Level


class Leave(msgspec.Struct, frozen=True, kw_only=True, tag="leave"):
    """`level` is that of the bot which takes over once the game has started."""

    player: str
    seat: int
    level: Level = "normal"


class CloseGame(msgspec.Struct, frozen=True, kw_only=True, tag="close"):
    player: str


class Play(msgspec.Struct, frozen=True, kw_only=True, tag="play"):
    seat: int
    move: Move


Command = Sit | SeatBot | Leave | CloseGame | Play


# --- events


class Opened(Event, frozen=True, kw_only=True, tag="game.opened"):
    """The first entry: the pinned rule set, the seats on offer, the commitment to all chance."""

    ruleset: Public[str]
    options: Public[dict[str, Any]]
    seats: Public[tuple[SeatPlan, ...]]
    opener: Public[str]
    commitment: Public[str]
    links: Public[int]
    script: Public[ScriptPlan | None] = None
    scripted_deals: OpenerOnly[Any] = ()
    root: Secret[str]


class SeatTaken(Event, frozen=True, kw_only=True, tag="game.seat-taken"):
    seat: Public[int]
    player: Public[str | None] = None
    level: Public[Level | None] = None
    entropy: Public[str | None] = None


class SeatLeft(Event, frozen=True, kw_only=True, tag="game.seat-left"):
    """The seat is free again; or, where there is a `level`, a bot of that level has it now."""

    seat: Public[int]
    player: Public[str]
    level: Public[Level | None] = None


class SeatResumed(Event, frozen=True, kw_only=True, tag="game.seat-resumed"):
    """Who left a started game has their seat again."""

    seat: Public[int]
    player: Public[str]


class Started(Event, frozen=True, kw_only=True, tag="game.started"):
    """The last seat is filled. `entropy` is what every draw of the game mixes in, by seat."""

    entropy: Public[tuple[str | None, ...]]


class OpenedPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part sealed in entry `version` at `path`, opened to all."""

    version: int
    path: str
    value: Any


class DealRevealed(Event, frozen=True, kw_only=True, tag="game.deal-revealed"):
    """The link behind draw `draw`, and every part that was sealed until it."""

    draw: Public[int]
    link: Public[str]
    parts: Public[tuple[OpenedPart, ...]]


class Finished(Event, frozen=True, kw_only=True, tag="game.finished"):
    """The end, with the root of all chance and every part that was sealed until now."""

    reason: Public[Literal["outcome", "closed"]]
    outcome: Public[Outcome | None] = None
    root: Public[str]
    parts: Public[tuple[OpenedPart, ...]]


LIFECYCLE_EVENTS: tuple[type[Event], ...] = (
    Opened,
    SeatTaken,
    SeatLeft,
    SeatResumed,
    Started,
    DealRevealed,
    Finished,
)


# --- state


class Occupant(msgspec.Struct, frozen=True, kw_only=True):
    """Who has a seat, since which version, and the entropy a person brought along.

    `former` is the person whose seat a bot has taken over; they alone may resume it.
    """

    kind: Literal["open", "reserved", "player", "bot"]
    player: str | None = None
    level: Level | None = None
    entropy: str | None = None
    former: str | None = None
    since: int


class AnsweredQuestion(msgspec.Struct, frozen=True):
    """A question that a seat has answered, and the version that did."""

    seat: int
    question: str
    version: int


Answers = tuple[tuple[AnsweredQuestion, ...], ...]
"""In the order given, in pieces."""


class HiddenPart(msgspec.Struct, frozen=True):
    """A sealed part that no event has opened yet."""

    version: int
    part: Part


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game after `version` events; `state` is its ruleset's. Holds no link, no root."""

    ruleset: str
    version: int
    status: Status
    opener: str
    options: Any
    commitment: str
    script: ScriptPlan | None
    scripted_deals: tuple[Any, ...]
    seats: tuple[Occupant, ...]
    entropy: tuple[str | None, ...]
    state: Any
    draws: int
    secret_draw: int | None
    draw_ended: bool
    hidden: tuple[HiddenPart, ...]
    answers: Answers
    outcome: Outcome | None

    @property
    def chance(self) -> ChanceKind:
        return "scripted" if self.script else "chain"

    def seat_of(self, player: str) -> int | None:
        """The seat a person sits in, or None."""
        for seat, occupant in enumerate(self.seats):
            if occupant.kind == "player" and occupant.player == player:
                return seat
        return None
