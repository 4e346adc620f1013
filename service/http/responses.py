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


def answer(
    body: bytes, status: int = 200, version: int | None = None, kind: str = JSON
) -> Response:
    """`version`, where the body shows a game, becomes its ETag, for If-Match."""
    response = Response(body, status, content_type=kind)
    if version is not None:
        response.headers["ETag"] = f'"{version}"'
    return response


def feed_body(version: int, lines: Sequence[bytes]) -> bytes:
    return msgspec.json.encode(Feed(version=version, events=tuple(map(msgspec.Raw, lines))))


def lines_body(lines: Sequence[bytes]) -> bytes:
    return b"\n".join([*lines, b""])
