"""A table of Hamlet! as one viewer sees it: all of it is public but the endings (ruling HP-5)."""

from collections.abc import Callable

import msgspec

from domain.kernel import Seat
from domain.rulesets.hamlet_play.cardset.model import CardSet
from domain.rulesets.hamlet_play.cardset.requirements import COUNTERS, Needs, persona_of
from domain.rulesets.hamlet_play.constants import actions_owed
from domain.rulesets.hamlet_play.engine.legal_actions import allowed_actions
from domain.rulesets.hamlet_play.engine.requirements import holds
from domain.rulesets.hamlet_play.model import HamletPlayState, HeldEnding, Pack, Phase
from domain.rulesets.hamlet_play.reach.distances import distances
from domain.rulesets.hamlet_play.reach.out_of_reach import out_of_reach
from domain.rulesets.hamlet_play.rules import reason, refusing
from domain.rulesets.hamlet_play.scoring import totals
from domain.rulesets.hamlet_play.text.sentences import Names, as_it_is
from domain.scores import Standings, standings
from domain.visibility import Viewer

Reach = Callable[[Needs], bool]


class TrackView(msgspec.Struct, frozen=True, kw_only=True):
    at: int
    min: int
    max: int


class PersonaView(msgspec.Struct, frozen=True, kw_only=True):
    """A card as it lies; names without their persona. `boxes` are those checked, by action."""

    persona: str
    dead: bool
    place: str | None
    tracks: dict[str, TrackView]
    statuses: tuple[str, ...]
    counters: tuple[str, ...]
    boxes: dict[str, int]


class ActionView(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the current player may take an action now, and if not why (to all: "helpful
    players"). `detail` is English, `details` the same in every language of the card set."""

    action: str
    legal: bool
    taken: bool
    rule: str | None
    detail: str | None
    details: dict[str, str]


class LineView(msgspec.Struct, frozen=True, kw_only=True):
    """A line of an ending: whether it holds now, whether it does or can still come to (false is
    certain), and how things stand in it."""

    line: Needs
    holds: bool
    reachable: bool
    now: str


class EndingView(msgspec.Struct, frozen=True, kw_only=True):
    """`reachable` false is certain; true is not."""

    id: str
    lines: tuple[LineView, ...]
    holds: bool
    reachable: bool


class CardSetView(msgspec.Struct, frozen=True, kw_only=True):
    """`loaded`: whether this house has the very set the game is played with."""

    id: str
    digest: str
    loaded: bool


class HamletPlayView(msgspec.Struct, frozen=True, kw_only=True):
    """`ending` is the viewer's own, null for a spectator, and `hand` the same card by its id;
    `current` is null when nobody's Scene is on. `actions` is empty without the card set. A total is
    1 for a win."""

    card_set: CardSetView
    pack: Pack
    phase: Phase
    deal: int
    act: int
    scene: int
    first_player: Seat | None
    current: Seat | None
    actions_owed: int
    taken: tuple[str, ...]
    personae: tuple[PersonaView, ...]
    actions: tuple[ActionView, ...]
    common_ending: EndingView | None
    ending: EndingView | None
    hand: tuple[str, ...] | None
    winners: tuple[Seat, ...] | None
    totals: tuple[int, ...]
    standings: Standings


def view(state: HamletPlayState, viewer: Viewer) -> HamletPlayView:
    cards = state.cards
    playing = state.phase == "scene" and state.scene <= state.seats
    own = viewer.seat is not None and viewer.seat < len(state.endings)
    reach = _reach(state, cards)
    return HamletPlayView(
        card_set=CardSetView(id=state.card_set, digest=state.digest, loaded=cards is not None),
        pack=state.pack,
        phase=state.phase,
        deal=1 if state.act else 0,
        act=state.act,
        scene=min(state.scene, state.seats),
        first_player=state.first_player,
        current=state.current if playing else None,
        actions_owed=actions_owed(state.act, state.seats) if state.act else 0,
        taken=state.taken,
        personae=tuple(_persona(state, persona) for persona in state.personae),
        actions=() if cards is None or not playing or state.goes_on else _actions(state, cards),
        common_ending=None if state.common is None else _ending(state, state.common, cards, reach),
        ending=_ending(state, state.endings[viewer.seat or 0], cards, reach) if own else None,
        hand=_hand(state, viewer),
        winners=state.winners,
        totals=totals(state),
        standings=standings(totals(state), "higher"),
    )


def _reach(state: HamletPlayState, cards: CardSet | None) -> Reach:
    """Whether a line can still come to hold.

    While results happen this is asked of the table as it was before the action: its box is checked
    first, and it is not done yet.
    """
    if state.winners is not None:
        return lambda _: False
    turn = state.turn if state.goes_on else None
    board, act = (state.board, state.act) if turn is None else (turn.board, turn.act)
    now = distances(cards, board, act) if cards is not None and state.endings else None
    return lambda need: not out_of_reach(need, board, act, now)


def _hand(state: HamletPlayState, viewer: Viewer) -> tuple[str, ...] | None:
    if viewer.seat is None:
        return None
    return tuple(ending.id for ending in state.endings[viewer.seat : viewer.seat + 1])


def _persona(state: HamletPlayState, persona: str) -> PersonaView:
    board = state.board
    place = board.places.get(persona)
    return PersonaView(
        persona=persona,
        dead=persona in board.dead,
        place=None if place is None else _own(place),
        tracks={
            _own(ref): TrackView(at=board.tracks[ref], min=laid.min, max=laid.max)
            for ref, laid in state.tracks.items()
            if persona_of(ref) == persona
        },
        statuses=tuple(sorted(_own(ref) for ref in board.statuses if persona_of(ref) == persona)),
        counters=tuple(c for c in COUNTERS if f"{persona}.{c}" in board.counters),
        boxes={
            _own(ref): checked for ref, checked in board.boxes.items() if persona_of(ref) == persona
        },
    )


def _actions(state: HamletPlayState, cards: CardSet) -> tuple[ActionView, ...]:
    allowed = allowed_actions(cards, state.board, state.act, state.taken)
    return tuple(_action(state, cards, ref, ref in allowed) for ref in cards.actions)


def _action(state: HamletPlayState, cards: CardSet, ref: str, legal: bool) -> ActionView:  # noqa: FBT001
    against = None if legal else refusing(state, cards, ref)
    said = (
        {}
        if against is None
        else {
            language: reason(state, cards, ref, against, language) for language in cards.languages
        }
    )
    return ActionView(
        action=ref,
        legal=legal,
        taken=ref in state.taken,
        rule=None if against is None else against.rule,
        detail=said["en"][1] if said else None,
        details={language: detail for language, (_, detail) in said.items()},
    )


def _ending(
    state: HamletPlayState, ending: HeldEnding, cards: CardSet | None, reach: Reach
) -> EndingView:
    names = Names(cards)
    lines = tuple(_line(state, need, names, reach) for need in ending.lines)
    return EndingView(
        id=ending.id,
        lines=lines,
        holds=all(line.holds for line in lines),
        reachable=all(line.reachable for line in lines),
    )


def _line(state: HamletPlayState, need: Needs, names: Names, reach: Reach) -> LineView:
    now = holds(need, state.board, state.act)
    return LineView(
        line=need,
        holds=now,
        reachable=now or reach(need),
        now=as_it_is(need, state.board, state.act, names),
    )


def _own(ref: str) -> str:
    return ref.partition(".")[2]
