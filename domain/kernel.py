"""The words every ruleset is written in: seats, moves, events, refusals, and the Decider.

A ruleset is a record of pure functions over a state of its own. `decide` turns one accepted
move into the events it brings about; `evolve` turns events back into state.
"""

import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from domain import scores
from domain.chance import Chance
from domain.scores import Better, Outcome, ScoreLine, Teams
from domain.visibility import Viewer

Seat = int
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
E = TypeVar("E")


class RuleViolation(Exception):
    """A refused move or command: which rule refused it, and why in one English sentence.

    `code` is the stable problem code, `rule` the restriction or ruling behind it. `facts` are
    public values a client may want beside the sentence (the open question, the version).
    """

    def __init__(self, rule: str, detail: str, *, code: str = "illegal-move", **facts: Any) -> None:
        super().__init__(detail)
        self.rule = rule
        self.detail = detail
        self.code = code
        self.facts = facts


class IntegrityError(Exception):
    """A log that states an impossible fact, such as a card that leaves a hand twice."""


def type_name(kind: type[msgspec.Struct]) -> str:
    """The name that a move or an event is sent and stored by, such as `hearts.card-played`."""
    return str(kind.__struct_config__.tag)


def stated_seat(seat: int, seats: int) -> Seat:
    """The seat an event states; raises IntegrityError where there is none."""
    if not 0 <= seat < seats:
        raise IntegrityError("there is no such seat")
    return seat


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A fact. Every field declares who may know it, see `domain.visibility`."""

    schema: ClassVar[int] = 1
    ends_draw: ClassVar[bool] = False


class Move(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What a seat answers to its open question; `answers` names that question."""

    answers: str


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Legal moves described instead of listed: `cards` is any `choose` different ones of `of`."""

    answers: str
    type: str
    choose: int
    of: tuple[str, ...]


class Refusal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A move that answers the open question but may not be made, and the rule that says so.

    Where the move is a card played, `card` names it once more.
    """

    move: Move
    rule: str
    detail: str
    card: str | None = None


LegalMove = Annotated[Any, msgspec.Meta(title="LegalMove")]
"""A Move or a Choice, where it is shown: msgspec has no union of what is tagged and what is not."""


class Legal(msgspec.Struct, frozen=True):
    """A seat's legal moves, and why each other one that it might think of is refused."""

    moves: tuple[Move | Choice, ...]
    refused: tuple[Refusal, ...] = ()


NOTHING_LEGAL = Legal(moves=())


class ScoreLines(Protocol[S_contra]):
    def __call__(self, state: S_contra, after: int = 0, /) -> tuple[ScoreLine, ...]: ...


class Recount(Protocol):
    def __call__(
        self, facts: Iterable[tuple[int, Any]], before: Sequence[ScoreLine] = (), /
    ) -> tuple[ScoreLine, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[S]):
    """One version of one game, as pure functions. `options`, `moves` and `events` are its codec.

    complete_options(options, seats)   the options with all that the seats decide filled in; raises
                                       RuleViolation `invalid-options` where the two do not fit
    initial(options, seats)            the state before the first draw
    to_act(state)                      the seats that owe a move; several where it is simultaneous
    question(state, seat)              the id of that seat's open question, or None
    legal_moves(state, seat)           what the seat may answer, and the reasons for the rest
    accept(state, seat, move)          the event of a legal move; raises RuleViolation otherwise
    consequence(state, chance)         the event the table itself now brings about, or None
    evolve(state, event)               the next state; IntegrityError on an impossible fact
    view(state, viewer)                what that viewer may see, as a Struct
    outcome(state)                     the result once the game is over, else None
    score_lines(state, after)          every point of the scored deals, in order; `after` leaves out
                                       those of the deals up to that number
    recount(facts, before)             the same lines from (version, event) pairs, a second time;
                                       `before` are the lines of the deals before `facts`, if any
    max_draws(options, seats)          the greatest number of draws a game can need
    script_draws(options, seats, first_deal, deals)
                                       purpose -> result of each scripted draw; raises RuleViolation
                                       where the script is impossible
    won_by(totals, better, tie_break)  the outcome that final totals mean
    teams(options, seats)              the seats of each team, where it is played in teams; public
    extras()                           what else its description shows, as plain values
    narrate(state, event)              what a transcript says of an event, `state` the one before it

    `package` is the one in which `rules.en.md` and `rules.ja.md` lie, if there are any.
    """

    name: str
    version: int
    title: str
    seat_counts: tuple[int, ...]
    options: type[msgspec.Struct]
    moves: tuple[type[Move], ...]
    events: tuple[type[Event], ...]
    scripted_deal: type[msgspec.Struct]
    initial: Callable[[Any, int], S]
    to_act: Callable[[S], tuple[Seat, ...]]
    question: Callable[[S, Seat], str | None]
    legal_moves: Callable[[S, Seat], Legal]
    accept: Callable[[S, Seat, Any], Event]
    consequence: Callable[[S, Chance], Event | None]
    evolve: Callable[[S, Any], S]
    view: Callable[[S, Viewer], msgspec.Struct]
    outcome: Callable[[S], Outcome | None]
    score_lines: ScoreLines[S]
    recount: Recount
    max_draws: Callable[[Any, int], int]
    script_draws: Callable[[Any, int, int, Any], Mapping[str, Any]]
    complete_options: Callable[[Any, int], Any] = lambda options, _: options
    won_by: Callable[[Sequence[int], Better, Sequence[int] | None], Outcome] = scores.outcome
    teams: Callable[[Any, int], Teams] = lambda _, __: ()
    extras: Callable[[], Mapping[str, Any]] = dict
    narrate: Callable[[S, Any], tuple[str, ...]] = lambda _, event: (str(event),)
    package: str = ""

    @property
    def id(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def move_type(self) -> Any:
        """The tagged union of this game's moves, for decoding one."""
        return functools.reduce(operator.or_, self.moves)

    def moves_of(self, event: Event) -> tuple[Move, ...]:
        """The moves that `event` can be the accepted form of: those whose fields it all has.

        An audit decides them again; so an event that answers a question states all of its move.
        """
        stated = event.__struct_fields__
        return tuple(
            move(**{name: getattr(event, name) for name in move.__struct_fields__})
            for move in self.moves
            if set(move.__struct_fields__) <= set(stated)
        )


def decide(
    state: S, event: E, evolve: Callable[[S, E], S], consequence: Callable[[S], E | None]
) -> tuple[tuple[E, ...], S]:
    """The events one accepted event brings about, itself first, and the state after the last."""
    events = [event]
    state = evolve(state, event)
    while (following := consequence(state)) is not None:
        events.append(following)
        state = evolve(state, following)
    return tuple(events), state
