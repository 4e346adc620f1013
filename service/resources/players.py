"""Players: a name, an id, and a token that is shown once; tickets, where no token can be sent."""

from typing import Any

from flask import Response, request

from events.accounts.players import Player
from events.accounts.tickets import SECONDS
from service.http.auth import INVALID, bearer, caller, token_in_use
from service.http.requests import Blueprint
from service.http.responses import json_answer
from service.http.schemas.answers import NewPlayerAnswer, PlayerAnswer, Ticket, Token
from service.http.schemas.requests import NewPlayer, Rename, Rotation
from service.openapi.operations import described
from service.problems.problem import Problem
from service.services import current_services

blp = Blueprint("players", __name__, description="Who plays.")


@blp.route("/players", methods=["POST"])
@blp.doc(**described("createPlayer", 201, NewPlayerAnswer, [400, 413, 415, 422, 429], public=True))
@blp.arguments(NewPlayer)
def create_player(body: dict[str, Any]) -> Response:
    """Register a player. The token is shown here and never again."""
    current_services().rates.check("registrations", request.remote_addr or "")
    player, token = current_services().players.create(body["name"])
    response = json_answer(NewPlayerAnswer(id=player.id, name=body["name"], token=token), 201)
    response.headers["Location"] = f"{request.script_root}/v1/players/{player.id}"
    return response


@blp.route("/players/<player_id>", methods=["GET"])
@blp.doc(**described("getPlayer", 200, PlayerAnswer, [401, 404]))
def get_player(player_id: str) -> Response:
    """Look a player up, with their record: games played, sat out to the end, and won, by rule set.

    Games with scripted deals count in no record.
    """
    caller()
    player = current_services().players.get(player_id)
    record = current_services().projections.record(player_id)
    return json_answer(PlayerAnswer(id=player.id, name=player.name, record=record))


@blp.route("/players/<player_id>", methods=["PATCH"])
@blp.doc(**described("renamePlayer", 200, Player, [400, 401, 403, 404, 413, 415, 422]))
@blp.arguments(Rename)
def rename_player(body: dict[str, Any], player_id: str) -> Response:
    """Take another name, or (null) have it erased. Only your own."""
    if caller("play").player != player_id:
        raise Problem("not-yourself")
    return json_answer(current_services().players.rename(player_id, body["name"]))


@blp.route("/players/<player_id>/token", methods=["POST"])
@blp.doc(**described("rotateToken", 201, Token, [400, 401, 403, 413, 415, 422]))
@blp.arguments(Rotation, required=False)
def rotate_token(body: dict[str, Any], player_id: str) -> Response:
    """Take another token in place of the one you send, with the same scopes or fewer.

    The old one is good until the new one is first used, and nobody's from then on. Until then the
    same request is answered with the same token, and one for other scopes replaces that.
    """
    me = caller()
    if me.player != player_id:
        raise Problem("not-yourself")
    scopes = frozenset(body.get("scopes", me.scopes))
    if not scopes <= me.scopes:
        lacking = ", ".join(sorted(scopes - me.scopes))
        raise Problem("missing-scope", f"Your token lacks the scope {lacking} itself.")
    token = current_services().players.tokens.replace(bearer(), scopes)
    if token is None:
        raise Problem("invalid-token", headers=INVALID)
    answer = Token(id=player_id, token=token, scopes=tuple(sorted(scopes)))
    return json_answer(answer, 201)


@blp.route("/players/<player_id>/token", methods=["DELETE"])
@blp.doc(**described("revokeToken", 204, None, [401, 403]))
def revoke_token(player_id: str) -> Response:
    """Make the token you send nobody's, with its tickets, its streams and a token that was to
    replace it. There is no way back.
    """
    if caller().player != player_id:
        raise Problem("not-yourself")
    current_services().players.tokens.revoke(bearer())
    return Response(status=204)


@blp.route("/tickets", methods=["POST"])
@blp.doc(**described("createTicket", 201, Ticket, [401]))
def create_ticket() -> Response:
    """Get a ticket that stands for your token in the URL of a stream, `?ticket=`, for a minute.

    It is for a browser's EventSource, which sends no header. It opens any game's stream as often as
    it takes, and no other address.
    """
    caller()
    ticket = current_services().tickets.issue(token_in_use())
    return json_answer(Ticket(ticket=ticket, expires_in=SECONDS), 201)
