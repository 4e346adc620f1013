"""Pages of the configured origins may call the service: preflights, and headers on every status."""

from flask import Response, request

ALLOWED_METHODS = "GET, POST, PUT, PATCH, DELETE"
ALLOWED_HEADERS = (
    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID"
)
EXPOSED_HEADERS = "ETag, Location, Retry-After, X-Correlation-Id"


def preflight(origins: frozenset[str]) -> Response | None:
    """The answer to a preflight of an allowed origin; None for every other request."""
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
        return None
    if not _is_allowed(origins):
        return None
    response = Response(status=204)
    response.headers["Access-Control-Allow-Methods"] = ALLOWED_METHODS
    response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
    response.headers["Access-Control-Max-Age"] = "600"
    return response


def add_headers(response: Response, origins: frozenset[str]) -> None:
    response.vary.add("Origin")
    if _is_allowed(origins):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS


def _is_allowed(origins: frozenset[str]) -> bool:
    origin = request.headers.get("Origin")
    return origin is not None and (origin in origins or "*" in origins)
