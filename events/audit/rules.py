"""Every command of a log decided again, by the rules, from the state before it."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from domain.chance import Chain
from domain.game import aggregate
from domain.game.model import (
    TABLE,
    Actor,
    CloseGame,
    Command,
    Finished,
    Game,
    Leave,
    Opened,
    OpenGame,
    Play,
    Script,
    SeatBot,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    Sit,
)
from domain.game.opening import open_game
from domain.game.seating import acting_seat
from domain.kernel import Event, RuleViolation
from domain.registry import find
from domain.visibility import NotKnown
from events.audit.keys import parts_in
from events.audit.parsing import Line
from events.audit.replay import Replay, commands, stated
from events.audit.report import Failed, NotRevealed, entry
from events.log.entry import Origin, make_entry, same_event


def check_rules(found: Replay) -> str:
    """Each command gives exactly the entries that are there, byte for byte, and no others.

    While the game goes on: each entry that depends on nothing hidden. Where the log cannot be
    followed to its end, a fault before that place is the one that is told.
    """
    if found.finished and (found.stop is None or found.secrets.root is None):
        found.whole()
    chain, count, seen = found.secrets.chain, 0, set[str]()
    for lines in commands(found.lines[: len(found.states)]):
        head = lines[0].head
        with entry(head.version):
            if head.command in seen:
                raise Failed(head.version, "a command id comes back", found=head.command)
            seen.add(head.command)
            if head.causation is not None:
                raise Failed(head.version, "a command begins with what follows from another")
            _check_command(found, lines, chain)
            count += 1
    if found.stop is not None:
        raise found.stop
    if not found.finished:
        raise NotRevealed(f"{count} commands; the rest is not out yet")
    return f"{count} commands"


def _check_command(found: Replay, lines: list[Line], chain: Chain) -> None:
    for line in lines:
        with entry(line.version), suppress(NotKnown):
            _check_entry(found, line, lines[0], chain)
    last = lines[-1].version
    if last == len(found.states) and (found.stop is not None or not found.finished):
        return  # there may be more of it
    with entry(last), suppress(NotKnown):
        following = aggregate.consequence(found.before(last), chain)
        if following is not None:
            raise Failed(
                last + 1, "the command brings about one more entry", expected=stated(following)
            )


def _check_entry(found: Replay, line: Line, first: Line, chain: Chain) -> None:
    """Raises NotKnown where it depends on what is hidden."""
    place = line.version - 1
    event = found.events[place]
    if line is first:
        decided = _accepted(found, place, line.head.actor, chain)
    else:
        following = aggregate.consequence(found.before(place), chain)
        if following is None:
            raise Failed(line.version, "the rules add no such entry", found=stated(event))
        decided = following
    if not _is_same(found, place, decided):
        raise Failed(
            line.version,
            "the rules decide otherwise",
            expected=stated(decided),
            found=stated(event),
        )
    if found.is_out(place):
        _check_bytes(found, line, first, event, chain)


def _is_same(found: Replay, place: int, decided: Event) -> bool:
    """Of an event that is not out its type is all that can be compared."""
    event = found.events[place]
    return type(event) is type(decided) and (not found.is_out(place) or same_event(event, decided))


def _check_bytes(found: Replay, line: Line, first: Line, event: Event, chain: Chain) -> None:
    """The entry made again is the one that is there: envelope, data, seals and all."""
    if line.head.schema != type(event).schema or (not found.finished and any(parts_in(line))):
        return
    follows = line.version > first.version
    origin = Origin(
        actor=TABLE if follows else first.head.actor,
        command=first.head.command,
        correlation=first.head.correlation,
        at=first.head.at,
        causation=first.version if follows else None,
    )
    draw = found.states[line.version - 1].secret_draw
    again = make_entry(event, origin, chain, line.version, b"", draw)
    if again.public != line.public:
        raise Failed(
            line.version,
            "the entry is not written as this event under this command is",
            expected=again.public.decode(),
            found=line.public.decode(),
        )


def _accepted(found: Replay, place: int, actor: Actor, chain: Chain) -> Event:
    """The first event of the command behind entry `place`. Raises RuleViolation, Failed."""
    event = found.events[place]
    if isinstance(event, Opened):
        _check_actor(place + 1, actor, Actor(kind="player", id=event.opener))
        if not found.script:
            raise NotKnown("the script is not out")
        return open_game(_opening(event), chain)[0][0]
    game = found.before(place)
    refusal: RuleViolation | None = None
    for command in _commands(game, event, place + 1):
        _check_actor(place + 1, actor, _sender(game, command, actor))
        try:
            accepted = aggregate.accept(game, command, chain)
        except RuleViolation as violation:
            refusal = violation
        else:
            if _is_same(found, place, accepted):
                return accepted
    if refusal is not None:
        raise refusal
    raise Failed(place + 1, "no command brings this entry about", found=stated(event))


def _opening(event: Opened) -> OpenGame:
    script = None
    if event.script is not None:
        deals = tuple(msgspec.to_builtins(deal) for deal in event.scripted_deals)
        script = Script(first_deal=event.script.first_deal, deals=deals)
    return OpenGame(
        opener=event.opener,
        ruleset=event.ruleset,
        options=event.options,
        seats=event.seats,
        script=script,
    )


def _commands(game: Game, event: Event, version: int) -> Iterator[Command]:
    """The commands that `event` can be the accepted form of."""
    match event:
        case SeatTaken(player=None, seat=seat, level=level) if level is not None:
            yield SeatBot(player=game.opener, seat=seat, level=level)
        case SeatTaken(player=str(sitter), seat=seat, entropy=entropy):
            yield Sit(player=sitter, seat=seat, entropy=entropy)
        case SeatLeft(player=leaver, seat=seat, level=level):
            yield Leave(player=leaver, seat=seat, level=level or "normal")
        case SeatResumed(player=former, seat=seat):
            yield Sit(player=former, seat=seat)
        case Finished():
            yield CloseGame(player=game.opener)
        case _:
            mover = getattr(event, "seat", None)
            if not isinstance(mover, int) or not 0 <= mover < len(game.seats):
                raise Failed(version, "an entry that nobody at the table brought about")
            for move in find(game.ruleset).moves_of(event):
                yield Play(seat=mover, move=move)


def _sender(game: Game, command: Command, actor: Actor) -> Actor:
    """Whose command it must be; a move is that of whoever has the seat now.

    Which program played for a bot, and whether it was the fallback, is for the actor to say.
    """
    if not isinstance(command, Play):
        seat = acting_seat(game, command, command.player)
        return Actor(kind="player", id=command.player, seat=seat)
    has = game.seats[command.seat]
    if has.kind != "bot":
        return Actor(kind="player", id=has.player, seat=command.seat)
    return Actor(
        kind="bot", seat=command.seat, level=has.level, bot=actor.bot, fallback=actor.fallback
    )


def _check_actor(version: int, actor: Actor, expected: Actor) -> None:
    if actor != expected:
        raise Failed(
            version,
            "this actor may not do this",
            expected=msgspec.to_builtins(expected),
            found=msgspec.to_builtins(actor),
        )
