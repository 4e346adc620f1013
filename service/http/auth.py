"""Who asks: a bearer token in the Authorization header; for a stream alone, a ticket in its URL."""

from flask import g, request

from events.accounts.tokens import Identity, token_hash
from service.http.requests import CHALLENGE, no_query, no_token
from service.problems.problem import Problem
from service.services import current_services

INVALID = {"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}


def caller(scope: str | None = None) -> Identity:
    """The player behind the token, whose call is counted.

    Problem missing-token, invalid-token, missing-scope, too-many-requests, invalid-query.
    """
    return _admitted(token_hash(bearer()), "invalid-token", scope)


def watcher() -> Identity:
    """As `caller`, but where there is no token, a ticket will do. Problem invalid-ticket."""
    if "Authorization" in request.headers or "ticket" not in request.args:
        return caller()
    token = current_services().tickets.token_of(request.args["ticket"])
    if token is None:
        raise Problem("invalid-ticket", headers=INVALID)
    return _admitted(token, "invalid-ticket", None)


def bearer() -> str:
    """The token itself. Problem missing-token."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if kind.lower() != "bearer" or not token:
        raise no_token()
    return token


def _admitted(token: str, otherwise: str, scope: str | None) -> Identity:
    services = current_services()
    identity = services.players.tokens.holder(token)
    if identity is None:
        raise Problem(otherwise, headers=INVALID)
    if scope is not None and scope not in identity.scopes:
        headers = {"WWW-Authenticate": f'{CHALLENGE}, error="insufficient_scope"'}
        raise Problem("missing-scope", f"The token lacks the scope {scope}.", headers=headers)
    services.rates.check_request(identity.player)
    g.player, g.token = identity.player, token
    if request.query_string:
        no_query()
    return identity
