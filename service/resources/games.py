"""Games: opened, listed, looked at, closed."""

from collections.abc import Iterator
from typing import Any

import msgspec
import structlog
from flask import Response, g, request

from domain.kernel import RuleViolation
from domain.lifecycle import Actor, CloseGame, Game, OpenGame, Script
from events.errors import EventsError
from events.handler import timestamp
from events.store import Opening
from service import commands
from service.answers import json_answer
from service.asking import Blueprint
from service.auth import caller
from service.documents import IF_MATCH, KEY, described
from service.schemas.requests import GameQuery, LobbyQuery, NewGame, cursor_of
from service.services import services
from service.shown import shown, summary

SCANNED = 500

blp = Blueprint("games", __name__, description="Tables.")
_log = structlog.get_logger()


def allow_scripts() -> None:
    """A script may be longer than what other requests carry."""
    if request.method == "POST" and request.path == "/v1/games":
        request.max_content_length = services().settings.opening_limit


blp.before_request(allow_scripts)


@blp.route("/games", methods=["POST"])
@blp.doc(**described("openGame", 201, "OpenedGame", [400, 401, 403, 413, 415, 422, 503], [KEY]))
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
    answer = shown(services(), done.game, me, at=done.version) | {"receipt": done.receipt}
    response = json_answer(answer, 201, done.version)
    response.headers["Location"] = f"/v1/games/{done.game}"
    return response


@blp.route("/games", methods=["GET"])
@blp.doc(**described("listGames", 200, "Games", [401, 422]))
@blp.arguments(LobbyQuery, location="query")
def list_games(query: dict[str, Any]) -> Response:
    """List games, the newest first. `next` is the cursor of the following page, or null."""
    me = caller().player
    found: list[dict[str, Any]] = []
    seen: Opening | None = None
    scanned = 0
    for opening in _openings(query.get("cursor")):
        if len(found) == query["limit"] or scanned == SCANNED:
            break
        seen, scanned = opening, scanned + 1
        game = _game(opening.game)
        if game is not None and _fits(game, query, me):
            found.append(summary(opening.game, game, timestamp(opening.at)))
    else:
        seen = None
    return json_answer({"games": found, "next": None if seen is None else cursor_of(seen)})


@blp.route("/games/<game_id>", methods=["GET"])
@blp.doc(**described("getGame", 200, "Game", [401, 404, 409, 422, 500]))
@blp.arguments(GameQuery, location="query")
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Look at a game as you see it: now, or as it was at version `at`.

    `seat` asks for another seat's view, which opens when the game is finished.
    """
    me, seat = caller().player, query.get("seat")
    if seat is not None and seat >= len(services().loader.current(game_id).game.seats):
        raise RuleViolation("seats", "There is no such seat.", code="unknown-seat")
    answer = shown(services(), game_id, me, query.get("at"), seat)
    return json_answer(answer, 200, answer["view"]["version"])


@blp.route("/games/<game_id>", methods=["DELETE"])
@blp.doc(
    **described(
        "closeGame", 200, "Answer", [400, 401, 403, 404, 409, 412, 422, 500, 503], [KEY, IF_MATCH]
    )
)
def close_game(game_id: str) -> Response:
    """Close a table before it starts. Only its opener may."""
    me = caller("play").player
    actor = Actor(kind="player", id=me, seat=services().loader.current(game_id).game.seat_of(me))
    return commands.handle(game_id, CloseGame(player=me), actor, name="close")


def _openings(before: Opening | None) -> Iterator[Opening]:
    while page := services().store.games(before, 100):
        yield from page
        before = page[-1]


def _game(game_id: str) -> Game | None:
    """A finished game is as the cache has it. One broken log does not take the lobby down."""
    loader = services().loader
    try:
        loaded = loader.cached(game_id)
        if loaded.game.status != "finished":
            loaded = loader.current(game_id)
    except EventsError as error:
        _log.error("game left out", game=game_id, why=str(error), correlation=g.correlation)
        return None
    return loaded.game


def _fits(game: Game, query: dict[str, Any], me: str) -> bool:
    if query["mine"] and me != game.opener and game.seat_of(me) is None:
        return False
    if "status" in query and query["status"] != game.status:
        return False
    wanted = query.get("ruleset")
    return wanted in {None, game.ruleset, game.ruleset.partition("@")[0]}
