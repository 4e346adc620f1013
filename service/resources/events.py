"""The feed of a game as its caller may read it: pages, long polls, NDJSON, and a stream."""

from typing import Any

import msgspec
from flask import Response, request

from service.answers import JSON, NDJSON, SSE, feed_answer, lines_answer
from service.asking import Blueprint
from service.auth import caller
from service.documents import LAST_EVENT_ID, described
from service.problems import Problem
from service.schemas.requests import FeedQuery
from service.services import services
from service.shown import shown
from service.streams import awaited, entries, opening

blp = Blueprint("events", __name__, description="What has happened, as you may know it.")


@blp.route("/games/<game_id>/events", methods=["GET"])
@blp.doc(
    **described("getEvents", 200, "Feed", [401, 404, 422, 429, 500, 503], other={NDJSON: "Line"})
)
@blp.arguments(FeedQuery, location="query")
def get_events(query: dict[str, Any], game_id: str) -> Response:
    """Read the entries after version `after`; with `wait`, up to that many seconds for the first.

    Goes on from the `version` of the answer until no events come.
    """
    me, runtime = caller().player, services()
    after, limit = query["after"], query["limit"]
    lines = runtime.reader.feed(game_id, me, after, limit)
    wait = min(query["wait"], runtime.settings.longest_wait)
    if not lines and wait:
        leave = runtime.limit.enter(me)
        try:
            lines = awaited(runtime.reader, runtime.wakeups, game_id, me, after, limit, wait)
        finally:
            leave()
    if lines:
        version = after + len(lines)
    else:
        version = min(after, runtime.loader.current(game_id).head.version)
    if request.accept_mimetypes.best_match([JSON, NDJSON]) == NDJSON:
        return lines_answer(version, lines)
    return feed_answer(version, lines)


@blp.route("/games/<game_id>/stream", methods=["GET"])
@blp.doc(
    **described(
        "streamGame", 200, None, [401, 404, 429, 500, 503], [LAST_EVENT_ID], other={SSE: "Stream"}
    )
)
def stream_game(game_id: str) -> Response:
    """Follow a game by server-sent events: the whole view first, then entry after entry.

    `id` is the version. After a break, `Last-Event-ID` goes on without a gap; where that cannot
    be honoured the stream begins with `reset` and the view. Comments are heartbeats.
    """
    me, runtime = caller().player, services()
    view = shown(runtime, game_id, me)
    if runtime.wakeups.closing:
        raise Problem("not-ready", "The service is going down.", headers={"Retry-After": "5"})
    start = opening(
        view["view"]["version"], request.headers.get("Last-Event-ID"), msgspec.json.encode(view)
    )
    leave = runtime.limit.enter(me)
    response = Response(
        entries(runtime.reader, runtime.wakeups, game_id, me, start, runtime.settings.heartbeat),
        content_type=f"{SSE}; charset=utf-8",
        headers={"X-Accel-Buffering": "no"},
    )
    response.call_on_close(leave)
    return response
