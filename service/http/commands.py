"""The way of a command from its request to the handler, the same for all of them."""

import msgspec
import structlog
from flask import Response, g

from domain.game.model import Actor, OpenGame
from events.commands import CommandResult, Request
from service.http.requests import conditions, idempotency_key
from service.http.responses import JSON
from service.http.schemas.answers import Answer
from service.services import Services, current_services

_log = structlog.get_logger()


def handle(game: str, request: Request, actor: Actor, status: int = 200, *, name: str) -> Response:
    """Has a command on a game handled, and answers with its entries as the caller sees them."""
    (key, expected), services = conditions(), current_services()
    done = services.handler.handle(game, request, actor, key, g.correlation, expected)
    if done.seat is not None:
        services.presence.seen(game, g.player)
    _note(services, name, done)
    events = tuple(map(msgspec.Raw, done.events))
    body = msgspec.json.encode(Answer(version=done.version, events=events, receipt=done.receipt))
    return Response(body, status, {"ETag": f'"{done.version}"'}, content_type=JSON)


def open_game(command: OpenGame) -> CommandResult:
    services = current_services()
    done = services.handler.open(command, idempotency_key(), g.correlation)
    _note(services, "open", done)
    return done


def _note(services: Services, name: str, done: CommandResult) -> None:
    services.metrics.commands.labels(name).inc()
    services.metrics.conflicts.set(services.handler.conflicts)
    if done.appended:
        services.notifier.notify(done.game)
    _log.info(
        "command",
        command=name,
        game=done.game,
        version=done.version,
        appended=done.appended,
        correlation=g.correlation,
    )
