"""What the table does by itself: it is set, and after each action things take their course.

An action's course is followed from its start each time, with the dice that have fallen; the next
event is the first one that is not in the log yet. So no event has to say what is still to come.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from domain.chance import Chance, Draw
from domain.kernel import IntegrityError
from domain.rulesets.hamlet_play.cardset.model import CardSet, Ending
from domain.rulesets.hamlet_play.cardset.store import missing
from domain.rulesets.hamlet_play.engine.action_sequence import course, opening_course
from domain.rulesets.hamlet_play.engine.board import opening
from domain.rulesets.hamlet_play.engine.results import DieWanted
from domain.rulesets.hamlet_play.model import (
    EndingsDealt,
    FirstPlayerDrawn,
    Following,
    HamletPlayEvent,
    HamletPlayState,
    HeldEnding,
    Pack,
    PlayStopped,
    StageSet,
    TrackLaid,
    Turn,
)
from domain.visibility import NotKnown

NO_DRAW = Draw(number=0, purpose="")


def consequence(state: HamletPlayState, chance: Chance) -> HamletPlayEvent | None:
    if state.phase == "setting":
        return _setting(state, chance)
    if state.phase == "over" or not state.goes_on:
        return None
    cards = cards_of(state)
    if state.turn is None:
        return next(opening_course(state, cards), None)
    return _next_event(state, cards, state.turn, chance)


def cards_of(state: HamletPlayState) -> CardSet:
    """The set that the game is played with; raises RuleViolation `card-set-missing`."""
    if state.cards is None:
        raise missing(state.card_set)
    return state.cards


# --- the table is set


def _setting(state: HamletPlayState, chance: Chance) -> HamletPlayEvent:
    cards = cards_of(state)
    if not state.personae:
        return _stage_set(cards)
    if not state.endings:
        return _endings_dealt(state, cards, chance)
    seat, draw = chance.pick("first-player", state.seats)
    ready = replace(state, first_player=seat, act=1, scene=1)
    stops = next(opening_course(ready, cards), None) is not None
    return FirstPlayerDrawn(draw=draw, first_player=seat, goes_on=stops)


def _stage_set(cards: CardSet) -> StageSet:
    board = opening(cards)
    return StageSet(
        card_set=cards.id,
        digest=cards.digest,
        personae=tuple(persona.id for persona in cards.personae),
        places=board.places,
        tracks={
            f"{p.id}.{name}": TrackLaid(min=track.min, max=track.max, start=track.start)
            for p in cards.personae
            for name, track in p.tracks.items()
        },
        boxes={ref: action.boxes for ref, action in cards.actions.items() if action.boxes},
    )


def _endings_dealt(state: HamletPlayState, cards: CardSet, chance: Chance) -> EndingsDealt:
    """Ruling HP-5: drawn from the root, never two alike."""
    pack = {ending.id: ending for ending in pack_of(cards, state.pack)}
    order = chance.secret_shuffle("endings", tuple(pack))
    return EndingsDealt(
        common=_held(cards.endings.common),
        endings=tuple(_held(pack[ending]) for ending in order[: state.seats]),
    )


def pack_of(cards: CardSet, pack: Pack) -> tuple[Ending, ...]:
    match pack:
        case "regular":
            return cards.endings.regular
        case "difficult":
            return cards.endings.difficult
        case "mixed":
            return cards.endings.regular + cards.endings.difficult


def _held(ending: Ending) -> HeldEnding:
    return HeldEnding(id=ending.id, lines=ending.lines)


# --- after an action


def something_follows(state: HamletPlayState, cards: CardSet, turn: Turn) -> bool:
    """Whether the table goes on by itself once this action is taken."""
    return _is_there_more(course(state, turn, cards, _Dice(turn, None)))


def _next_event(state: HamletPlayState, cards: CardSet, turn: Turn, chance: Chance) -> Following:
    dice = _Dice(turn, chance)
    following = course(state, turn, cards, dice)
    event = next(islice(following, turn.facts, None), None)
    if event is None:
        raise IntegrityError("nothing follows where the log says that something does")
    if isinstance(event, PlayStopped):
        return event
    dice.chance = None
    return replace(event, goes_on=_is_there_more(following))


def _is_there_more(following: Iterator[Any]) -> bool:
    """What comes may depend on a die, or on endings that who follows the game does not know."""
    try:
        return next(following, None) is not None
    except (DieWanted, NotKnown):
        return True


class _Dice:
    """The dice of a turn: those that have fallen, then one new one, if there is a chance for it."""

    def __init__(self, turn: Turn, chance: Chance | None) -> None:
        self._fallen = iter(turn.faces)
        self.chance = chance

    def __call__(self, purpose: str) -> tuple[int, Draw]:
        face = next(self._fallen, None)
        if face is not None:
            return face, NO_DRAW
        if self.chance is None:
            raise DieWanted
        chance, self.chance = self.chance, None
        return chance.die(purpose)
