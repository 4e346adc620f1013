"""What comes with a request beside its path: conditions, keys, and bodies that really are JSON."""

import re
import secrets
from collections.abc import Callable
from typing import Any, TypeVar, cast

import msgspec
from flask import g, request
from flask_smorest import Blueprint as SmorestBlueprint
from gunicorn.http.errors import ParseException
from marshmallow import RAISE, Schema, missing
from webargs.flaskparser import FlaskParser

from service.http.caching import VERSION_TAG
from service.problems.problem import Problem

F = TypeVar("F", bound=Callable[..., Any])

CHALLENGE = 'Bearer realm="elsinore"'

_VERSION = re.compile(f"(?:W/)?{VERSION_TAG}")

_KEY = re.compile(r"[\x21-\x7e]{1,128}")


def conditions() -> tuple[str, int | None]:
    """The idempotency key of a command, and the version that the caller saw."""
    return idempotency_key(), if_match()


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
    return _whole_body()


def _whole_body() -> bytes:
    """All that the client sends as body. Problem body-too-large, bad-request.

    Read from the server itself: werkzeug stops at the limit, and takes an early end of the
    connection for the end of the body. What is cut off might have changed what is asked.
    """
    limit, stated = request.max_content_length or 0, request.content_length
    if stated is not None and stated > limit:
        raise Problem("body-too-large")
    try:
        body: bytes = request.environ["wsgi.input"].read(limit + 1 if stated is None else stated)
    except (OSError, ParseException):  # it breaks off; or, says gunicorn, its chunks are none
        raise Problem("bad-request", "The body is not sent as HTTP has it.") from None
    if len(body) > limit:
        raise Problem("body-too-large")
    if stated is not None and len(body) < stated:
        raise Problem("bad-request", "The body is shorter than its Content-Length.")
    return body


def decoded(body: bytes) -> Any:
    """Any JSON value. Problem not-json on bad syntax, bad UTF-8, NaN, and JSON without a bottom."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem("not-json", str(error)) from None
    except RecursionError:
        raise Problem("not-json", "JSON is nested too deeply") from None


class Parser(FlaskParser):
    """Reads bodies by the rules above, and queries strictly, so that every route refuses alike."""

    DEFAULT_UNKNOWN_BY_LOCATION = FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION | {"query": RAISE}

    def load_json(self, req: Any, schema: Any) -> Any:  # noqa: ARG002
        if not req.mimetype and not req.content_length and "Transfer-Encoding" not in req.headers:
            return missing
        return decoded(json_body())

    def load_querystring(self, req: Any, schema: Any) -> Any:
        """No route with a query is open to all: who sends no token hears of that first."""
        stands_for_it = req.args.keys() & schema.fields.keys() & {"ticket"}
        if "Authorization" not in req.headers and not stands_for_it:
            raise no_token()
        twice = {name: ["Given twice."] for name, found in req.args.lists() if len(found) > 1}
        if twice:
            raise Problem("invalid-query", errors=twice)
        g.query_read = True
        return super().load_querystring(req, schema)


def no_query() -> None:
    """Problem invalid-query where there is a query and the route has read none."""
    if "query_read" not in g:
        unknown = {name: ["Unknown field."] for name in request.args}
        raise Problem("invalid-query", errors=unknown)


def no_token() -> Problem:
    return Problem("missing-token", headers={"WWW-Authenticate": CHALLENGE})


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
