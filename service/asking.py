"""What comes with a request beside its path: conditions, keys, and bodies that really are JSON."""

import re
import secrets
from collections.abc import Callable
from typing import Any, TypeVar, cast

import msgspec
from flask import request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import Schema, missing
from webargs.flaskparser import FlaskParser

from service.problems import Problem

F = TypeVar("F", bound=Callable[..., Any])

_VERSION = re.compile(r'(?:W/)?"(0|[1-9][0-9]{0,9})"')
_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def if_match() -> int | None:
    """The version the caller saw, or None where any will do. Problem bad-if-match."""
    given = request.headers.get("If-Match")
    if given is None or given.strip() == "*":
        return None
    found = _VERSION.fullmatch(given.strip())
    if found is None:
        raise Problem("bad-if-match")
    return int(found[1])


def if_match_required() -> int | None:
    if "If-Match" not in request.headers:
        raise Problem("if-match-required")
    return if_match()


def idempotency_key() -> str:
    """The caller's key, or a fresh one. Problem bad-idempotency-key."""
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return secrets.token_hex(16)
    if _KEY.fullmatch(given) is None:
        raise Problem("bad-idempotency-key")
    return given


def json_body() -> bytes:
    """The body of a request that says it is JSON. Problem unsupported-media-type."""
    if request.mimetype != "application/json" and not request.mimetype.endswith("+json"):
        raise Problem("unsupported-media-type")
    return request.get_data(cache=False)


def decoded(body: bytes) -> Any:
    """Any JSON value. Problem not-json on bad syntax, bad UTF-8, NaN, and JSON without a bottom."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem("not-json", str(error)) from None
    except RecursionError:
        raise Problem("not-json", "JSON is nested too deeply") from None


class Parser(FlaskParser):
    """Reads bodies by the rules above, so that every route refuses alike."""

    def load_json(self, req: Any, schema: Any) -> Any:  # noqa: ARG002
        if not req.mimetype and not req.content_length and "Transfer-Encoding" not in req.headers:
            return missing
        return decoded(json_body())


class Blueprint(SmorestBlueprint):  # type: ignore[misc]
    """flask-smorest's, typed, reading bodies as above, and with a `doc` that costs no call."""

    ARGUMENTS_PARSER = Parser()

    def route(self, rule: str, **options: Any) -> Callable[[F], F]:
        return cast("Callable[[F], F]", super().route(rule, **options))

    def arguments(self, schema: type[Schema], **options: Any) -> Callable[[F], F]:
        return cast("Callable[[F], F]", super().arguments(schema, **options))

    @staticmethod
    def doc(**description: Any) -> Callable[[F], F]:
        def described(view: F) -> F:
            known = getattr(view, "_apidoc", {})
            vars(view)["_apidoc"] = {**known, "manual_doc": description}
            return view

        return described
