"""What Hamlet! is made of beside its cards: options, the move, events, and the state."""

from typing import Annotated, Literal

import msgspec

from domain.chance import Draw
from domain.kernel import Event, Move, Seat
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import Needs
from domain.rulesets.hamlet_play.engine.board import Board
from domain.visibility import PerSeatForTheGame, Public

Pack = Literal["regular", "difficult", "mixed"]
Phase = Literal["setting", "scene", "over"]
Rolled = Literal["roll", "roll-against", "duel"]


class HamletPlayOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    endings: Annotated[
        Pack,
        msgspec.Meta(
            description="The pack that ending cards are drawn from: regular, difficult or both."
        ),
    ] = "regular"
    card_set: Annotated[
        str,
        msgspec.Meta(
            max_length=60,
            description="The card set, as name or name@version; if empty, the one of the house.",
        ),
    ] = ""
    card_set_digest: Annotated[
        str,
        msgspec.Meta(
            max_length=64,
            description="Its digest; if empty, that of the set which is loaded under this name.",
        ),
    ] = ""


class ScriptedDeal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game written down beforehand: its chance. Dice by purpose, such as `a2.s3.die1`."""

    first_player: Seat
    endings: tuple[str, ...]
    dice: dict[str, int] = {}


class TakeAction(Move, frozen=True, kw_only=True, tag="take_action"):
    """One action of a Scene; `choice` where the action offers several."""

    action: str
    choice: str | None = None


# --- events


class TrackLaid(msgspec.Struct, frozen=True, kw_only=True):
    min: int
    max: int
    start: int


class StageSet(Event, frozen=True, kw_only=True, tag="hamlet_play.stage-set"):
    """How the table stands at first: all that later facts refer to, without the card set.

    `places` are by persona, `boxes` and `tracks` by ref; the rest starts unchecked and empty.
    """

    card_set: Public[str]
    digest: Public[str]
    personae: Public[tuple[str, ...]]
    places: Public[dict[str, str]]
    tracks: Public[dict[str, TrackLaid]]
    boxes: Public[dict[str, int]]


class HeldEnding(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    lines: tuple[Needs, ...]


class EndingsDealt(Event, frozen=True, kw_only=True, tag="hamlet_play.endings-dealt"):
    """One ending for each seat, its own until the game is finished (ruling HP-5)."""

    common: Public[HeldEnding]
    endings: PerSeatForTheGame[HeldEnding]


class FirstPlayerDrawn(Event, frozen=True, kw_only=True, tag="hamlet_play.first-player-drawn"):
    """Ruling HP-1. `goes_on`, here and below: the table goes on by itself before anybody moves."""

    draw: Public[Draw]
    first_player: Public[Seat]
    goes_on: Public[bool] = False


class ActionTaken(Event, frozen=True, kw_only=True, tag="hamlet_play.action-taken"):
    """`number` counts the actions of the Scene from 1."""

    act: Public[int]
    scene: Public[int]
    number: Public[int]
    seat: Public[Seat]
    answers: Public[str]
    action: Public[str]
    choice: Public[str | None] = None
    goes_on: Public[bool] = False


class Fact(Event, frozen=True, kw_only=True):
    """Something that changes at the table. `cause` is the action, or the row of a table
    (`end-of-scene.nunnery`), or `dying`."""

    cause: Public[str]
    goes_on: Public[bool] = True


class DieRolled(Fact, frozen=True, kw_only=True, tag="hamlet_play.die-rolled"):
    """`track` and `value`: what the die is compared with, or is added to in a duel."""

    draw: Public[Draw]
    face: Public[int]
    kind: Public[Rolled]
    track: Public[str | None] = None
    value: Public[int | None] = None


class TrackMoved(Fact, frozen=True, kw_only=True, tag="hamlet_play.track-moved"):
    track: Public[str]
    before: Public[int]
    after: Public[int]


class StatusChecked(Fact, frozen=True, kw_only=True, tag="hamlet_play.status-checked"):
    status: Public[str]


class BoxChecked(Fact, frozen=True, kw_only=True, tag="hamlet_play.box-checked"):
    """`checked` boxes of the action are checked now."""

    action: Public[str]
    checked: Public[int]


class CounterPlaced(Fact, frozen=True, kw_only=True, tag="hamlet_play.counter-placed"):
    counter: Public[str]


class CounterRemoved(Fact, frozen=True, kw_only=True, tag="hamlet_play.counter-removed"):
    counter: Public[str]


class PersonaMoved(Fact, frozen=True, kw_only=True, tag="hamlet_play.persona-moved"):
    before: Public[str]
    after: Public[str]


class PersonaDied(Fact, frozen=True, kw_only=True, tag="hamlet_play.persona-died"):
    """The card is turned face down; counters on it are gone (ruling HP-3)."""

    persona: Public[str]


class SceneEnded(Event, frozen=True, kw_only=True, tag="hamlet_play.scene-ended"):
    act: Public[int]
    scene: Public[int]
    seat: Public[Seat]
    goes_on: Public[bool] = True


class ActEnded(Event, frozen=True, kw_only=True, tag="hamlet_play.act-ended"):
    """Endings have been looked at. `first_player` is that of the next Act, if there is one."""

    act: Public[int]
    winners: Public[tuple[Seat, ...]]
    common: Public[bool]
    first_player: Public[Seat | None]
    goes_on: Public[bool] = True


class PlayStopped(Event, frozen=True, kw_only=True, tag="hamlet_play.play-stopped"):
    """No action is possible, so the game ends at once, a draw (ruling HP-2)."""

    act: Public[int]
    scene: Public[int]
    seat: Public[Seat]
    taken: Public[int]
    reason: Public[Literal["no-possible-action"]] = "no-possible-action"


TableFact = (
    DieRolled
    | TrackMoved
    | StatusChecked
    | BoxChecked
    | CounterPlaced
    | CounterRemoved
    | PersonaMoved
    | PersonaDied
)
Following = TableFact | SceneEnded | ActEnded | PlayStopped
HamletPlayEvent = StageSet | EndingsDealt | FirstPlayerDrawn | ActionTaken | Following


# --- state


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The action taken last, the table as it was before, and what has followed from it so far."""

    board: Board
    first_player: Seat
    seat: Seat
    act: int
    scene: int
    number: int
    action: str
    choice: str | None
    dice: int
    """Dice that had been rolled in this Scene before."""
    facts: int = 0
    faces: tuple[int, ...] = ()


