"""The scoresheet: every point of the scored deals, counted again from the cards."""

from typing import Any

import msgspec
from flask import Response

from events.errors import UnknownGame
from events.projections.store import Scoresheet
from service.http.auth import caller
from service.http.caching import open_answer, tag_of
from service.http.requests import Blueprint
from service.http.responses import JSON, json_answer
from service.http.schemas.requests import SheetQuery
from service.openapi.operations import described
from service.problems.problem import Problem
from service.services import current_services

blp = Blueprint("scoresheet", __name__, description="Why each point.")


@blp.route("/games/<game_id>/scoresheet", methods=["GET"])
@blp.doc(**described("getScoresheet", 200, Scoresheet, [401, 404, 422]))
@blp.arguments(SheetQuery, location="query")
def get_scoresheet(query: dict[str, Any], game_id: str) -> Response:
    """See each point of the scored deals with its trick, its card and the entries behind it.

    It is counted a moment after each deal, as of `version`; `min_version` says which you need at
    least. `scores_disagree` tells that the count differs from the one the game goes by.
    """
    me, services = caller().player, current_services()
    sheet = services.projections.sheet(game_id)
    if sheet is None and not services.store.is_known(game_id):
        raise UnknownGame(game_id)
    services.presence.note(game_id, me)
    needed = query.get("min_version", 0)
    if sheet is None or sheet.version < needed:
        reached = 0 if sheet is None else sheet.version
        raise Problem("not-scored", headers=services.retries.header(), sheet_version=reached)
    if sheet.outcome is None:
        return json_answer(sheet)
    body = msgspec.json.encode(sheet)
    return open_answer(tag_of(body), lambda: body, JSON)
