"""Endings: whether one holds, line by line, and whether it can still be reached."""

from collections.abc import Iterator

from domain.rulesets.hamlet_play.board import Board
from domain.rulesets.hamlet_play.cardset import (
    CardSet,
    CheckBox,
    CheckStatus,
    Does,
    Kill,
    MovePersona,
    PlaceCounter,
)
from domain.rulesets.hamlet_play.model import HeldEnding
from domain.rulesets.hamlet_play.needs import BoxesChecked, Dead, HasCounter, HasStatus, IsAt, Needs
from domain.rulesets.hamlet_play.requirements import all_hold, subjects
from domain.rulesets.hamlet_play.requirements import holds as line_holds
from domain.rulesets.hamlet_play.validation import branches


def holds(ending: HeldEnding, board: Board, act: int) -> bool:
    return all_hold(ending.lines, board, act)


def out_of_reach(need: Needs, board: Board, cards: CardSet | None) -> bool:
    """Whether a line certainly cannot hold any more. What it does not see may be lost all the same.

    The dead stay dead, what is checked stays checked; and nothing is checked, placed or killed but
    by an action whose persona lives and whose boxes are not all checked, or by a row of a table.
    """
    if line_holds(need, board, 0):
        return False
    if _lost_for_good(need, board):
        return True
    return cards is not None and not _can_come_about(need, board, cards)


def _lost_for_good(need: Needs, board: Board) -> bool:
    match need:
        case Dead():
            return False
        case HasStatus(status=status, negated=True) if status in board.statuses:
            return True
        case BoxesChecked(action=action, at_most=int(most)) if board.boxes.get(action, 0) > most:
            return True
        case _:
            return any(persona in board.dead for persona in subjects(need))


def _can_come_about(need: Needs, board: Board, cards: CardSet) -> bool:
    wanted = _wanted(need)
    if not wanted:
        return True
    if any(f"{persona}.dying" in board.counters for persona in _deaths(need)):
        return True
    return any(does & wanted for source, does in _sources(cards) if _lives(source, board, cards))


def _wanted(need: Needs) -> frozenset[str]:
    """What would have to happen once more; empty where it is not traced."""
    match need:
        case Dead(persona=persona):
            return frozenset({f"kill {persona}", f"place {persona}.dying"})
        case HasStatus(status=status, negated=False):
            return frozenset({f"check {status}"})
        case IsAt(place=place, negated=False):
            return frozenset({f"move {place}"})
        case HasCounter(counter=counter, negated=False):
            return frozenset({f"place {counter}"})
        case BoxesChecked(action=action, at_least=int()):
            return frozenset({f"box {action}"})
        case _:
            return frozenset()


def _deaths(need: Needs) -> tuple[str, ...]:
    return (need.persona,) if isinstance(need, Dead) else ()


def _lives(source: str | None, board: Board, cards: CardSet) -> bool:
    """An action that may be possible some day; a row of a table always may."""
    if source is None:
        return True
    if board.is_dead(source):
        return False
    action = cards.actions[source]
    if action.boxes and board.boxes.get(source, 0) >= action.boxes:
        return False
    return not any(_lost_for_good(need, board) for need in action.requires)


def _sources(cards: CardSet) -> Iterator[tuple[str | None, frozenset[str]]]:
    """Each action, and each row of a table as None, with all that it may ever do."""
    for ref, action in cards.actions.items():
        chosen = tuple(result for option in action.choose for result in option.results)
        yield ref, frozenset(_all_done(action.results + chosen, ref))
    for row in (*cards.end_of_scene, *cards.end_of_act):
        yield None, frozenset(_all_done(row.results, None))


def _all_done(results: tuple[Does, ...], own: str | None) -> Iterator[str]:
    for result in results:
        match result:
            case CheckStatus(status=status):
                yield f"check {status}"
            case MovePersona(place=place):
                yield f"move {place}"
            case PlaceCounter(counter=counter):
                yield f"place {counter}"
            case CheckBox(action=action):
                yield f"box {action or own}"
            case Kill(persona=persona):
                yield f"kill {persona}"
            case _:
                for inner in branches(result):
                    yield from _all_done(inner, own)
