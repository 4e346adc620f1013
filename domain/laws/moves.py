"""What is legal is accepted, and nothing else; what is asked is asked once."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import fields, replace

from domain.kernel import Choice, Legal, Move, Ruleset, RuleViolation
from domain.laws.playing import Broken, Played, demand, filled, sample, tag

POOL = 150
"""Of each type of move, as many that some state of the game allowed are tried in every state."""


def only_legal_moves_are_accepted(game: Played) -> None:
    """A candidate move is accepted exactly where it is legal."""
    moves = candidates(game)
    for after, state, seat, _, asked, _ in game.decisions:
        legal = game.ruleset.legal_moves(state, seat)
        for candidate in moves:
            move = replace(candidate, answers=asked[seat])
            if (refusal := refused(game.ruleset, state, seat, move)) is None:
                demand(_is_legal(move, legal), f"seat {seat}: {move} is accepted, not legal", after)
            else:
                why = f"seat {seat}: {move} is legal, and refused by {refusal.rule}"
                demand(not _is_legal(move, legal), why, after)
                _check_sentence(refusal, after)


def every_legal_move_is_accepted(game: Played) -> None:
    """A seat that is asked has a legal move, and each one answers its question and is accepted."""
    stream = game.stream("legal")
    for after, state, seat, _, asked, _ in game.decisions:
        legal = game.ruleset.legal_moves(state, seat).moves
        demand(legal, f"seat {seat} is asked {asked[seat]} and has no legal move", after)
        for one in legal:
            demand(one.answers == asked[seat], f"{one} does not answer {asked[seat]}", after)
            move = filled(game.ruleset, one, stream)
            refusal = refused(game.ruleset, state, seat, move)
            demand(refusal is None, f"seat {seat}: {move} is legal, and refused", after)


def who_is_not_asked_may_nothing(game: Played) -> None:
    """A seat that is not asked has no question and no legal move."""
    for after, state, _, _, asked, _ in game.decisions:
        for seat in set(range(game.seats)) - set(asked):
            question = game.ruleset.question(state, seat)
            demand(question is None, f"seat {seat} need not act, and is asked {question}", after)
            legal = game.ruleset.legal_moves(state, seat)
            demand(legal == Legal(moves=()), f"seat {seat} need not act, and may move", after)


def a_reason_given_is_the_reason(game: Played) -> None:
    """A move that is listed as refused is refused, by that rule and in these words."""
    for after, state, seat, _, asked, _ in game.decisions:
        legal = game.ruleset.legal_moves(state, seat)
        for listed in legal.refused:
            what = f"seat {seat}: {listed.move}"
            demand(listed.move.answers == asked[seat], f"{what} answers no question", after)
            card = getattr(listed.move, "card", None)
            demand(card == listed.card, f"{what} is listed as the card {listed.card}", after)
            demand(not _is_legal(listed.move, legal), f"{what} is legal and refused", after)
            refusal = refused(game.ruleset, state, seat, listed.move)
            reason = None if refusal is None else (refusal.rule, refusal.detail)
            given = (listed.rule, listed.detail)
            demand(reason == given, f"{what} is listed as {given}, and answered {reason}", after)


# --- questions


def no_question_is_asked_twice(game: Played) -> None:
    """No question is asked of a seat again once it is answered."""
    answered: set[tuple[int, str]] = set()
    for decision in game.decisions:
        again = answered & set(decision.asked.items())
        demand(not again, f"asked again: {sorted(again)}", decision.after)
        answered.add((decision.seat, decision.asked[decision.seat]))


def a_question_stays_until_it_is_answered(game: Played) -> None:
    """A question is unchanged by what others do, and gone once it is answered."""
    for after, _, seat, _, asked, asked_after in game.decisions:
        if asked_after is None:
            continue
        demand(asked_after.get(seat) != asked[seat], f"seat {seat} is still asked", after)
        for other in asked.keys() - {seat}:
            changed = f"seat {other} was asked {asked[other]}, now {asked_after.get(other)}"
            demand(asked_after.get(other) == asked[other], changed, after)


def an_answer_states_its_move(game: Played) -> None:
    """The event of a move names its seat and its question, and is decided again from itself."""
    for after, state, seat, move, _, asked_after in game.decisions:
        if asked_after is None:
            continue
        event = game.log[after]
        stated = (getattr(event, "seat", None), getattr(event, "answers", None))
        demand(stated == (seat, move.answers), f"{event} is not by seat {seat}, {move}", after)
        again = (
            game.ruleset.accept(state, seat, one)
            for one in game.ruleset.moves_of(event)
            if refused(game.ruleset, state, seat, one) is None
        )
        demand(event in again, f"{event} does not state the whole move {move}", after)


# --- what is tried


def refused(ruleset: Ruleset[Any], state: Any, seat: int, move: Move) -> RuleViolation | None:
    """Why the rules refuse a move; None where they accept it."""
    try:
        ruleset.accept(state, seat, move)
    except RuleViolation as violation:
        return violation
    return None


def candidates(game: Played) -> list[Move]:
    """One of each move that any state of the game allowed, and each of those with a flaw."""
    stream = game.stream("candidates")
    allowed: dict[bytes, Move] = {}
    for decision in game.decisions:
        for legal in game.ruleset.legal_moves(decision.state, decision.seat).moves:
            move = replace(filled(game.ruleset, legal, stream), answers="")
            allowed.setdefault(msgspec.json.encode(move), move)
    by_type = [[m for m in allowed.values() if type(m) is kind] for kind in game.ruleset.moves]
    kept = [move for moves in by_type for move in sample(moves, POOL, stream)]
    return kept + [bent for moves in by_type for move in moves[:5] for bent in _bent(move)]


def _bent(move: Move) -> Iterator[Move]:
    """The move with one of its values wrong, as far as its type allows that."""
    for field in fields(move):
        for wrong in _wrong(getattr(move, field.name)) if field.name != "answers" else ():
            raw = msgspec.to_builtins(move) | {field.name: wrong}
            try:
                yield msgspec.convert(raw, type(move))
            except msgspec.ValidationError:
                continue


def _wrong(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (-1, value + 1, 10**9)
        case str():
            yield from ("", "1Z", value + value, value.lower())
        case tuple():
            yield from ((), value[:-1], (*value, *value[:1]), (*value[:-1], *value[:1]))
            yield (*value[:-1], "1Z")
        case None:
            yield from (0, "1Z")
        case _:
            return


def _is_legal(move: Move, legal: Legal) -> bool:
    return any(_fits(move, one) if isinstance(one, Choice) else move == one for one in legal.moves)


def _fits(move: Any, choice: Choice) -> bool:
    return (
        tag(type(move)) == choice.type
        and len(move.cards) == len(set(move.cards)) == choice.choose
        and set(move.cards) <= set(choice.of)
    )


def _check_sentence(refusal: RuleViolation, after: int) -> None:
    if not refusal.rule or not refusal.code or not refusal.detail.endswith("."):
        raise Broken(f"a refusal is not a rule, a code and a sentence: {refusal!r}", after)
