"""The aggregate: one game, one stream. What a command brings about, and how events become state."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from domain.chance import Chain, ChainChance, Draw
from domain.game.model import (
    LIFECYCLE_EVENTS,
    AnsweredQuestion,
    Answers,
    CloseGame,
    Command,
    DealRevealed,
    Finished,
    Game,
    HiddenPart,
    Leave,
    Occupant,
    Opened,
    OpenedPart,
    Play,
    SeatBot,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    Sit,
    Started,
)
from domain.game.questions import check_question
from domain.game.seating import (
    accept_bot,
    accept_leave,
    accept_sit,
    check_open,
    check_opener,
    not_playing,
)
from domain.kernel import Event, IntegrityError, Ruleset
from domain.registry import RULESETS, find
from domain.visibility import secret_fields, secret_parts

Step = tuple[Event, Game]
"""An event, and the game after it."""


def already_done_by(game: Game, command: Command) -> int | None:
    """The version that already did what the command asks, where asking again changes nothing."""
    if isinstance(command, Sit) and game.seat_of(command.player) == command.seat:
        occupant = game.seats[command.seat]
        return occupant.since if command.entropy in {None, occupant.entropy} else None
    return None


def decide(game: Game, command: Command, chain: Chain) -> tuple[Step, ...]:
    """The event of a command, then all that follows from it at the table.

    Raises RuleViolation with the rule that refuses it.
    """
    event = accept(game, command, chain)
    game = evolve(game, event)
    return ((event, game), *consequences(game, chain))


def accept(game: Game, command: Command, chain: Chain) -> Event:
    """The event of one command alone; raises RuleViolation."""
    match command:
        case Play(seat=seat, move=move):
            if game.status != "playing":
                raise not_playing(game)
            check_question(game, seat, move.answers)
            return RULESETS[game.ruleset].accept(game.state, seat, move)
        case Sit():
            return accept_sit(game, command)
        case SeatBot():
            return accept_bot(game, command)
        case Leave():
            return accept_leave(game, command)
        case CloseGame(player=player):
            check_open(game)
            check_opener(game, player)
            return _finished(game, chain, "closed")
        case _:
            assert_never(command)


def consequence(game: Game, chain: Chain) -> Event | None:
    """What the table now does by itself: start, reveal what has ended, finish, or play on."""
    if game.status == "finished":
        return None
    if game.status == "open":
        if any(occupant.kind in {"open", "reserved"} for occupant in game.seats):
            return None
        return Started(entropy=tuple(occupant.entropy for occupant in game.seats))
    if game.draw_ended and game.secret_draw is not None:
        return _revealed(game, game.secret_draw, chain)
    ruleset = RULESETS[game.ruleset]
    if not ruleset.to_act(game.state) and ruleset.outcome(game.state) is not None:
        return _finished(game, chain, "outcome")
    return ruleset.consequence(game.state, _next_chance(game, ruleset, chain))


def new_game(opened: Opened) -> Game:
    """The state after the first entry."""
    ruleset = find(opened.ruleset)
    options = msgspec.convert(opened.options, ruleset.options)
    return Game(
        ruleset=opened.ruleset,
        version=1,
        status="open",
        opener=opened.opener,
        options=options,
        commitment=opened.commitment,
        script=opened.script,
        scripted_deals=tuple(
            msgspec.convert(deal, ruleset.scripted_deal) for deal in opened.scripted_deals
        ),
        seats=tuple(
            Occupant(kind=plan.kind, player=plan.player, level=plan.level, since=1)
            for plan in opened.seats
        ),
        entropy=(),
        state=ruleset.initial(options, len(opened.seats)),
        draws=0,
        secret_draw=None,
        draw_ended=False,
        hidden=tuple(
            HiddenPart(1, part) for part in secret_parts(opened, None) if part.path != "/root"
        ),
        answers=(),
        outcome=None,
    )


def evolve(game: Game, event: Event) -> Game:
    """The state after one more event. Applies facts; raises IntegrityError on an impossible one."""
    if game.status == "finished":
        raise IntegrityError("a finished game goes on")
    if type(event) not in LIFECYCLE_EVENTS:
        return _evolve_table(game, event)
    return _evolve_lifecycle(game, event)


def _evolve_lifecycle(game: Game, event: Event) -> Game:
    version = game.version + 1
    match event:
        case SeatTaken(seat=seat, player=player, level=level, entropy=entropy):
            taken = Occupant(
                kind="bot" if player is None else "player",
                player=player,
                level=level,
                entropy=entropy,
                since=version,
            )
            return replace(game, version=version, seats=_seated(game, seat, taken))
        case SeatLeft(seat=seat, player=player, level=level):
            left = Occupant(kind="open", since=version)
            if level is not None:
                left = Occupant(kind="bot", level=level, former=player, since=version)
            return replace(game, version=version, seats=_seated(game, seat, left))
        case SeatResumed(seat=seat, player=player):
            back = Occupant(kind="player", player=player, since=version)
            return replace(game, version=version, seats=_seated(game, seat, back))
        case Started(entropy=entropy):
            return replace(game, version=version, status="playing", entropy=entropy)
        case DealRevealed():
            kept = tuple(h for h in game.hidden if h.part.until != event.draw)
            return replace(game, version=version, secret_draw=None, draw_ended=False, hidden=kept)
        case Finished(outcome=outcome):
            return replace(game, version=version, status="finished", outcome=outcome, hidden=())
        case _:
            raise IntegrityError("a game is opened once")


def _evolve_table(game: Game, event: Any) -> Game:
    """A ruleset's event: its own state, the draw it records, the question it answers."""
    if game.status != "playing":
        raise IntegrityError("play outside a started and unfinished game")
    ruleset, kind, version = RULESETS[game.ruleset], type(event), game.version + 1
    if kind not in ruleset.events:
        raise IntegrityError("an event of another game")
    shape = _shape(kind)
    if shape.is_of_a_draw:
        game = _with_draw(game, event, shape)
    answers = game.answers
    if shape.answers:
        answers = _with_answer(answers, AnsweredQuestion(event.seat, event.answers, version))
    state = ruleset.evolve(game.state, event)
    return replace(game, version=version, state=state, answers=answers)


