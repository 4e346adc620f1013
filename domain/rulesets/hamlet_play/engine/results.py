"""What results bring about, fact by fact (docs/cardsets.md)."""

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from domain.chance import Draw
from domain.rulesets.hamlet_play.cardset.model import (
    Branching,
    CardSet,
    CheckBox,
    CheckStatus,
    Does,
    Duel,
    Kill,
    MovePersona,
    MoveTrack,
    PlaceCounter,
    Plain,
    RemoveCounter,
    Roll,
    RollAgainst,
    SetTrack,
    When,
)
from domain.rulesets.hamlet_play.cardset.requirements import persona_of
from domain.rulesets.hamlet_play.cardset.validate_references import track_of
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.board_changes import changed
from domain.rulesets.hamlet_play.engine.requirements import all_hold
from domain.rulesets.hamlet_play.model import (
    BoxChecked,
    CounterPlaced,
    CounterRemoved,
    DieRolled,
    PersonaDied,
    PersonaMoved,
    Rolled,
    StatusChecked,
    TableFact,
    TrackMoved,
)

Roller = Callable[[str], tuple[int, Draw]]
"""The face of the next die, and its draw, for a purpose such as `a2.s3.die1`.

One that knows so many dice only raises DieWanted for the next.
"""


class DieWanted(Exception):
    """Results go on with a die that nobody has rolled or foreseen yet."""


class Stage:
    """The table while results happen. Each fact is applied as soon as it is told.

    `place` and `dice` number the dice: `a2.s3`, or `a2.end` at the end of an Act.
    """

    def __init__(self, cards: CardSet, board: Board, act: int, roll: Roller) -> None:
        self.cards = cards
        self.board = board
        self.act = act
        self.place = ""
        self.dice = 0
        self._roll = roll

    def goes_to(self, place: str, dice: int = 0) -> None:
        """Dice are numbered on from `dice` there."""
        self.place, self.dice = place, dice

    def perform(self, results: Iterable[Does], cause: str) -> Iterator[TableFact]:
        """Ruling HP-9: in order; what would affect a dead persona is passed over, it alone."""
        for result in results:
            match result:
                case Roll() | RollAgainst() | Duel() | When():
                    yield from self._branch(result, cause)
                case _:
                    fact = self._fact(result, cause)
                    if fact is not None:
                        yield self._happens(fact)

    def dies(self, personae: Iterable[str], cause: str) -> Iterator[TableFact]:
        for persona in personae:
            yield self._happens(PersonaDied(persona=persona, cause=cause))

    def _happens(self, fact: TableFact) -> TableFact:
        self.board = changed(self.board, fact)
        return fact

    def _fact(  # noqa: C901, PLR0912 - one case for each kind
        self,
        result: Plain,
        cause: str,
    ) -> TableFact | None:
        """None where the persona is dead, or there is nothing to change."""
        board = self.board
        match result:
            case CheckBox(action=action):
                return self._box(action or cause, cause)
            case CheckStatus(status=status):
                if board.is_dead(status) or status in board.statuses:
                    return None
                return StatusChecked(status=status, cause=cause)
            case MoveTrack(track=track, by=by):
                return self._track(track, board.tracks[track] + by, cause)
            case SetTrack(track=track, to=to):
                return self._track(track, to, cause)
            case MovePersona(place=place):
                before = board.places[persona_of(place)]
                if board.is_dead(place) or before == place:
                    return None
                return PersonaMoved(before=before, after=place, cause=cause)
            case PlaceCounter(counter=counter):
                if board.is_dead(counter) or counter in board.counters:
                    return None
                return CounterPlaced(counter=counter, cause=cause)
            case RemoveCounter(counter=counter):
                if counter not in board.counters:
                    return None
                return CounterRemoved(counter=counter, cause=cause)
            case Kill(persona=persona):
                if persona in board.dead:
                    return None
                return PersonaDied(persona=persona, cause=cause)
            case _:
                assert_never(result)

    def _box(self, action: str, cause: str) -> TableFact | None:
        checked = self.board.boxes.get(action, 0)
        if self.board.is_dead(action) or checked >= self.cards.actions[action].boxes:
            return None
        return BoxChecked(action=action, checked=checked + 1, cause=cause)

    def _track(self, ref: str, wanted: int, cause: str) -> TableFact | None:
        """A slider stops at its ends."""
        track = track_of(self.cards, ref)
        assert track is not None
        before, after = self.board.tracks[ref], min(max(wanted, track.min), track.max)
        if self.board.is_dead(ref) or before == after:
            return None
        return TrackMoved(track=ref, before=before, after=after, cause=cause)

    def _branch(self, result: Branching, cause: str) -> Iterator[TableFact]:
        match result:
            case When(requires=requires):
                now = all_hold(requires, self.board, self.act)
                following = result.results if now else result.otherwise
            case Roll(cases=cases):
                die = self._die("roll", None, cause)
                yield die
                following = next((c.results for c in cases if die.face in c.faces), ())
            case RollAgainst(track=track):
                if self.board.is_dead(track):
                    return
                die = self._die("roll-against", track, cause)
                yield die
                following = (
                    result.above if die.face > self.board.tracks[track] else result.otherwise
                )
            case Duel(first=first, second=second):
                if self.board.is_dead(first) or self.board.is_dead(second):
                    return
                sums = []
                for track in (first, second):
                    die = self._die("duel", track, cause)
                    yield die
                    sums.append(die.face + self.board.tracks[track])
                following = _of_duel(result, sums[0] - sums[1])
            case _:
                assert_never(result)
        yield from self.perform(following, cause)

    def _die(self, kind: Rolled, track: str | None, cause: str) -> DieRolled:
        self.dice += 1
        face, draw = self._roll(f"{self.place}.die{self.dice}")
        value = None if track is None else self.board.tracks[track]
        return DieRolled(draw=draw, face=face, kind=kind, track=track, value=value, cause=cause)


def _of_duel(duel: Duel, lead: int) -> tuple[Does, ...]:
    if lead == 0:
        return duel.tie
    return duel.first_wins if lead > 0 else duel.second_wins
