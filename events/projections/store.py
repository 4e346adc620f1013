"""What is kept beside the log for reading: scoresheets, players' records, the lobby.

A projection is a fold of one game's log. What is kept of a game carries the version it was folded
to, in one write with the data, so that a job that comes late, twice or after a crash changes
nothing. Play never looks at a projection. tests/events runs one contract on every store.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal, Protocol

import msgspec

from domain.game.model import ChanceKind, Game, Status
from domain.game.views import SeatView, seat_views
from domain.scores import Outcome, ScoreLine
from events.log.store import Opening

Projection = Literal["scoresheet", "records", "lobby"]
PROJECTIONS: tuple[Projection, ...] = ("scoresheet", "records", "lobby")


class SheetDeal(msgspec.Struct, frozen=True, kw_only=True):
    """A scored deal: every point with its reason, sums by seat, and totals after it.

    `version` is the entry that recorded it.
    """

    deal: int
    version: int
    lines: tuple[ScoreLine, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """Where the second scorer finds something else than the log or the rules' own scorer say."""

    version: int
    deal: int | None
    what: Literal["lines", "points", "totals", "outcome"]
    recorded: Any
    recounted: Any


class Scoresheet(msgspec.Struct, frozen=True, kw_only=True):
    """The scored deals of a game as the second scorer counts them from the cards."""

    game: str
    version: int
    ruleset: str
    chance: ChanceKind
    deals: tuple[SheetDeal, ...]
    totals: tuple[int, ...]
    outcome: Outcome | None
    scores_disagree: bool
    disagreements: tuple[Disagreement, ...]


class RecordPart(msgspec.Struct, frozen=True, kw_only=True):
    """What one game is in one player's record; it has been played since it started."""

    ruleset: str
    finished: bool
    won: bool


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The part of every player who had a seat in a game since it started."""

    game: str
    version: int
    parts: dict[str, RecordPart]


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """Games of one rule set: `finished` of them sat out to the end, `won` alone or shared."""

    played: int = 0
    finished: int = 0
    won: int = 0


class LobbyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the lobby, `version` the last that changed it or later. Public facts only."""

    game: str
    version: int
    opened: int
    ruleset: str
    status: Status
    opener: str
    chance: ChanceKind
    seats: tuple[SeatView, ...]

    @property
    def opening(self) -> Opening:
        return Opening(self.opened, self.game)

    @property
    def players(self) -> frozenset[str]:
        """Whose game it is: who opened it, sits in it, or may resume a seat."""
        people = (person for seat in self.seats for person in (seat.player, seat.former))
        return frozenset({self.opener, *filter(None, people)})


ProjectedGame = Scoresheet | GameRecord | LobbyRow


class FailedProjection(msgspec.Struct, frozen=True, kw_only=True):
    """A projection of one game that stands still: the entry it stopped at, and why."""

    projection: Projection
    game: str
    version: int
    reason: str


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """What has gone wrong behind the projections; `counts` are of what the workers met."""

    dead_projections: int = 0
    dead_letters: int = 0
    scores_disagree: int = 0
    counts: Mapping[str, int] = {}


class Overtaken(Exception):
    """Another rebuild has begun since this one did."""


class ProjectionStore(Protocol):
    """Raises Busy where it does not answer."""

    def put(self, kept: ProjectedGame, *, again: bool = False, into: int | None = None) -> bool:
        """Keeps what a game was folded to, unless it is kept to that version or a later one.

        `again` replaces the same version too. `into` names the one generation to write to;
        without it, the live one and the one that is being built, if any.
        """

    def sheet(self, game: str) -> Scoresheet | None:
        """None where no deal has been scored and projected."""

    def record(self, player: str) -> dict[str, Tally]:
        """By rule set; empty for who has played none."""

    def rows(self, games: Iterable[str]) -> dict[str, LobbyRow]:
        """The line of each game that has one."""

    def listed(self, index: Status | str, before: Opening | None, count: int) -> list[Opening]:
        """Games of a status, or of a player, opened before `before`, newest first.

        A hint that may be old: the line of a game says what is so.
        """

    def begin(self, projection: Projection) -> int:
        """Begins a generation beside the live one, in the place of one that was never finished."""

    def carry(self, projection: Projection, into: int, games: Collection[str]) -> None:
        """Puts into a generation what the live one has of these games, and it has not."""

    def switch(self, projection: Projection, generation: int) -> None:
        """Makes a generation the live one. Raises Overtaken."""

    def mark_failed(self, dead: FailedProjection) -> None:
        """Records a projection that stands still."""

    def clear_failed(self, projection: Projection, game: str) -> None:
        """It goes on."""

    def dead(self) -> list[FailedProjection]:
        """Every projection that stands still, in the order of game and name."""

    def health(self) -> Health: ...


def name_of(kept: ProjectedGame) -> Projection:
    match kept:
        case Scoresheet():
            return "scoresheet"
        case GameRecord():
            return "records"
        case LobbyRow():
            return "lobby"


def row_of(game_id: str, game: Game, version: int, opened: int) -> LobbyRow:
    return LobbyRow(
        game=game_id,
        version=version,
        opened=opened,
        ruleset=game.ruleset,
        status=game.status,
        opener=game.opener,
        chance=game.chance,
        seats=seat_views(game),
    )


def tallied(parts: Iterable[tuple[RecordPart, int]]) -> dict[str, Tally]:
    """A player's record from their parts in games, each with how many games it is the part in."""
    found: dict[str, Tally] = {}
    for part, times in parts:
        tally = found.get(part.ruleset, Tally())
        found[part.ruleset] = Tally(
            played=tally.played + times,
            finished=tally.finished + part.finished * times,
            won=tally.won + part.won * times,
        )
    return dict(sorted(found.items()))
