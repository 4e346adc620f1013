"""Who asks: a bearer token in the Authorization header; for a stream alone, a ticket in its URL."""

from flask import g, request

from events.accounts.tokens import Identity, token_hash
from service.http.requests import CHALLENGE, no_query, no_token
from service.problems.problem import Problem
from service.services import Services, current_services

INVALID = {"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}


def caller(scope: str | None = None) -> Identity:
    """The player behind the token, whose call is counted.

    Problem missing-token, invalid-token, missing-scope, too-many-requests, invalid-query.
    """
    services = current_services()
    identity = services.players.tokens.identify(bearer())
    return _admitted(services, identity, "invalid-token", scope)


def watcher() -> Identity:
    """As `caller`, but where there is no token, a ticket will do. Problem invalid-ticket."""
    if "Authorization" in request.headers or "ticket" not in request.args:
        return caller()
    services = current_services()
    g.token = services.tickets.token_of(request.args["ticket"])
    holder = None if g.token is None else services.players.tokens.holder(g.token)
    return _admitted(services, holder, "invalid-ticket", None)


def anybody() -> None:
    """Whoever reads what is open to all, whose call is counted. Problem too-many-requests."""
    current_services().rates.check_open_read()


def token_in_use() -> str:
    """The hash of the token that is sent, or that the ticket stands for."""
    return g.token if "token" in g else token_hash(bearer())


def bearer() -> str:
    """The token itself. Problem missing-token."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if kind.lower() != "bearer" or not token:
        raise no_token()
    return token


def _admitted(
    services: Services, identity: Identity | None, otherwise: str, scope: str | None
) -> Identity:
    if identity is None:
        raise Problem(otherwise, headers=INVALID)
    if scope is not None and scope not in identity.scopes:
        headers = {"WWW-Authenticate": f'{CHALLENGE}, error="insufficient_scope"'}
        raise Problem("missing-scope", f"The token lacks the scope {scope}.", headers=headers)
    services.rates.check_request(identity.player)
    g.player = identity.player
    if request.query_string:
        no_query()
    return identity
