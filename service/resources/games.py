"""Games: opened, listed, looked at, closed."""

from typing import Any

import msgspec
from flask import Response, request

from domain.game.model import Actor, CloseGame, OpenGame, Script
from domain.kernel import RuleViolation
from events.projections.lobby import Wanted
from service.http import commands
from service.http.auth import caller
from service.http.caching import own_answer, versioned_tag
from service.http.game_responses import game_answer, is_over, summary
from service.http.requests import Blueprint
from service.http.responses import JSON, json_answer
from service.http.schemas.answers import Answer, Game, Games, OpenedGame
from service.http.schemas.requests import GameQuery, LobbyQuery, NewGame, cursor_of
from service.openapi.operations import IF_MATCH, KEY, described
from service.services import current_services

blp = Blueprint("games", __name__, description="Tables.")


def allow_scripts() -> None:
    """A script may be longer than what other requests carry."""
    if request.method == "POST" and request.path == "/v1/games":
        request.max_content_length = current_services().settings.opening_limit


blp.before_request(allow_scripts)


@blp.route("/games", methods=["POST"])
@blp.doc(**described("openGame", 201, OpenedGame, [400, 401, 403, 413, 415, 422, 503], [KEY]))
@blp.arguments(NewGame)
def open_game(body: dict[str, Any]) -> Response:
    """Open a game. `me` reserves a seat; everyone sits after this commitment."""
    me = caller("play").player
    seats = tuple(
        msgspec.structs.replace(plan, player=me) if plan.kind == "reserved" else plan
        for plan in body["seats"]
    )
    script = body.get("script")
    done = commands.open_game(
        OpenGame(
            opener=me,
            ruleset=body["ruleset"],
            options=body["options"],
            seats=seats,
            script=script and Script(first_deal=script["first_deal"], deals=tuple(script["deals"])),
        )
    )
    game = game_answer(current_services(), done.game, me, at=done.version)
    answer = OpenedGame(**msgspec.structs.asdict(game), receipt=done.receipt)
    response = json_answer(answer, 201, done.version)
    response.headers["Location"] = f"{request.script_root}/v1/games/{done.game}"
    return response


@blp.route("/games", methods=["GET"])
@blp.doc(**described("listGames", 200, Games, [401, 422]))
@blp.arguments(LobbyQuery, location="query")
def list_games(query: dict[str, Any]) -> Response:
    """List games, the newest first. `next` is the cursor of the following page, or null.

    `mine` are those you opened, sit in, or may resume. A page may be short and still not the last.
    """
    me = caller().player
    wanted = Wanted(
        player=me if query["mine"] else None,
        status=query.get("status"),
        ruleset=query.get("ruleset"),
    )
    rows, last = current_services().lobby.page(wanted, query.get("cursor"), query["limit"])
    following = None if last is None else cursor_of(last)
    return json_answer(Games(games=tuple(map(summary, rows)), next=following))


@blp.route("/games/<game_id>", methods=["GET"])
@blp.doc(**described("getGame", 200, Game, [401, 404, 409, 422, 500]))
@blp.arguments(GameQuery, location="query")
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Look at a game as you see it: now, or as it was at version `at`.

    `seat` asks for another seat's view, which opens when the game is finished.
    """
    me, seat = caller().player, query.get("seat")
    if seat is not None and seat >= len(current_services().loader.current(game_id).game.seats):
        raise RuleViolation("seats", "There is no such seat.", code="unknown-seat")
    at = query.get("at")
    game = game_answer(current_services(), game_id, me, at, seat, past=at is not None)
    version = game.view["version"]
    if at is None and not is_over(game.view):
        return json_answer(game, 200, version)
    body = msgspec.json.encode(game)
    return own_answer(versioned_tag(version, body), lambda: body, JSON)


@blp.route("/games/<game_id>", methods=["DELETE"])
@blp.doc(
    **described(
        "closeGame", 200, Answer, [400, 401, 403, 404, 409, 412, 422, 500, 503], [KEY, IF_MATCH]
    )
)
def close_game(game_id: str) -> Response:
    """Close a table before it starts. Only its opener may."""
    me = caller("play").player
    actor = Actor(
        kind="player", id=me, seat=current_services().loader.current(game_id).game.seat_of(me)
    )
    return commands.handle(game_id, CloseGame(player=me), actor, name="close")
