"""Bodies of answers. Lines of the log stand in them byte for byte as they are stored."""

from collections.abc import Sequence

import msgspec
from flask import Response

from service.http.schemas.answers import Feed

JSON = "application/json"
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"


def json_answer(value: msgspec.Struct, status: int = 200, version: int | None = None) -> Response:
    return answer(msgspec.json.encode(value), status, version)


def answer(body: bytes, status: int = 200, version: int | None = None) -> Response:
    """`version`, where the body shows a game, becomes its ETag, for If-Match."""
    response = Response(body, status, content_type=JSON)
    if version is not None:
        response.headers["ETag"] = f'"{version}"'
    return response


def feed_answer(version: int, lines: Sequence[bytes]) -> Response:
    feed = Feed(version=version, events=tuple(map(msgspec.Raw, lines)))
    return json_answer(feed, 200, version)


def lines_answer(version: int, lines: Sequence[bytes]) -> Response:
    body = b"".join(line + b"\n" for line in lines)
    response = Response(body, content_type=NDJSON)
    response.headers["ETag"] = f'"{version}"'
    return response
