"""How far away an ending is: roughly, in actions; and, exactly, whether it is lost for good."""

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from math import inf

from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import Needs
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.reach.alternatives import atoms_now
from domain.rulesets.hamlet_play.reach.relaxation import Effect, Move, Nodes, Relaxation, Step

REMEMBERED = 200
"""Positions whose distances a process keeps, some 10 kB each: views of one table come together."""
RELAXATIONS = 256
"""One for each set of the dead, some 300 kB each, in the worst case of eight personae."""


class Distances:
    """From one position: how many actions each requirement takes, with all seats helping.

    Deletions are ignored. So what is out of reach here is out of reach in play; a finite distance
    is a guess.
    """

    def __init__(self, relaxation: Relaxation, now: frozenset[int]) -> None:
        self._relaxation = relaxation
        self._costs = [inf] * relaxation.size
        self._reached_by: dict[int, tuple[Step, Effect]] = {}
        for atom in now:
            self._costs[atom] = 0.0
        for choice, found in relaxation.choices.items():
            self._costs[choice] = self._least(found)
        self._settle()

    def of(self, needs: Iterable[Needs]) -> float:
        """To where all of them hold; infinite if they never can any more."""
        return sum(self._least(self._relaxation.facts(need)) for need in needs)

    def moves(self, needs: Iterable[Needs]) -> frozenset[Move]:
        """The actions of a plan, deletions ignored, that makes all of them hold."""
        wanted = [node for need in needs for node in self._cheapest(self._relaxation.facts(need))]
        seen: set[int] = set()
        moves = set()
        while wanted:
            node = wanted.pop()
            if node in self._relaxation.choices:
                wanted += self._cheapest(self._relaxation.choices[node])
            elif node in self._reached_by and node not in seen:
                seen.add(node)
                step, effect = self._reached_by[node]
                wanted += [*step.needs, *effect.needs]
                if step.move is not None:
                    moves.add(step.move)
        return frozenset(moves)

    def _cheapest(self, found: tuple[Nodes, ...]) -> Nodes:
        return min(found, key=lambda nodes: sum(self._costs[node] for node in nodes), default=())

    def _least(self, found: tuple[Nodes, ...]) -> float:
        costs = self._costs
        return min([sum([costs[node] for node in nodes]) for nodes in found], default=inf)

    def _settle(self) -> None:
        """Costs only fall; a step is looked at again when something it looks at has."""
        relaxation = self._relaxation
        waiting = deque(range(len(relaxation.steps)))
        queued = [True] * len(relaxation.steps)
        while waiting:
            number = waiting.popleft()
            queued[number] = False
            for atom in self._improved(relaxation.steps[number]):
                for node in (atom, *self._lowered(atom)):
                    for reader in relaxation.readers[node]:
                        if not queued[reader]:
                            queued[reader] = True
                            waiting.append(reader)

    def _improved(self, step: Step) -> list[int]:
        """The atoms that a step brings about more cheaply than anything before."""
        costs, improved = self._costs, []
        cost = step.cost + sum([costs[node] for node in step.needs])
        if cost == inf:
            return []
        for effect in step.effects:
            needs, atom, extra = effect
            total = cost + extra
            if total >= costs[atom]:
                continue
            for node in needs:
                total += costs[node]
            if total < costs[atom]:
                costs[atom] = total
                self._reached_by[atom] = (step, effect)
                improved.append(atom)
        return improved

    def _lowered(self, atom: int) -> list[int]:
        """The choices that have become cheaper because this atom has."""
        lowered = []
        for choice in self._relaxation.watching[atom]:
            cost = self._least(self._relaxation.choices[choice])
            if cost < self._costs[choice]:
                self._costs[choice] = cost
                lowered.append(choice)
        return lowered


def distances(cards: CardSet, board: Board, act: int) -> Distances:
    """From where the table stands in this Act."""
    relaxation = _relaxed(cards, board.dead)
    now = (relaxation.atoms[atom] for atom in atoms_now(cards, board, act))
    return _remembered(relaxation, frozenset(now))


def _relaxed(cards: CardSet, gone: frozenset[str]) -> Relaxation:
    key = cards.digest, gone
    if key not in _relaxations:
        if len(_relaxations) >= RELAXATIONS:
            _relaxations.clear()
        _relaxations[key] = Relaxation(cards, gone)
    return _relaxations[key]


_remembered = lru_cache(REMEMBERED)(Distances)
_relaxations: dict[tuple[str, frozenset[str]], Relaxation] = {}
