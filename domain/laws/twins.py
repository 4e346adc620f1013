"""Two games of which a viewer has been told the same, and which differ.

They are made of one game by another order of a secret shuffle, or by another secret answer, and
played on alike for as long as the viewer is told the same of both.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec

from domain.chance import Chance, Draw, below
from domain.kernel import Choice, Event, Move
from domain.laws.playing import Chances, Played, asked_in, filled, one_of, sample
from domain.visibility import SPECTATOR, Viewer, redact, secret_parts

T = TypeVar("T")

STARTS, TRIES, EACH = 6, 24, 4
"""Of how many events each viewer is given twins, how often that is tried, and how many of each."""
FAR, NEAR = 24, 6
"""Events for which the first twins of a start are played on, and the others."""


class Side(NamedTuple):
    """One of two twins: its state, and the values that are sealed until the open draw ends."""

    state: Any
    sealed: tuple[Any, ...] = ()


class Twins(NamedTuple):
    """For `after` events they were one game; `is_open` while a secret draw is.

    They are played on for so many `steps`; `drawn` draws are behind them.
    """

    after: int
    steps: int
    viewer: Viewer
    one: Side
    other: Side
    is_open: bool
    drawn: int


def all_twins(game: Played) -> Iterator[Twins]:
    """Pairs of states that a spectator or a seat has been told the same of."""
    stream = game.stream("twins")
    hiding = [after for after, event in enumerate(game.log) if secret_parts(event, 1)]
    begun = list(_draws_before(game))
    for viewer in (SPECTATOR, *(Viewer(seat) for seat in range(game.seats))):
        for after in sample(hiding, STARTS, stream):
            start, (is_open, drawn) = Side(game.states[after]), begun[after]
            origin = Twins(after, NEAR, viewer, start, start, is_open, drawn)
            twins = filter(None, (_twins(game, origin, e) for e in _others(game, origin, stream)))
            for number, found in enumerate(islice(twins, EACH)):
                yield found._replace(steps=NEAR if number else FAR)


def _twins(game: Played, origin: Twins, twin: Event) -> Twins | None:
    """What becomes of an event and its twin, unless they are the same or the viewer is told so."""
    event = game.log[origin.after]
    return None if twin == event else _after(game, origin, event, twin)


def told(event: Event, viewer: Viewer) -> Any:
    """An event as its entry shows it to a viewer, without seals; those are alike to anybody."""
    plain = msgspec.to_builtins(event)
    known = {part.path for part in redact(secret_parts(event, 1), viewer)}
    for part in secret_parts(event, 1):
        if part.path not in known:
            name, _, place = part.path[1:].partition("/")
            if place:
                plain[name] = [*plain[name][: int(place)], None, *plain[name][int(place) + 1 :]]
            else:
                plain[name] = None
    return plain


def _others(game: Played, origin: Twins, stream: Iterator[int]) -> Iterator[Event]:
    """Events that might have come in the place of the next one."""
    state, event = origin.one.state, game.log[origin.after]
    if hasattr(event, "answers"):
        legal = game.ruleset.legal_moves(state, event.seat)
        for _ in range(TRIES):
            move = filled(game.ruleset, one_of(legal.moves, stream), stream)
            yield game.ruleset.accept(state, event.seat, move)
        return
    for _ in range(TRIES):
        chance = _Twisted(Chances(game.ruleset, game.seats, game.seed, origin.drawn).next(), stream)
        twin = game.ruleset.consequence(state, chance)
        if twin is not None and type(twin) is type(event):
            yield twin


class _Twisted:
    """The same chance, but that two places of each hidden order have changed theirs."""

    def __init__(self, chance: Chance, stream: Iterator[int]) -> None:
        self._chance = chance
        self._stream = stream

    def shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[tuple[T, ...], Draw]:
        order, draw = self._chance.shuffle(purpose, deck)
        return self._twisted(order), draw

    def secret_shuffle(self, purpose: str, deck: Sequence[T]) -> tuple[T, ...]:
        return self._twisted(self._chance.secret_shuffle(purpose, deck))

    def pick(self, purpose: str, n: int) -> tuple[int, Draw]:
        return self._chance.pick(purpose, n)

    def die(self, purpose: str) -> tuple[int, Draw]:
        return self._chance.die(purpose)

    def _twisted(self, order: tuple[T, ...]) -> tuple[T, ...]:
        cards = list(order)
        one, other = (below(len(cards), self._stream) for _ in range(2))
        cards[one], cards[other] = cards[other], cards[one]
        return tuple(cards)


def _draws_before(game: Played) -> Iterator[tuple[bool, int]]:
    """At each event whether a secret draw is open, and how many draws there were."""
    is_open, drawn = False, 0
    for event in game.log:
        yield is_open, drawn
        drawn += _draws(event)
        is_open = (is_open or _is_secret(event)) and not event.ends_draw


def _draws(event: Event) -> int:
    return int(getattr(event, "draw", None) is not None)


def _is_secret(event: Event) -> bool:
    """Whether a draw begins with it whose link is not given."""
    draw: Draw | None = getattr(event, "draw", None)
    return draw is not None and draw.link is None


def played_on(game: Played, twins: Twins) -> Iterator[Twins]:
    """The twins after each further event, until the viewer is told them apart."""
    stream = game.stream(f"twins after {twins.after}")
    chances = Chances(game.ruleset, game.seats, game.seed, twins.drawn)
    for _ in range(twins.steps):
        events = _consequences(game, twins, chances) or _answers(game, twins, stream)
        later = events and _after(game, twins, *events)
        if not events or not later:
            return
        chances.note(events[0])
        twins = later
        yield twins


def _consequences(game: Played, twins: Twins, chances: Chances) -> tuple[Event, Event] | None:
    """What the table does in both; None where it does nothing in one of them."""
    one, other = (
        game.ruleset.consequence(side.state, chances.next()) for side in (twins.one, twins.other)
    )
    return None if one is None or other is None else (one, other)


def _answers(game: Played, twins: Twins, stream: Iterator[int]) -> tuple[Event, Event] | None:
    """What one seat answers in both, where there is something it may answer in both."""
    states = twins.one.state, twins.other.state
    asked = [asked_in(game.ruleset, state) for state in states]
    if not asked[0] or asked[0] != asked[1]:
        return None
    seat = one_of(sorted(asked[0]), stream)
    one, other = (game.ruleset.legal_moves(state, seat).moves for state in states)
    move = _in_both(game, one, other, stream)
    if move is None:
        return None
    first, second = (game.ruleset.accept(state, seat, move) for state in states)
    return first, second


def _in_both(
    game: Played, one: Sequence[Any], other: Sequence[Any], stream: Iterator[int]
) -> Move | None:
    common: list[Any] = [move for move in one if move in other and isinstance(move, Move)]
    for choice in (choice for choice in one if isinstance(choice, Choice)):
        alike = (c for c in other if isinstance(c, Choice) and c.type == choice.type)
        of = {card for twin in alike for card in twin.of}
        both = tuple(card for card in choice.of if card in of)
        if len(both) >= choice.choose:
            common.append(msgspec.structs.replace(choice, of=both))
    return filled(game.ruleset, one_of(common, stream), stream) if common else None


def _after(game: Played, twins: Twins, one: Event, other: Event) -> Twins | None:
    """The twins after these; None where the viewer is told them apart by it."""
    if told(one, twins.viewer) != told(other, twins.viewer):
        return None
    is_open = twins.is_open or _is_secret(one)
    sides = [
        Side(game.ruleset.evolve(side.state, event), side.sealed + _sealed(event, is_open=is_open))
        for side, event in ((twins.one, one), (twins.other, other))
    ]
    if one.ends_draw:
        if sides[0].sealed != sides[1].sealed:
            return None
        is_open, sides = False, [Side(side.state) for side in sides]
    drawn = twins.drawn + _draws(one)
    return twins._replace(one=sides[0], other=sides[1], is_open=is_open, drawn=drawn)


def _sealed(event: Event, *, is_open: bool) -> tuple[Any, ...]:
    parts = secret_parts(event, 1 if is_open else None)
    return tuple(part.value for part in parts if part.until != "game")
