"""Moves: the hot route. A move names the question it answers; the caller's seat is its seat."""

from flask import Response

from domain.game.model import Actor
from events.commands import MoveRequest
from service.http import commands
from service.http.auth import caller
from service.http.requests import Blueprint, json_body
from service.http.schemas.answers import Answer
from service.openapi.operations import IF_MATCH, KEY, described, json_request

blp = Blueprint("moves", __name__, description="What is played.")


@blp.route("/games/<game_id>/moves", methods=["POST"])
@blp.doc(
    requestBody=json_request("Move"),
    **described(
        "makeMove",
        201,
        Answer,
        [400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 503],
        [KEY, IF_MATCH],
    ),
)
def make_move(game_id: str) -> Response:
    """Answer the question you are asked: play a card, pass cards, whatever the game has."""
    me = Actor(kind="player", id=caller("play").player)
    return commands.handle(game_id, MoveRequest(json_body()), me, 201, name="move")
