"""What never changes: a strong ETag, 304 for whoever has it, and compressed where that tells nobody
anything (docs/adr/0015-what-is-compressed.md).
"""

import gzip
import hashlib
import zlib
from collections.abc import Callable
from typing import NamedTuple

from flask import Response, request

from events.stretches import give_way
from service.rate_limits import BYTES_A_HIT, add_cost

ZIPPED = "-gzip"
"""What the tag of a compressed body ends with: it is another body."""

VERSION_TAG = '"(0|[1-9][0-9]{0,9})(-[0-9a-f]{16}(-gzip)?)?"'
"""An ETag that If-Match takes: the version, and after it what tells apart bodies that are kept."""

LEAST = 1400
"""Bytes; what is shorter goes into one packet as it is."""

SLICE = 32 * 1024
"""Bytes that are compressed at a stretch: less than 1 ms."""


class Document(NamedTuple):
    """A public body that stays as it is, and the same compressed, made ready once."""

    body: bytes
    zipped: bytes
    kind: str
    tag: str


def prepared(body: bytes, kind: str) -> Document:
    return Document(body, gzip.compress(body, mtime=0), kind, tag_of(body))


def tag_of(*parts: bytes) -> str:
    """16 hex digits that change with the parts."""
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def versioned_tag(version: int, *parts: bytes) -> str:
    """The tag of what shows a game at a version, which it begins with, for If-Match."""
    return f"{version}-{tag_of(*parts)}"


def public_document(known: Document) -> Response:
    """A document for anybody, or 304."""
    response = _kept(known.tag, lambda: known.body, known.kind)
    response.headers["Cache-Control"] = "no-cache"
    return _encoded(response, lambda _: known.zipped)


def open_answer(tag: str, body: Callable[[], bytes], kind: str) -> Response:
    """What hides nothing from anybody any more, for its caller, or 304.

    `body` is not called for who has it already.
    """
    return _encoded(own_answer(tag, body, kind), _compressed)


def own_answer(tag: str, body: Callable[[], bytes], kind: str) -> Response:
    """The same of what may hide something from somebody: never compressed.

    Kept by its caller alone, who asks before each use whether it is still so.
    """
    response = _kept(tag, body, kind)
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Authorization")
    return response


def _kept(tag: str, body: Callable[[], bytes], kind: str) -> Response:
    for held in (tag, tag + ZIPPED):
        if request.if_none_match.contains_weak(held):
            return Response(status=304, headers={"ETag": f'"{held}"'})
    return Response(body(), headers={"ETag": f'"{tag}"'}, content_type=kind)


def _encoded(response: Response, compressed: Callable[[bytes], bytes]) -> Response:
    """As the request would have it."""
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and request.accept_encodings["gzip"] > 0:
        body = response.get_data()
        if len(body) >= LEAST:
            response.set_data(compressed(body))
            response.headers["Content-Encoding"] = "gzip"
            response.headers["ETag"] = response.headers["ETag"][:-1] + f'{ZIPPED}"'
    return response


def _compressed(body: bytes) -> bytes:
    """In slices, between which others go on."""
    add_cost(len(body) // BYTES_A_HIT)
    press = zlib.compressobj(level=3, wbits=31)
    parts = []
    for start in range(0, len(body), SLICE):
        parts.append(press.compress(body[start : start + SLICE]))
        give_way()
    return b"".join([*parts, press.flush()])
