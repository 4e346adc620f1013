"""A move names the question it answers, so that no late or repeated request answers another one."""

import re
from itertools import chain

from domain.game.model import Game
from domain.kernel import RuleViolation
from domain.registry import RULESETS

_STEPS = re.compile(r"[0-9]{1,9}")


def open_question(game: Game, seat: int) -> str | None:
    """The question this seat owes an answer to now, or None."""
    if game.status != "playing":
        return None
    return RULESETS[game.ruleset].question(game.state, seat)


def questions(game: Game) -> dict[int, str]:
    """Every seat that owes a move, with its question; public to all."""
    if game.status != "playing":
        return {}
    ruleset = RULESETS[game.ruleset]
    asked = ((seat, ruleset.question(game.state, seat)) for seat in ruleset.to_act(game.state))
    return {seat: question for seat, question in asked if question is not None}


def check_question(game: Game, seat: int, named: str) -> None:
    """Raises RuleViolation already-answered, question-passed or not-your-turn unless it is open."""
    current = open_question(game, seat)
    if named == current:
        return
    for answer in chain.from_iterable(map(reversed, reversed(game.answers))):
        if (answer.seat, answer.question) == (seat, named):
            raise RuleViolation(
                "one-answer",
                "You have answered this question.",
                code="already-answered",
                answered_by=answer.version,
                question=current,
            )
    if _steps(named) < _latest(game, current):
        raise RuleViolation(
            "one-answer",
            "This question has passed.",
            code="question-passed",
            question=current,
        )
    raise RuleViolation(
        "turn", "You are not asked this now.", code="not-your-turn", question=current
    )


def _latest(game: Game, current: str | None) -> tuple[int, ...]:
    """How far the table has come: its open questions, else the last that was answered."""
    reached = [current] if current is not None else list(questions(game).values())
    reached += [piece[-1].question for piece in game.answers[-1:]]
    return max((_steps(question) for question in reached), default=())


def _steps(question: str) -> tuple[int, ...]:
    """The numbers in a question's name, in order: `d3.t7` is (3, 7) and comes after `d3.pass`."""
    return tuple(int(step) for step in _STEPS.findall(question)[:8])
