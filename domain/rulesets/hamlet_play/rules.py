"""Hamlet!, as its rulebook has it: what may be done, and what the table then does."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.kernel import NOTHING_LEGAL, Legal, Refusal, RuleViolation, Seat
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.engine import dice
from domain.rulesets.hamlet_play.engine.consequences import cards_of, something_follows
from domain.rulesets.hamlet_play.engine.legal_actions import (
    TAKEN,
    Obstacle,
    allowed_actions,
    obstacle,
)
from domain.rulesets.hamlet_play.model import (
    ActionTaken,
    HamletPlayOptions,
    HamletPlayState,
    TakeAction,
)
from domain.rulesets.hamlet_play.text.sentences import Names, as_it_is


def complete_options(
    card_sets: CardSets, options: HamletPlayOptions, seats: int
) -> HamletPlayOptions:
    """The card set by name, version and digest; raises RuleViolation `card-set-missing`."""
    cards = card_sets.chosen(options.card_set, options.card_set_digest)
    return replace(options, card_set=cards.id, card_set_digest=cards.digest)


def initial(card_sets: CardSets, options: HamletPlayOptions, seats: int) -> HamletPlayState:
    """Options that a game was opened with are settled; they need no card set to be loaded."""
    if not options.card_set_digest:
        options = complete_options(card_sets, options, seats)
    return HamletPlayState(
        seats=seats,
        pack=options.endings,
        card_set=options.card_set,
        digest=options.card_set_digest,
        cards=card_sets.lookup(options.card_set, options.card_set_digest),
    )


def max_draws(card_sets: CardSets, options: HamletPlayOptions, seats: int) -> int:
    return dice.most_draws(card_sets.chosen(options.card_set, options.card_set_digest), seats)


# --- who owes what


def to_act(state: HamletPlayState) -> tuple[Seat, ...]:
    return (state.current,) if state.phase == "scene" and not state.goes_on else ()


def question(state: HamletPlayState, seat: Seat) -> str | None:
    if seat not in to_act(state):
        return None
    return f"a{state.act}.s{state.scene}.x{len(state.taken) + 1}"


def legal_moves(state: HamletPlayState, seat: Seat) -> Legal:
    """Nothing where the card set is missing; a move then says so."""
    asked = question(state, seat)
    cards = state.cards
    if asked is None or cards is None:
        return NOTHING_LEGAL
    allowed = allowed_actions(cards, state.board, state.act, state.taken)
    return Legal(
        tuple(move for ref in allowed for move in _moves(cards, ref, asked)),
        tuple(
            _refusal(state, cards, move)
            for ref in cards.actions
            if ref not in allowed
            for move in _moves(cards, ref, asked)
        ),
    )


def _moves(cards: CardSet, ref: str, asked: str) -> Iterator[TakeAction]:
    """One for each choice that the action offers."""
    for option in cards.actions[ref].choose:
        yield TakeAction(answers=asked, action=ref, choice=option.id)
    if not cards.actions[ref].choose:
        yield TakeAction(answers=asked, action=ref)


def _refusal(state: HamletPlayState, cards: CardSet, move: TakeAction) -> Refusal:
    rule, detail = reason(state, cards, move.action, refusing(state, cards, move.action) or TAKEN)
    return Refusal(move=move, rule=rule, detail=detail)


def refusing(state: HamletPlayState, cards: CardSet, ref: str) -> Obstacle | None:
    """Why an action may not be taken now, or None (ruling HP-7)."""
    found = obstacle(cards, state.board, state.act, ref)
    if found is not None or ref not in state.taken:
        return found
    allowed = allowed_actions(cards, state.board, state.act, state.taken)
    return None if ref in allowed else TAKEN


def reason(
    state: HamletPlayState, cards: CardSet, ref: str, against: Obstacle, language: str = "en"
) -> tuple[str, str]:
    """The rule and the sentence behind an obstacle: "Laertes is in France."."""
    names = Names(cards, language)
    if against.need is not None:
        return against.rule, as_it_is(against.need, state.board, state.act, names)
    return against.rule, names.obstacle(against.rule, ref)


# --- what a seat does


def accept(state: HamletPlayState, seat: Seat, move: TakeAction) -> ActionTaken:
    cards = cards_of(state)
    if seat not in to_act(state):
        raise RuleViolation("turn", "You are asked for nothing now.", code="wrong-move")
    if move.action not in cards.actions:
        raise _unknown("There is no such action in this card set.")
    against = refusing(state, cards, move.action)
    if against is not None:
        raise RuleViolation(*reason(state, cards, move.action, against))
    _check_choice(cards, move)
    return ActionTaken(
        act=state.act,
        scene=state.scene,
        number=len(state.taken) + 1,
        seat=seat,
        answers=move.answers,
        action=move.action,
        choice=move.choice,
        goes_on=something_follows(state, cards, state.turn_of(move.action, move.choice)),
    )


def _check_choice(cards: CardSet, move: TakeAction) -> None:
    offered = [option.id for option in cards.actions[move.action].choose]
    if move.choice is None and offered:
        raise _unknown(f"This action has a choice: {', '.join(offered)}.")
    if move.choice is not None and move.choice not in offered:
        raise _unknown("This action has no such choice.")


def _unknown(detail: str) -> RuleViolation:
    return RuleViolation("invalid-action", detail, code="invalid-action")
