"""Who asks: a bearer token in the Authorization header, and nowhere else."""

from flask import request

from events.players import Identity
from service.problems import Problem
from service.services import services

CHALLENGE = 'Bearer realm="elsinore"'


def caller(scope: str | None = None) -> Identity:
    """The player behind the token. Problem missing-token, invalid-token, missing-scope."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if kind.lower() != "bearer" or not token:
        raise Problem("missing-token", headers={"WWW-Authenticate": CHALLENGE})
    identity = services().players.identify(token)
    if identity is None:
        headers = {"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}
        raise Problem("invalid-token", headers=headers)
    if scope is not None and scope not in identity.scopes:
        headers = {"WWW-Authenticate": f'{CHALLENGE}, error="insufficient_scope"'}
        raise Problem("missing-scope", f"The token lacks the scope {scope}.", headers=headers)
    return identity
