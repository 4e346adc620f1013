"""A table without an aggregate: one ruleset, its state and its log, played by moves."""

import random
from typing import Any

import msgspec

from domain import kernel
from domain.kernel import Choice, Event, Move, Ruleset
from events.commands import MoveRequest
from tests.chances import QuickChance, TableChance


class Table:
    """Deals at once, and goes on by itself after every move."""

    def __init__(
        self,
        ruleset: Ruleset[Any],
        chance: TableChance | QuickChance,
        *,
        state: Any = None,
        options: Any = None,
        seats: int | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.chance = chance
        self.log: list[Any] = []
        if state is None:
            state = ruleset.initial(options or ruleset.options(), seats or ruleset.seat_counts[0])
        self.state = state
        if (first := self._consequence(state)) is not None:
            self._append(first)

    def play(self, seat: int, move: Move) -> tuple[Any, ...]:
        """Raises RuleViolation where the move is refused; the table is then as before."""
        return self._append(self.ruleset.accept(self.state, seat, move))

    @property
    def waiting_for(self) -> tuple[int, ...]:
        return self.ruleset.to_act(self.state)

    @property
    def facts(self) -> list[tuple[int, Event]]:
        return list(enumerate(self.log, start=1))

    def _append(self, event: Event) -> tuple[Any, ...]:
        events, self.state = kernel.decide(
            self.state, event, self.ruleset.evolve, self._consequence
        )
        self.log += events
        return events

    def _consequence(self, state: Any) -> Event | None:
        event = self.ruleset.consequence(state, self.chance.next())
        self.chance.note(event)
        return event


def request(move: Move) -> MoveRequest:
    """A move as it is sent."""
    return MoveRequest(msgspec.json.encode(move))


def some_move(ruleset: Ruleset[Any], state: Any, seat: int, rng: random.Random) -> Move:
    """A legal move by chance, from what the ruleset itself says is legal."""
    return filled(ruleset, rng.choice(ruleset.legal_moves(state, seat).moves), rng)


def filled(ruleset: Ruleset[Any], legal: Move | Choice, rng: random.Random) -> Move:
    """The move itself, or one of those a choice describes."""
    if isinstance(legal, Move):
        return legal
    cards = tuple(rng.sample(legal.of, legal.choose))
    move_type = next(m for m in ruleset.moves if m.__struct_config__.tag == legal.type)
    return move_type(answers=legal.answers, cards=cards)  # type: ignore[call-arg]