class HamletPlayState(msgspec.Struct, frozen=True, kw_only=True):
    """A table of Hamlet! Names are refs of the card set; `cards` is that set, or None where it is
    missing: the facts of a game are applied without it.

    `act` and `scene` count from 1; `taken` are the actions of the Scene so far; `dice` those
    rolled in it. `winners` is None until the end.
    """

    seats: int
    pack: Pack
    card_set: str
    digest: str
    cards: CardSet | None
    personae: tuple[str, ...] = ()
    tracks: dict[str, TrackLaid] = {}
    boxes: dict[str, int] = {}
    board: Board = Board()
    common: HeldEnding | None = None
    endings: tuple[HeldEnding, ...] = ()
    first_player: Seat | None = None
    act: int = 0
    scene: int = 0
    taken: tuple[str, ...] = ()
    dice: int = 0
    turn: Turn | None = None
    goes_on: bool = False
    winners: tuple[Seat, ...] | None = None
    won_together: bool = False
    stopped: bool = False

    @property
    def phase(self) -> Phase:
        if self.winners is not None:
            return "over"
        return "setting" if self.first_player is None else "scene"

    @property
    def current(self) -> Seat:
        """The current player: First Player has the first Scene of an Act, then to the left."""
        return ((self.first_player or 0) + self.scene - 1) % self.seats

    @property
    def next_die(self) -> str:
        """The purpose of the next die: dice are counted by Scene, and at the end of an Act."""
        place = "end" if self.scene > self.seats else f"s{self.scene}"
        return f"a{self.act}.{place}.die{self.dice + 1}"

    def turn_of(self, action: str, choice: str | None) -> Turn:
        """The turn that begins when the current player takes this action."""
        return Turn(
            board=self.board,
            first_player=self.first_player or 0,
            seat=self.current,
            act=self.act,
            scene=self.scene,
            number=len(self.taken) + 1,
            action=action,
            choice=choice,
            dice=self.dice,
        )
