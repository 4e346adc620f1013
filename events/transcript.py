"""A finished game as text to read: one transcript for every ruleset, from its log."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from domain.game.aggregate import evolve, new_game
from domain.game.model import (
    DealRevealed,
    Finished,
    Game,
    Opened,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    Started,
)
from domain.kernel import Event
from domain.registry import find
from domain.scores import Outcome, ScoreLine, Teams
from events.log.entry import Entry, envelope, event_of


def transcript(entries: Sequence[Entry]) -> Iterator[str]:
    """Its lines. Raises UnknownSchema, IntegrityError where the log cannot be followed."""
    game: Game | None = None
    deal = 0
    for entry in entries:
        head = envelope(entry)
        event = event_of(entry, head)
        if isinstance(event, Opened):
            game = new_game(event)
            teams = find(event.ruleset).teams(game.options, len(game.seats))
            yield from _opened(head.game, event, teams)
            continue
        if game is None:
            raise ValueError("the first entry does not open a game")
        before, game = game, evolve(game, event)
        yield from _lines(before, event)
        for line in find(game.ruleset).score_lines(game.state, deal):
            deal = line.deal
            if line.points or line.trick is None:
                yield _score_line(line)


def _lines(game: Game, event: Event) -> Iterator[str]:
    match event:
        case SeatTaken(seat=seat, player=None, level=level):
            yield f"Seat {seat}: bot, {level}"
        case SeatTaken(seat=seat, player=player, entropy=entropy):
            yield f"Seat {seat}: {player}, {'with' if entropy else 'without'} entropy"
        case SeatLeft(seat=seat, player=player, level=None):
            yield f"Seat {seat}: {player} leaves"
        case SeatLeft(seat=seat, player=player, level=level):
            yield f"Seat {seat}: {player} leaves, a bot takes over, {level}"
        case SeatResumed(seat=seat, player=player):
            yield f"Seat {seat}: {player} resumes"
        case Started():
            yield "All seats are taken; the game starts."
        case DealRevealed(draw=draw, link=link):
            yield f"  draw {draw} is revealed: {link}"
        case Finished():
            yield from _finished(game, event)
        case _:
            yield from find(game.ruleset).narrate(game.state, event)


def _opened(game_id: str, event: Opened, teams: Teams) -> Iterator[str]:
    yield f"{find(event.ruleset).title} ({event.ruleset}), game {game_id}"
    yield f"Opened by {event.opener}. Commitment {event.commitment}"
    for name, value in event.options.items():
        yield f"Option {name}: {value}"
    if event.script is not None:
        last = event.script.first_deal + event.script.deals - 1
        yield f"Written down beforehand: deals {event.script.first_deal} to {last}"
    for team in teams:
        yield f"Together: {_team(team)}"
    for seat, plan in enumerate(event.seats):
        match plan.kind:
            case "bot":
                yield f"Seat {seat}: bot, {plan.level}"
            case "reserved":
                yield f"Seat {seat}: reserved for {plan.player}"
            case "open":
                yield f"Seat {seat}: open"
            case _:
                assert_never(plan.kind)


def _finished(game: Game, event: Finished) -> Iterator[str]:
    yield ""
    if event.outcome is None:
        yield "Closed before the start."
    else:
        yield from _outcome(event.outcome)
        for seat, has in enumerate(game.seats):
            if has.former is not None:
                yield f"Seat {seat}: a bot for {has.former} since entry {has.since}"
    yield f"Root {event.root}"


def _outcome(outcome: Outcome) -> Iterator[str]:
    final = outcome.standings
    for seat, (total, rank) in enumerate(zip(final.totals, final.ranks, strict=True)):
        yield f"Seat {seat}: {total}, rank {rank}"
    if not outcome.winners:
        yield "Drawn; nobody has won"
        return
    won = "Won" if outcome.result == "win" else "Drawn"
    yield f"{won} by {_sides(outcome)} ({final.better} wins)"


def _sides(outcome: Outcome) -> str:
    if outcome.teams is None:
        return f"seat {', '.join(map(str, outcome.winners))}"
    return "; ".join(map(_team, outcome.teams))


def _team(seats: tuple[int, ...]) -> str:
    return f"seats {' and '.join(map(str, seats))}"


def _score_line(line: ScoreLine) -> str:
    return f"    seat {line.seat} {line.points:+d}: {line.reason} [{line.ruling}]"
