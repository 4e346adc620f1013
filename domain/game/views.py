"""What one viewer sees of a game: a function of the state and the viewer alone."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.game.model import ChanceKind, Game, Hex, Level, ScriptPlan, Status, Version
from domain.game.questions import questions
from domain.kernel import NOTHING_LEGAL, LegalMove, Refusal
from domain.registry import RULESETS
from domain.scores import Outcome, Teams
from domain.visibility import Viewer


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at the table, and who has it."""

    seat: int
    kind: str
    player: str | None
    level: Level | None
    former: str | None


class SharedView(msgspec.Struct, frozen=True, kw_only=True):
    """What the views of all games share; `teams` where it is played in teams.

    `options` are plain values, filled in. `to_act` has the open question of each seat that owes a
    move, by its number.
    """

    ruleset: str
    options: dict[str, Any]
    status: Status
    version: Version
    commitment: Hex
    chance: ChanceKind
    script: ScriptPlan | None
    opener: str
    seats: tuple[SeatView, ...]
    seat: int | None
    question: str | None
    legal_moves: tuple[LegalMove, ...]
    refused: tuple[Refusal, ...]
    to_act: dict[str, str]
    outcome: Outcome | None
    teams: (
        Annotated[
            Teams,
            msgspec.Meta(description="The seats of each team, in a game that is played in teams."),
        ]
        | UnsetType
    ) = UNSET


OF_THE_LOG = frozenset({"scheme", "digest"})
"""Fields that a view has beside, of the log it was computed from."""

SHARED = OF_THE_LOG | set(SharedView.__struct_fields__)
"""Fields of every view, whatever the game."""


def view(game: Game, viewer: Viewer) -> dict[str, Any]:
    """The view of a game as plain values: the table by its ruleset, and what all games share.

    A seat's own secrets are there for that seat only; the keys are the same for every viewer.
    """
    ruleset = RULESETS[game.ruleset]
    to_act = questions(game)
    question = None if viewer.seat is None else to_act.get(viewer.seat)
    legal = NOTHING_LEGAL
    if viewer.seat is not None and question is not None:
        legal = ruleset.legal_moves(game.state, viewer.seat)
    shared = SharedView(
        ruleset=game.ruleset,
        options=msgspec.to_builtins(game.options),
        status=game.status,
        version=game.version,
        commitment=game.commitment,
        chance=game.chance,
        script=game.script,
        opener=game.opener,
        seats=seat_views(game),
        seat=viewer.seat,
        question=question,
        legal_moves=legal.moves,
        refused=legal.refused,
        to_act={str(seat): question for seat, question in to_act.items()},
        outcome=game.outcome,
        teams=ruleset.teams(game.options, len(game.seats)) or UNSET,
    )
    table: dict[str, Any] = msgspec.to_builtins(ruleset.view(game.state, viewer))
    plain: dict[str, Any] = msgspec.to_builtins(shared)
    return table | plain


def seat_views(game: Game) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(seat=seat, kind=o.kind, player=o.player, level=o.level, former=o.former)
        for seat, o in enumerate(game.seats)
    )
