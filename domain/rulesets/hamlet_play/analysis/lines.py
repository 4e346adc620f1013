"""Lines of play: one that reaches an ending, or an action, dice and all, found by search.

All seats help each other, and the dice fall as the search likes them. It goes from move to move
towards what the distances say is near, some positions side by side, or one at random; so it may
miss a line.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf

import msgspec
from msgspec.structs import replace

from domain.chance import Draw, T, below, words
from domain.rulesets.hamlet_play.analysis.trials import after, begun, moves_of
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import (
    Alive,
    BoxesChecked,
    Dead,
    Needs,
    persona_of,
)
from domain.rulesets.hamlet_play.engine.requirements import all_hold
from domain.rulesets.hamlet_play.model import HamletPlayState, HeldEnding
from domain.rulesets.hamlet_play.reach.distances import distances
from domain.rulesets.hamlet_play.reach.outcomes import Dice, every_fall
from domain.rulesets.hamlet_play.reach.relaxation import Move

Fallen = dict[str, int]
"""Dice by their purpose."""

WIDTHS = (1, 4, 16)
"""How many positions are kept side by side; more where fewer have not found a line."""
STROLLS = 100
ASIDE = 4
"""Every so manyth move of a stroll is not one of the plan."""
LATE = 100.0
"""Added to the distance where somebody has to be saved before the Act ends."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """Moves from the first Scene on, First Player being seat 0, and the dice by their purpose."""

    seats: int
    moves: tuple[Move, ...]
    dice: Fallen


class Position(msgspec.Struct, frozen=True):
    """Where the search stands, how it came there, and how far it still is."""

    state: HamletPlayState
    moves: tuple[Move, ...]
    dice: Fallen
    far: float


def line_to_ending(cards: CardSet, seats: int, lines: Iterable[Needs]) -> Line | None:
    """A line at whose end these lines of an ending hold, or None if none is found."""
    lines = tuple(lines)

    def held(state: HamletPlayState) -> bool:
        return bool(state.winners) and all_hold(lines, state.board, state.act)

    return Search(cards, seats, lines, lines, held).line()


def line_to_action(cards: CardSet, seats: int, ref: str) -> Line | None:
    """A line after which this action may be taken, or None if none is found."""
    action, persona = cards.actions[ref], persona_of(ref)
    free = (BoxesChecked(action=ref, at_most=action.boxes - 1),) if action.boxes else ()
    needs = (Alive(persona=persona), *action.requires, *free)
    never = (Alive(persona=persona), Dead(persona=persona))
    return Search(cards, seats, never, needs, lambda state: _may_be_taken(cards, state, ref)).line()


class Search:
    """For a state that is `reached`, going towards `needs`; every seat holds the ending `held`."""

    def __init__(
        self,
        cards: CardSet,
        seats: int,
        held: tuple[Needs, ...],
        needs: tuple[Needs, ...],
        reached: Callable[[HamletPlayState], bool],
    ) -> None:
        self._cards = cards
        self._needs = needs
        self._reached = reached
        state = replace(
            begun(cards, seats, "regular", Written(lambda: 1)),
            endings=(HeldEnding(id="sought", lines=held),) * seats,
        )
        self._first = Position(state, (), {}, self._far(state))

    def line(self) -> Line | None:
        """Straight on, then on a broad front, then with some luck."""
        if self._first.far == inf:
            return None
        ways = (
            *(partial(self._abreast, width) for width in WIDTHS),
            *(partial(self._astray, number) for number in range(STROLLS)),
        )
        found = next((end for way in ways if (end := way()) is not None), None)
        if found is None:
            return None
        return Line(seats=found.state.seats, moves=found.moves, dice=found.dice)

    def _abreast(self, width: int) -> Position | None:
        """As many positions side by side, the nearest ones."""
        beam = [self._first]
        while beam:
            found = next((one for one in beam if self._reached(one.state)), None)
            if found is not None:
                return found
            onward: list[Position] = []
            for position in beam:
                ways = [*self._direct(position)]
                if not ways or width > 1:
                    ways += islice(self._idle(position), width)
                for one in ways:
                    if all(one.state.board != other.state.board for other in onward):
                        onward.append(one)
            beam = sorted(onward, key=lambda position: position.far)[:width]
        return None

    def _astray(self, number: int) -> Position | None:
        """One position after the other: mostly on, now and then aside."""
        stream = words(number.to_bytes(4, "big"), "bot", "astray")
        position: Position | None = self._first
        while position is not None and not self._reached(position.state):
            ways = list(self._direct(position)) if below(ASIDE, stream) else []
            ways = ways or list(self._idle(position))
            position = ways[below(len(ways), stream)] if ways else None
        return position

    def _direct(self, position: Position) -> Iterator[Position]:
        """By the moves of the plan that can be made now."""
        state = position.state
        planned = distances(self._cards, state.board, state.act).moves(self._needs)
        for move in moves_of(self._cards, state):
            if move in planned:
                yield from self._after(position, move)

    def _idle(self, position: Position) -> Iterator[Position]:
        """By any move that loses nothing."""
        for move in moves_of(self._cards, position.state):
            yield from (one for one in self._after(position, move) if one.far <= position.far)

    def _after(self, position: Position, move: Move) -> Iterator[Position]:
        """Where a move may lead, for every fall of the dice that makes a difference."""
        seen: list[HamletPlayState] = []
        for _, (state, dice) in every_fall(partial(_outcome, position.state, move)):
            if any(state.board == other.board for other in seen):
                continue
            seen.append(state)
            far = self._far(state)
            if far < inf:
                yield Position(state, (*position.moves, move), position.dice | dice, far)

    def _far(self, state: HamletPlayState) -> float:
        """The distance once the dying are dead; if that is too late, farther than all else."""
        board = state.board.at_the_end_of_the_act()
        then = distances(self._cards, board, state.act).of(self._needs)
        if board is state.board or then < inf:
            return then
        return LATE + distances(self._cards, state.board, state.act).of(self._needs)


# --- the game, with dice that are written down


class Written:
    """A chance whose dice are given; seat 0 begins, and endings lie in their order."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.dice: Fallen = {}

    def pick(self, purpose: str, n: int) -> tuple[int, Draw]:  # noqa: ARG002
        return 0, Draw(number=0, purpose=purpose)

    def die(self, purpose: str) -> tuple[int, Draw]:
        face = self.dice[purpose] = self._dice()
        return face, Draw(number=0, purpose=purpose)

    def secret_shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002
        return tuple(deck)

    def shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[tuple[T, ...], Draw]:
        return tuple(deck), Draw(number=0, purpose=purpose)


def _outcome(state: HamletPlayState, move: Move, dice: Dice) -> tuple[HamletPlayState, Fallen]:
    chance = Written(dice)
    return after(state, move, chance), chance.dice


def _may_be_taken(cards: CardSet, state: HamletPlayState, ref: str) -> bool:
    return any(move.action == ref for move in moves_of(cards, state))