def _with_draw(game: Game, event: Any, shape: "_Shape") -> Game:
    """The draw that an event records, what it hides until that is revealed, and the end of it."""
    draws, secret_draw, hidden = game.draws, game.secret_draw, game.hidden
    draw: Draw | None = event.draw if shape.draws else None
    if draw is not None:
        if draw.number != draws + 1 or secret_draw is not None:
            raise IntegrityError("a draw is out of order")
        draws += 1
        secret_draw = draws if draw.link is None else None
    if shape.hides:
        parts = secret_parts(event, secret_draw)
        hidden += tuple(HiddenPart(game.version + 1, part) for part in parts)
    ended = game.draw_ended or event.ends_draw
    return replace(game, draws=draws, secret_draw=secret_draw, draw_ended=ended, hidden=hidden)


def _with_answer(answers: Answers, answer: AnsweredQuestion) -> Answers:
    """One more. Equal pieces become one, as in counting by twos: most states share what they hold,
    where a single tuple would be copied for each of them."""
    last: tuple[AnsweredQuestion, ...] = (answer,)
    while answers and len(answers[-1]) == len(last):
        answers, last = answers[:-1], answers[-1] + last
    return (*answers, last)


class _Shape(NamedTuple):
    """What an event of one type does beside changing the table."""

    draws: bool
    answers: bool
    hides: bool
    is_of_a_draw: bool


@cache
def _shape(event_type: type[Event]) -> _Shape:
    fields = event_type.__struct_fields__
    draws, hides = "draw" in fields, bool(secret_fields(event_type))
    return _Shape(draws, "answers" in fields, hides, draws or hides or event_type.ends_draw)


def consequences(game: Game, chain: Chain) -> Iterator[Step]:
    """All that the table does by itself from here on."""
    while (event := consequence(game, chain)) is not None:
        game = evolve(game, event)
        yield event, game


def _next_chance(game: Game, ruleset: Ruleset[Any], chain: Chain) -> ChainChance:
    script: Callable[[], Mapping[str, Any]] = dict
    if (plan := game.script) is not None:
        script = cache(
            lambda: ruleset.script_draws(
                game.options, len(game.seats), plan.first_deal, game.scripted_deals
            )
        )
    entropy = tuple(bytes.fromhex(given or "") for given in game.entropy)
    return ChainChance(chain, game.draws + 1, entropy, script)


def _revealed(game: Game, draw: int, chain: Chain) -> DealRevealed:
    ended = tuple(h for h in game.hidden if h.part.until == draw)
    return DealRevealed(draw=draw, link=chain.links[draw].hex(), parts=_opened(ended))


def _finished(game: Game, chain: Chain, reason: Any) -> Finished:
    result = RULESETS[game.ruleset].outcome(game.state) if reason == "outcome" else None
    return Finished(
        reason=reason, outcome=result, root=chain.root.hex(), parts=_opened(game.hidden)
    )


def _opened(hidden: tuple[HiddenPart, ...]) -> tuple[OpenedPart, ...]:
    return tuple(
        OpenedPart(version=h.version, path=h.part.path, value=h.part.value) for h in hidden
    )


def _seated(game: Game, seat: int, occupant: Occupant) -> tuple[Occupant, ...]:
    if not 0 <= seat < len(game.seats):
        raise IntegrityError("there is no such seat")
    return (*game.seats[:seat], occupant, *game.seats[seat + 1 :])
