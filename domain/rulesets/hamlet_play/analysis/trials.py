"""Games that no log keeps: move by move for a search, at random for a trial of a card set."""

from domain.chance import Chance, TrialChance, below, words
from domain.kernel import decide
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.engine.consequences import consequence
from domain.rulesets.hamlet_play.engine.legal_actions import allowed_actions
from domain.rulesets.hamlet_play.evolve import evolve
from domain.rulesets.hamlet_play.model import (
    HamletPlayEvent,
    HamletPlayOptions,
    HamletPlayState,
    Pack,
    TakeAction,
)
from domain.rulesets.hamlet_play.reach.relaxation import Move
from domain.rulesets.hamlet_play.rules import accept, initial, question
from domain.rulesets.hamlet_play.scoring import score_lines


def begun(cards: CardSet, seats: int, pack: Pack, chance: Chance) -> HamletPlayState:
    """A table up to the first question."""
    options = HamletPlayOptions(endings=pack, card_set=cards.id, card_set_digest=cards.digest)
    state = initial(CardSets((cards,)), options, seats)
    while (event := consequence(state, chance)) is not None:
        state = evolve(state, event)
    return state


def moves_of(cards: CardSet, state: HamletPlayState) -> tuple[Move, ...]:
    """Every legal move of the current player; none when the game is over."""
    if state.winners is not None:
        return ()
    return tuple(
        Move(ref, option)
        for ref in allowed_actions(cards, state.board, state.act, state.taken)
        for option in (*(one.id for one in cards.actions[ref].choose),) or (None,)
    )


def after(state: HamletPlayState, move: Move, chance: Chance) -> HamletPlayState:
    """The table after an action, and all that follows from it."""
    seat = state.current
    answered = TakeAction(
        answers=question(state, seat) or "", action=move.action, choice=move.choice
    )
    event: HamletPlayEvent = accept(state, seat, answered)
    return decide(state, event, evolve, lambda now: consequence(now, chance))[1]


def wander(cards: CardSet, seats: int, seed: bytes) -> int:
    """Plays one game, each legal move as likely, to its end; the number of Scenes.

    Raises whatever the engine raises.
    """
    stream, scenes = words(seed, "bot", "wander"), 1
    chance = TrialChance(seed)
    state = begun(cards, seats, "mixed", chance)
    while moves := moves_of(cards, state):
        scene = state.act, state.scene
        state = after(state, moves[below(len(moves), stream)], chance)
        scenes += (state.act, state.scene) != scene and state.winners is None
    score_lines(state)
    return scenes
