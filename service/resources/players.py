"""Players: a name, an id, and a token that is shown once."""

from typing import Any

from flask import Response

from service.answers import json_answer
from service.asking import Blueprint
from service.auth import caller
from service.documents import described
from service.problems import Problem
from service.schemas.requests import NewPlayer, Rename
from service.services import services

blp = Blueprint("players", __name__, description="Who plays.")


@blp.route("/players", methods=["POST"])
@blp.doc(**described("createPlayer", 201, "NewPlayerAnswer", [400, 413, 415, 422], public=True))
@blp.arguments(NewPlayer)
def create_player(body: dict[str, Any]) -> Response:
    """Register a player. The token is shown here and never again."""
    player, token = services().players.create(body["name"])
    response = json_answer({"id": player.id, "name": player.name, "token": token}, 201)
    response.headers["Location"] = f"/v1/players/{player.id}"
    return response


@blp.route("/players/<player_id>", methods=["GET"])
@blp.doc(**described("getPlayer", 200, "Player", [401, 404]))
def get_player(player_id: str) -> Response:
    """Look a player up."""
    caller()
    return json_answer(services().players.get(player_id))


@blp.route("/players/<player_id>", methods=["PATCH"])
@blp.doc(**described("renamePlayer", 200, "Player", [400, 401, 403, 404, 413, 415, 422]))
@blp.arguments(Rename)
def rename_player(body: dict[str, Any], player_id: str) -> Response:
    """Take another name, or (null) have it erased. Only your own."""
    if caller("play").player != player_id:
        raise Problem("not-yourself")
    return json_answer(services().players.rename(player_id, body["name"]))
