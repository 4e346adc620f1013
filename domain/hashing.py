"""Tagged hashes: SHA-256 and HMAC-SHA-256 over a tag and length-prefixed fields.

The bytes are specified in docs/fairness.md, so that anyone can redo them in any language.
"""

import hashlib
import hmac
from typing import Literal

Tag = Literal[
    "link",
    "draw",
    "secret-draw",
    "salt",
    "seal",
    "entry",
    "command",
    "bot",
    "receipt",
    "game-id",
    "card-set",
]
Field = bytes | str | int


def message(tag: Tag, *fields: Field) -> bytes:
    """`elsinore/1/<tag>` and each field, every one preceded by its length as four bytes."""
    encoded = [f if isinstance(f, bytes) else str(f).encode() for f in fields]
    return continued(b"", f"elsinore/1/{tag}".encode(), *encoded)


def continued(start: bytes, *fields: bytes) -> bytes:
    """A message that begins as `start` and goes on with more fields."""
    for field in fields:
        start += len(field).to_bytes(4, "big") + field
    return start


def digest(tag: Tag, *fields: Field) -> bytes:
    return hashlib.sha256(message(tag, *fields)).digest()


def keyed(key: bytes, tag: Tag, *fields: Field) -> bytes:
    return hmac.digest(key, message(tag, *fields), "sha256")
