"""Hamlet! from the redacted view alone: greedy for its own ending, and in the way of others'.

A move is worth what it takes off the way to the bot's ending (`distances`: actions, deletions
ignored). An ending that is lost for good gives way to the common one. `hard` also looks at what
others may hold: an ending of the pack that stands as the Act draws to its end is worth spoiling.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from domain.chance import below, words
from domain.registry import find
from domain.rulesets.hamlet_play.cardset.model import CardSet, Ending
from domain.rulesets.hamlet_play.cardset.requirements import Needs
from domain.rulesets.hamlet_play.engine.board import Board
from domain.rulesets.hamlet_play.engine.consequences import pack_of
from domain.rulesets.hamlet_play.engine.endings import spared
from domain.rulesets.hamlet_play.engine.requirements import all_hold
from domain.rulesets.hamlet_play.model import HamletPlayOptions
from domain.rulesets.hamlet_play.reach.distances import Distances, distances
from domain.rulesets.hamlet_play.reach.outcomes import possibilities
from domain.rulesets.hamlet_play.reach.relaxation import Move
from workers.bots.uniform import one_of

VERSION = "hamlet-play-1"

Body = dict[str, Any]
Lines = tuple[Needs, ...]

BLUNDERS = {"easy": 30, "normal": 0, "hard": 0}
"""In how many of a hundred moves a level plays anything legal."""
WATCHFUL = {"hard"}
"""The levels that look at what others may hold."""
LOST = 60.0
"""The distance of what is out of reach, in actions."""
STANDS = 3.0
"""What it is worth, in actions, that the own ending stands; another's falls, by its odds."""
TRIED = 8
"""How many moves are tried where none of a plan can be made now."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one seat knows. `left` are the Scenes of this Act after the present one."""

    cards: CardSet
    board: Board
    act: int
    seats: int
    left: int
    own: Lines
    common: Lines
    others: tuple[Lines, ...]
    """The endings of the pack that are not the seat's own."""

    @classmethod
    def of(
        cls,
        cards: CardSet,
        board: Board,
        *,
        act: int,
        seats: int,
        left: int,
        own: str,
        pack: Sequence[Ending],
    ) -> "Seen":
        """`own` is the id of the seat's ending in the pack."""
        return cls(
            cards=cards,
            board=board,
            act=act,
            seats=seats,
            left=left,
            own=next(ending.lines for ending in pack if ending.id == own),
            common=cards.endings.common.lines,
            others=tuple(ending.lines for ending in pack if ending.id != own),
        )


def choose(view: Body, legal: Sequence[Body], seed: bytes) -> Body:
    """The body of a legal move, from what this seat may see, and chance from `seed` alone."""
    stream = words(seed, "bot", "hamlet_play")
    level = view["seats"][view["seat"]]["level"]
    seen = seen_in(view)
    if seen is None or below(100, stream) < BLUNDERS.get(level, 0):
        return one_of(legal, stream)
    moves = {Move(move["action"], move["choice"]): move for move in legal}
    return moves[best(seen, tuple(moves), stream, watchful=level in WATCHFUL)]


def seen_in(view: Body) -> Seen | None:
    """None without the card set, or without an ending of one's own."""
    seats = len(view["seats"])
    cards = find(view["ruleset"]).initial(HamletPlayOptions(**view["options"]), seats).cards
    if cards is None or view["ending"] is None:
        return None
    return Seen.of(
        cards,
        board_of(view["personae"]),
        act=view["act"],
        seats=seats,
        left=seats - view["scene"],
        own=view["ending"]["id"],
        pack=pack_of(cards, view["pack"]),
    )


def board_of(personae: Sequence[Body]) -> Board:
    """The cards on the table, as a view shows them."""

    def refs(kind: str) -> Iterator[str]:
        return (f"{p['persona']}.{name}" for p in personae for name in p[kind])

    return Board(
        dead=frozenset(p["persona"] for p in personae if p["dead"]),
        statuses=frozenset(refs("statuses")),
        counters=frozenset(refs("counters")),
        places={p["persona"]: f"{p['persona']}.{p['place']}" for p in personae if p["place"]},
        tracks={f"{p['persona']}.{n}": t["at"] for p in personae for n, t in p["tracks"].items()},
        boxes={f"{p['persona']}.{n}": count for p in personae for n, count in p["boxes"].items()},
    )


# --- which move


def best(seen: Seen, moves: Sequence[Move], stream: Iterator[int], *, watchful: bool) -> Move:
    """The move of the highest worth; `stream` decides between equals."""
    if len(moves) == 1:
        return moves[0]
    now = distances(seen.cards, seen.board, seen.act)
    goal = aim(seen, now)
    watched = seen.others if watchful else ()
    standing = [lines for lines in watched if stands(seen, seen.board, lines)]
    tried = moves if standing else worth_a_look(now, moves, goal, stream)
    worths = {move: worth(seen, move, goal, standing) for move in tried}
    highest = max(worths.values())
    equals = [move for move in worths if worths[move] > highest - 1e-9]
    return equals[below(len(equals), stream)]


def aim(seen: Seen, now: Distances) -> Lines:
    """The lines to play for: the own ending, else the common one, else none."""
    return next((spared(lines) for lines in (seen.own, seen.common) if now.of(lines) < inf), ())


def worth_a_look(
    now: Distances, moves: Sequence[Move], goal: Lines, stream: Iterator[int]
) -> Sequence[Move]:
    """The moves of a plan towards the goal; where it stands, or none can be made, some others."""
    planned = now.moves(goal)
    return [move for move in moves if move in planned] or some_of(moves, stream)


def some_of(moves: Sequence[Move], stream: Iterator[int]) -> Sequence[Move]:
    left = list(moves)
    return [left.pop(below(len(left), stream)) for _ in range(min(TRIED, len(left)))]


def worth(seen: Seen, move: Move, goal: Lines, standing: Sequence[Lines]) -> float:
    """In actions saved; over all ways the dice may fall."""
    return sum(
        one.odds * worth_of(seen, one.board, goal, standing)
        for one in possibilities(seen.cards, seen.board, seen.act, *move)
    )


def worth_of(seen: Seen, board: Board, goal: Lines, standing: Sequence[Lines]) -> float:
    way = min(LOST, distances(seen.cards, board, seen.act).of(goal)) if goal else 0.0
    won = stands(seen, board, seen.own)
    odds = (seen.seats - 1) / len(seen.others) / (seen.left + 1)
    spoilt = sum(not stands(seen, board, lines) for lines in standing)
    return STANDS * won - way + (0.0 if won else STANDS * odds * spoilt)


def stands(seen: Seen, board: Board, lines: Lines) -> bool:
    """Whether these lines would hold if the Act ended now, when the dying die."""
    return all_hold(lines, board.at_the_end_of_the_act(), seen.act)
