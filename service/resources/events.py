"""The feed of a game as its caller may read it: pages, long polls, NDJSON, and a stream."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from flask import Response, request

from events.errors import Busy
from service.http.auth import caller, token_in_use, watcher
from service.http.caching import open_answer, versioned_tag
from service.http.game_responses import game_answer
from service.http.requests import Blueprint
from service.http.responses import JSON, NDJSON, SSE, answer, feed_body, lines_body
from service.http.schemas.answers import Feed, Line, Stream
from service.http.schemas.requests import FeedQuery, StreamQuery
from service.live.disconnects import of_request
from service.live.sse import Follower, entries, long_poll, opening
from service.openapi.operations import LAST_EVENT_ID, TOKEN_OR_TICKET, described
from service.problems.problem import Problem
from service.services import Services, current_services

blp = Blueprint("events", __name__, description="What has happened, as you may know it.")


@blp.route("/games/<game_id>/events", methods=["GET"])
@blp.doc(**described("getEvents", 200, Feed, [401, 404, 422, 429, 500, 503], other={NDJSON: Line}))
@blp.arguments(FeedQuery, location="query")
def get_events(query: dict[str, Any], game_id: str) -> Response:
    """Read the entries after version `after`; with `wait`, up to that many seconds for the first.

    Goes on from the `version` of the answer until no events come.
    """
    me, runtime = caller().player, current_services()
    after, limit = query["after"], query["limit"]
    lines = runtime.reader.feed(game_id, me, after, limit)
    wait = min(query["wait"], runtime.settings.longest_wait)
    runtime.presence.note(game_id, me)
    if not lines and wait:
        leave = runtime.limit.enter(me)
        try:
            follower = Follower(me, of_request(request.environ))
            lines = long_poll(
                runtime.reader, runtime.notifier, game_id, follower, after, limit, wait
            )
        finally:
            leave()
    if lines:
        version = after + len(lines)
    else:
        version = min(after, runtime.loader.current(game_id).head.version)
    if request.accept_mimetypes.best_match([JSON, NDJSON]) == NDJSON:
        body, kind = lines_body(lines), NDJSON
    else:
        body, kind = feed_body(version, lines), JSON
    if runtime.loader.cached(game_id).game.status == "finished":
        return open_answer(versioned_tag(version, body), lambda: body, kind)
    return answer(body, 200, version, kind)


@blp.route("/games/<game_id>/stream", methods=["GET"])
@blp.doc(
    **described(
        "streamGame",
        200,
        None,
        [401, 404, 422, 429, 500, 503],
        [LAST_EVENT_ID],
        other={SSE: Stream},
    )
    | TOKEN_OR_TICKET
)
@blp.arguments(StreamQuery, location="query")
def stream_game(_: dict[str, Any], game_id: str) -> Response:
    """Follow a game by server-sent events: the whole view first, then entry after entry.

    The first event, `view`, is what `GET /v1/games/{game_id}` answers. `id` is the version. After
    a break, `Last-Event-ID` goes on without a gap, after one event `live`; where that cannot be
    honoured the stream begins with `reset` and the view. Comments are heartbeats. After the last
    entry of a finished game comes `end`; who then resumes is answered 204, which an EventSource
    takes for the end. Several streams may be open with one token, up to a limit: who closes one has
    its place again at once. They end when the token is no longer valid.
    """
    runtime = current_services()
    with runtime.openings.turn():
        return _opened(runtime, game_id)


def _opened(runtime: Services, game_id: str) -> Response:
    me = watcher().player
    game = game_answer(runtime, game_id, me)
    if runtime.notifier.closing:
        raise Problem("not-ready", "The service is going down.", headers=runtime.retries.header())
    version, resume = game.view["version"], request.headers.get("Last-Event-ID")
    if game.view["status"] == "finished" and resume == str(version):
        return Response(status=204)
    start = opening(
        version,
        resume,
        msgspec.json.encode(game),
        msgspec.json.encode(game.live),
        runtime.retries.milliseconds(),
    )
    allowed = still_allowed(runtime, game_id, me, token_in_use())
    follower = Follower(me, of_request(request.environ), allowed)
    leave = runtime.limit.enter(me)
    response = Response(
        entries(
            runtime.reader, runtime.notifier, game_id, follower, start, runtime.settings.heartbeat
        ),
        content_type=f"{SSE}; charset=utf-8",
        headers={"X-Accel-Buffering": "no"},
    )
    response.call_on_close(leave)
    return response


def still_allowed(runtime: Services, game: str, me: str, token: str) -> Callable[[], bool]:
    """Whether who has opened a stream may go on reading it; and notes that they are there."""

    def allowed() -> bool:
        with suppress(Busy):  # the stream goes on; the log itself is asked again at once
            if runtime.players.tokens.holder(token) is None:
                return False
            runtime.presence.note(game, me)
        return True

    return allowed
