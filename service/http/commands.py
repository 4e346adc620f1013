"""The way of a command from its request to the handler, the same for all of them."""

import structlog
from flask import Response, g

from domain.game.model import Actor, OpenGame
from events.commands import CommandResult, Request
from service.http.requests import idempotency_key, if_match
from service.http.responses import command_answer
from service.services import current_services

_log = structlog.get_logger()


def handle(game: str, request: Request, actor: Actor, status: int = 200, *, name: str) -> Response:
    """Has a command on a game handled, and answers with its entries as the caller sees them."""
    key, expected = idempotency_key(), if_match()
    done = current_services().handler.handle(game, request, actor, key, g.correlation, expected)
    _note(name, done)
    return command_answer(done, status)


def open_game(command: OpenGame) -> CommandResult:
    done = current_services().handler.open(command, idempotency_key(), g.correlation)
    _note("open", done)
    return done


def _note(name: str, done: CommandResult) -> None:
    runtime = current_services()
    runtime.metrics.commands.labels(name).inc()
    runtime.metrics.conflicts.set(runtime.handler.conflicts)
    if done.appended:
        runtime.notifier.notify(done.game)
    _log.info(
        "command",
        command=name,
        game=done.game,
        version=done.version,
        appended=done.appended,
        correlation=g.correlation,
    )
