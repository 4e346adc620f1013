"""Whole games of legal moves by chance, for the laws to look at. The same seed, the same game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from domain.chance import Chain, ChainChance, below, permuted, words
from domain.kernel import Choice, Event, Legal, Move, Ruleset

LONGEST = 20_000
"""Events after which a game is taken to be one that does not end."""

Asked = dict[int, str]


class Broken(Exception):
    """A law that does not hold: what was found, and after how many events of the game."""

    def __init__(self, detail: str, after: int | None = None) -> None:
        super().__init__(detail if after is None else f"after event {after}: {detail}")


def demand(holds: object, detail: str, after: int | None = None) -> None:
    """Raises Broken unless it holds."""
    if not holds:
        raise Broken(detail, after)


class Decision(NamedTuple):
    """A state in which a seat answered, what was asked of whom, and what was asked after it.

    `after` is the number of events before it; `asked_after` is None where the answer failed.
    """

    after: int
    state: Any
    seat: int
    move: Move
    asked: Asked
    asked_after: Asked | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game to its end, or to the `fault` that it stopped at. `states[n]` is after n events."""

    ruleset: Ruleset[Any]
    seats: int
    seed: int
    options: Any
    log: tuple[Any, ...]
    states: tuple[Any, ...]
    decisions: tuple[Decision, ...]
    fault: str | None

    @property
    def end(self) -> Any:
        return self.states[-1]

    @property
    def facts(self) -> list[tuple[int, Event]]:
        return list(enumerate(self.log, start=1))

    def stream(self, purpose: str) -> Iterator[int]:
        return stream_of(self.ruleset, self.seats, self.seed, purpose)


def stream_of(ruleset: Ruleset[Any], seats: int, seed: int, purpose: str) -> Iterator[int]:
    return words(f"{ruleset.id} {seats} {seed}".encode(), "draw", "laws", purpose)


def asked_in(ruleset: Ruleset[Any], state: Any) -> Asked:
    return {seat: str(ruleset.question(state, seat)) for seat in ruleset.to_act(state)}


def play(ruleset: Ruleset[Any], seats: int, seed: int) -> Played:
    """A whole game; of several seats to act, any may be the next. What stops it is its fault."""
    game = _Game(ruleset, seats, seed)
    fault = None
    try:
        game.play_out()
    except Exception as error:  # noqa: BLE001 - whatever the rules do, it is for the laws to tell
        fault = f"{type(error).__name__}: {error}"
    return Played(
        ruleset=ruleset,
        seats=seats,
        seed=seed,
        options=game.options,
        log=tuple(game.log),
        states=tuple(game.states),
        decisions=tuple(game.decisions),
        fault=fault,
    )


class _Game:
    """A game as it is played: every event with the state after it."""

    def __init__(self, ruleset: Ruleset[Any], seats: int, seed: int) -> None:
        self.ruleset = ruleset
        self.options = ruleset.complete_options(ruleset.options(), seats)
        self.states = [ruleset.initial(self.options, seats)]
        self.log: list[Any] = []
        self.decisions: list[Decision] = []
        self._chance = Chances(ruleset, seats, seed)
        self._stream = stream_of(ruleset, seats, seed, "moves")

    def play_out(self) -> None:
        self._follow()
        while not self._is_over and (asked := asked_in(self.ruleset, self.states[-1])):
            self._answer(asked)

    @property
    def _is_over(self) -> bool:
        return self.ruleset.outcome(self.states[-1]) is not None

    def _answer(self, asked: Asked) -> None:
        state = self.states[-1]
        seat = one_of(sorted(asked), self._stream)
        move = some_move(self.ruleset, self.ruleset.legal_moves(state, seat), self._stream)
        decision = Decision(len(self.log), state, seat, move, asked, None)
        self.decisions.append(decision)
        self._append(self.ruleset.accept(state, seat, move))
        self._follow()
        after = asked_in(self.ruleset, self.states[-1])
        self.decisions[-1] = decision._replace(asked_after=after)

    def _follow(self) -> None:
        while not self._is_over and (event := self._consequence()) is not None:
            self._append(event)

    def _consequence(self) -> Event | None:
        return self.ruleset.consequence(self.states[-1], self._chance.next())

    def _append(self, event: Event) -> None:
        if len(self.log) == LONGEST:
            raise Broken(f"it has not ended after {LONGEST} events")
        self._chance.note(event)
        self.states.append(self.ruleset.evolve(self.states[-1], event))
        self.log.append(event)


class Chances:
    """Draw after draw of one chain, as the aggregate hands them to a rule set."""

    def __init__(self, ruleset: Ruleset[Any], seats: int, seed: int, drawn: int = 0) -> None:
        self._chain = _chain(f"laws-{ruleset.id}-{seats}", seed)
        self.drawn = drawn

    def next(self) -> ChainChance:
        return ChainChance(self._chain, self.drawn + 1, (), dict)

    def note(self, event: object) -> None:
        """An event that records a draw has used it up."""
        self.drawn += getattr(event, "draw", None) is not None


@lru_cache(maxsize=4)
def _chain(game: str, seed: int) -> Chain:
    return Chain.derive(game, str(seed).encode().rjust(32, b"."))


# --- moves


def one_of(items: Sequence[Any], stream: Iterator[int]) -> Any:
    return items[below(len(items), stream)]


def sample(items: Sequence[Any], count: int, stream: Iterator[int]) -> tuple[Any, ...]:
    """At most so many different ones, in a random order."""
    return permuted(items, stream)[:count]


def some_move(ruleset: Ruleset[Any], legal: Legal, stream: Iterator[int]) -> Move:
    if not legal.moves:
        raise Broken("a seat is asked and has no legal move")
    return filled(ruleset, one_of(legal.moves, stream), stream)


def filled(ruleset: Ruleset[Any], legal: Move | Choice, stream: Iterator[int]) -> Move:
    """The move itself, or one of those a choice describes."""
    if isinstance(legal, Move):
        return legal
    move_type = next(m for m in ruleset.moves if tag(m) == legal.type)
    cards = sample(legal.of, legal.choose, stream)
    return move_type(answers=legal.answers, cards=cards)  # type: ignore[call-arg]


def tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)
