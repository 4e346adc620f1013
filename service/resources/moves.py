"""Moves: the hot route. A move names the question it answers; the caller's seat is its seat."""

from typing import Any

from flask import Response

from domain.game.model import Actor, Game, Play
from domain.game.questions import open_question
from domain.game.views import legal_moves
from domain.kernel import RuleViolation
from service.http import commands
from service.http.auth import caller
from service.http.moves import move_of
from service.http.requests import Blueprint, json_body
from service.openapi.operations import IF_MATCH, KEY, described, json_request
from service.problems.problem import Problem
from service.services import current_services

blp = Blueprint("moves", __name__, description="What is played.")


@blp.route("/games/<game_id>/moves", methods=["POST"])
@blp.doc(
    requestBody=json_request("Move"),
    **described(
        "makeMove",
        201,
        "Answer",
        [400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 503],
        [KEY, IF_MATCH],
    ),
)
def make_move(game_id: str) -> Response:
    """Answer the question you are asked: play a card, pass cards, whatever the game has."""
    me = caller("play").player
    game = _game_of(game_id, me)
    seat = game.seat_of(me)
    if seat is None:
        raise RuleViolation("own-seat", "You have no seat in this game.", code="not-your-seat")
    try:
        move = move_of(json_body(), game.ruleset)
    except Problem:
        if game.status == "finished":
            raise RuleViolation("lifecycle", "The game is over.", code="game-over") from None
        raise
    except RuleViolation as violation:
        raise _explained(violation, game_id, seat, me) from None
    actor = Actor(kind="player", id=me, seat=seat)
    try:
        return commands.handle(game_id, Play(seat=seat, move=move), actor, 201, name="move")
    except RuleViolation as violation:
        raise _explained(violation, game_id, seat, me) from None


def _game_of(game_id: str, me: str) -> Game:
    """The game as last seen here, unless the seats may have changed since."""
    loader = current_services().loader
    game = loader.cached(game_id).game
    if game.status == "open" or game.seat_of(me) is None:
        game = loader.current(game_id).game
    return game


def _explained(violation: RuleViolation, game_id: str, seat: int, me: str) -> RuleViolation:
    """The refusal with what its seat may do instead: nothing that its view does not show.

    Who has left the seat meanwhile is shown nothing.
    """
    game = current_services().loader.current(game_id).game
    if game.status != "playing" or game.seat_of(me) != seat:
        return violation
    facts: dict[str, Any] = {
        "question": open_question(game, seat),
        "current_version": game.version,
        "legal_moves": legal_moves(game, seat).moves,
    }
    return RuleViolation(
        violation.rule, violation.detail, code=violation.code, **(facts | violation.facts)
    )
