"""A card set without its deletions: what has once been so stays so.

This is the relaxed task of the additive heuristic in planning (Bonet and Geffner, "Planning as
heuristic search", 2001). A *step* is an action with one choice, or what the table does by itself,
with all that it may bring about.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, assert_never

from domain.rulesets.hamlet_play.cardset.model import (
    Action,
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
from domain.rulesets.hamlet_play.cardset.requirements import Needs, persona_of
from domain.rulesets.hamlet_play.reach.alternatives import (
    ALIVE,
    DEAD,
    Alternatives,
    Atom,
    alive,
    alternatives,
    at,
    boxes,
    checked,
    counter,
    dead,
    denials,
    ends,
    every_atom,
    on,
    values,
)

ACTION_COST = 1.0
ROW_COST = 0.5
"""A row of a table takes no action, but a Scene has to end for it."""
WON, TIED = 0.44, 0.12
"""The odds of a duel between equals; they only order plans, what can happen is exact."""


class Move(NamedTuple):
    action: str
    choice: str | None


Nodes = tuple[int, ...]
"""Numbers of things that must all be so: atoms, and choices between sets of atoms."""


class Effect(NamedTuple):
    """An atom that a step may bring about, given what the step needs and these."""

    needs: Nodes
    atom: int
    extra: float
    """What unlikely dice add to the cost."""


class Step(NamedTuple):
    """`move` is None for what the table does by itself."""

    move: Move | None
    cost: float
    needs: Nodes
    effects: tuple[Effect, ...]


class Relaxation:
    """What can still happen while these personae are dead.

    Node n is an atom or, from `len(atoms)` on, a choice: so is one of `choices[n]`. `watching[n]`
    are the choices that node n has a part in, `readers[n]` the steps that look at it.
    """

    def __init__(self, cards: CardSet, gone: frozenset[str]) -> None:
        self._cards = cards
        self._gone = gone
        self.atoms: dict[Atom, int] = {
            atom: number for number, atom in enumerate(every_atom(cards))
        }
        self.choices: dict[int, tuple[Nodes, ...]] = {}
        self._numbers: dict[tuple[Nodes, ...], int] = {}
        self._facts_of: dict[Needs, tuple[Nodes, ...]] = {}
        self.steps = tuple(self._steps())
        size = len(self.atoms) + len(self.choices)
        self.watching: tuple[list[int], ...] = tuple([] for _ in range(size))
        self.readers: tuple[list[int], ...] = tuple([] for _ in range(size))
        for choice, found in self.choices.items():
            for node in {node for nodes in found for node in nodes}:
                self.watching[node].append(choice)
        for number, step in enumerate(self.steps):
            inner = (node for effect in step.effects for node in effect.needs)
            for node in {*step.needs, *inner}:
                self.readers[node].append(number)

    @property
    def size(self) -> int:
        return len(self.watching)

    def facts(self, need: Needs) -> tuple[Nodes, ...]:
        """The alternatives of any requirement, as atoms; none if it can never hold."""
        if need not in self._facts_of:
            self._facts_of[need] = self._numbered(alternatives(self._cards, need))
        return self._facts_of[need]

    def _numbered(self, found: Alternatives) -> tuple[Nodes, ...]:
        """Without what the dead cannot do, and without saying that the living live."""
        return tuple(
            tuple(self.atoms[atom] for atom in facts if atom[0] != ALIVE)
            for facts in found
            if not any(atom[0] != DEAD and persona_of(atom[1]) in self._gone for atom in facts)
        )

    def _needed(self, every: Iterable[Alternatives]) -> Nodes | None:
        """The nodes of conditions that must all hold; None if they cannot."""
        nodes: list[int] = []
        for found in every:
            numbered = self._numbered(found)
            if not numbered:
                return None
            if () not in numbered:
                nodes += numbered[0] if len(numbered) == 1 else (self._choice(numbered),)
        return tuple(dict.fromkeys(nodes))

    def _choice(self, found: tuple[Nodes, ...]) -> int:
        number = self._numbers.setdefault(found, len(self.atoms) + len(self.choices))
        self.choices.setdefault(number, found)
        return number

    # --- steps

    def _steps(self) -> Iterator[Step]:
        for ref, action in self._cards.actions.items():
            stated = (
                ((alive(persona_of(ref)),),),
                *(alternatives(self._cards, need) for need in action.requires),
                *self._box_free(ref, action),
            )
            for option in action.choose:
                results = (*action.results, *option.results)
                yield from self._step(Move(ref, option.id), ACTION_COST, stated, results)
            if not action.choose:
                yield from self._step(Move(ref, None), ACTION_COST, stated, action.results)
        for row in (*self._cards.end_of_scene, *self._cards.end_of_act):
            stated = tuple(alternatives(self._cards, need) for need in row.requires)
            yield from self._step(None, ROW_COST, stated, row.results)
        for persona in self._cards.personae:
            dying = ((counter(f"{persona.id}.dying", yes=True),),)
            yield from self._step(None, 0.0, (dying,), (Kill(persona=persona.id),))

    def _step(
        self,
        move: Move | None,
        cost: float,
        stated: Iterable[Alternatives],
        results: Iterable[Does],
    ) -> Iterator[Step]:
        needs = self._needed(stated)
        if needs is not None:
            own = None if move is None else move.action
            yield Step(move, cost, needs, tuple(self._effects(results, own)))

    def _box_free(self, ref: str, action: Action) -> Iterator[Alternatives]:
        if action.boxes:
            yield tuple((boxes(ref, count),) for count in range(action.boxes))

    def _effects(
        self,
        results: Iterable[Does],
        own: str | None,
        given: tuple[Alternatives, ...] = (),
        odds: float = 1.0,
    ) -> Iterator[Effect]:
        extra = ACTION_COST / odds - ACTION_COST
        for result in results:
            match result:
                case When() | Roll() | RollAgainst() | Duel():
                    for inner, more, chance in self._branches(result):
                        yield from self._effects(inner, own, (*given, *more), odds * chance)
                case _:
                    for facts, atom in self._facts(result, own):
                        needs = self._needed((*given, (facts,)))
                        if needs is not None:
                            yield Effect(needs, self.atoms[atom], extra)

    def _branches(
        self, result: Branching
    ) -> Iterator[tuple[tuple[Does, ...], tuple[Alternatives, ...], float]]:
        """The lists inside a result, on what conditions and how likely each is."""
        match result:
            case When(requires=requires):
                stated = tuple(alternatives(self._cards, need) for need in requires)
                untrue = tuple(one for need in requires for one in denials(self._cards, need))
                yield result.results, stated, 1.0
                yield result.otherwise, (untrue,), 1.0
            case Roll(cases=cases):
                for case in cases:
                    yield case.results, (), len(case.faces) / 6
            case RollAgainst(track=track):
                for value in values(self._cards, track):
                    stands = (((alive(persona_of(track)), on(track, value)),),)
                    higher = sum(face > value for face in range(1, 7))
                    if higher:
                        yield result.above, stands, higher / 6
                    if higher < 6:
                        yield result.otherwise, stands, (6 - higher) / 6
            case Duel(first=first, second=second):
                fit = (((alive(persona_of(first)), alive(persona_of(second))),),)
                yield result.first_wins, fit, WON
                yield result.second_wins, fit, WON
                yield result.tie, fit, TIED
            case _:
                assert_never(result)

    def _facts(  # noqa: C901 - one case for each kind
        self,
        result: Plain,
        own: str | None,
    ) -> Iterator[tuple[tuple[Atom, ...], Atom]]:
        """What a plain result brings about, and given what."""
        match result:
            case CheckBox(action=action):
                ref = action or own or ""
                for count in range(self._cards.actions[ref].boxes):
                    yield (alive(persona_of(ref)), boxes(ref, count)), boxes(ref, count + 1)
            case CheckStatus(status=ref):
                yield (alive(persona_of(ref)),), checked(ref, yes=True)
            case MoveTrack(track=ref, by=by):
                lowest, highest = ends(self._cards, ref)
                for value in values(self._cards, ref):
                    after = min(max(value + by, lowest), highest)
                    if after != value:
                        yield (alive(persona_of(ref)), on(ref, value)), on(ref, after)
            case SetTrack(track=ref, to=to):
                yield (alive(persona_of(ref)),), on(ref, to)
            case MovePersona(place=ref):
                yield (alive(persona_of(ref)),), at(ref)
            case PlaceCounter(counter=ref):
                yield (alive(persona_of(ref)),), counter(ref, yes=True)
            case RemoveCounter(counter=ref):
                yield (alive(persona_of(ref)),), counter(ref, yes=False)
            case Kill(persona=persona):
                yield (), dead(persona)
            case _:
                assert_never(result)
