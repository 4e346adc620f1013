"""Seats: sit down after the commitment, put a bot there, leave, resume."""

from typing import Any

from flask import Response

from domain.game.model import Actor, Leave, SeatBot, Sit
from service.http import commands
from service.http.auth import caller
from service.http.requests import Blueprint, if_match_required
from service.http.schemas.answers import Answer
from service.http.schemas.requests import LeaveQuery, Sitting
from service.openapi.operations import IF_MATCH, IF_MATCH_REQUIRED, KEY, described
from service.services import current_services

blp = Blueprint("seats", __name__, description="Who sits where.")


@blp.route("/games/<game_id>/seats/<int:seat>", methods=["PUT"])
@blp.doc(
    **described(
        "takeSeat",
        200,
        Answer,
        [400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 503],
        [KEY, IF_MATCH],
    )
)
@blp.arguments(Sitting, required=False)
def take_seat(body: dict[str, Any], game_id: str, seat: int) -> Response:
    """Sit down, with entropy for all draws if you bring some; or, as the opener, seat a bot.

    Who left a started game resumes here, without entropy: nobody else may, and the bot goes.
    """
    me = caller("play").player
    if "bot" in body:
        own = current_services().loader.current(game_id).game.seat_of(me)
        command = SeatBot(player=me, seat=seat, level=body["bot"])
        return commands.handle(
            game_id, command, Actor(kind="player", id=me, seat=own), name="seat-bot"
        )
    sit = Sit(player=me, seat=seat, entropy=body.get("entropy"))
    return commands.handle(game_id, sit, Actor(kind="player", id=me, seat=seat), name="sit")


@blp.route("/games/<game_id>/seats/<int:seat>", methods=["DELETE"])
@blp.doc(
    **described(
        "leaveSeat",
        200,
        Answer,
        [400, 401, 403, 404, 409, 412, 422, 428, 500, 503],
        [KEY, IF_MATCH_REQUIRED],
    )
)
@blp.arguments(LeaveQuery, location="query")
def leave_seat(query: dict[str, Any], game_id: str, seat: int) -> Response:
    """Leave your seat: it is free again or, once the game has started, a bot takes over.

    From then on you are a spectator; you alone may resume, with everything the seat has seen.
    """
    me = caller("play").player
    if_match_required()
    leave = Leave(player=me, seat=seat, level=query["bot"])
    return commands.handle(game_id, leave, Actor(kind="player", id=me, seat=seat), name="leave")
