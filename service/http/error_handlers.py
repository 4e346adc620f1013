"""The one place where what was raised becomes an answer: the rules, the runtime, the service."""

from traceback import format_tb
from typing import Any

import structlog
from flask import Flask, Response, g, request
from flask_smorest import Api as SmorestApi
from werkzeug.exceptions import HTTPException

from domain.kernel import RuleViolation
from events import errors
from service.problems.details import status_of
from service.problems.problem import Problem, problem_response
from service.services import current_services

_log = structlog.get_logger()

BY_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "body-too-large",
    414: "uri-too-long",
    415: "unsupported-media-type",
}
BY_ERROR: dict[type[errors.EventsError], str] = {
    errors.UnknownGame: "unknown-game",
    errors.UnknownPlayer: "unknown-player",
    errors.UnknownVersion: "unknown-version",
    errors.KeyReused: "key-reused",
    errors.NotFinished: "not-finished",
    errors.Busy: "busy",
    errors.LogMissing: "log-missing",
    errors.LogBroken: "log-broken",
    errors.UnknownSchema: "unknown-schema",
    errors.UnknownRuleset: "unknown-schema",
    errors.StaleVersion: "stale-version",
    errors.VersionConflict: "version-conflict",
}


TOLD = {"stale-version", "unknown-version", "key-reused", "not-finished", "busy"}
"""Codes of errors whose text is public."""


class Api(SmorestApi):  # type: ignore[misc]
    """flask-smorest with our problem details for what Flask and the schemas refuse."""

    def handle_http_exception(self, error: HTTPException) -> Any:
        if error.code is None or error.code < 400:
            return error
        data: dict[str, Any] = getattr(error, "data", None) or {}
        headers = {k: v for k, v in error.get_headers() if k in {"Allow", "Retry-After"}}
        if error.code == 422:
            return self._unfit(data.get("messages") or {})
        code = BY_STATUS.get(error.code)
        if code is None:
            code = "bad-request" if error.code < 500 else "internal-error"
        return counted(problem_response(code, headers=headers), code)

    def _unfit(self, messages: dict[str, Any]) -> Response:
        """What a schema refused; webargs groups the errors by the place they were found in."""
        place, found = next(iter(messages.items()), ("json", {}))
        code = "invalid-query" if place == "query" else "invalid-body"
        return counted(problem_response(code, errors=found), code)


def register(app: Flask) -> None:
    app.register_error_handler(Problem, _problem)
    app.register_error_handler(RuleViolation, _violation)
    app.register_error_handler(errors.InvalidMove, _invalid_move)
    app.register_error_handler(errors.EventsError, _events_error)
    app.register_error_handler(Exception, _unexpected)


def counted(response: Response, code: str) -> Response:
    current_services().metrics.refusals.labels(code).inc()
    return response


def _problem(problem: Problem) -> Response:
    response = problem_response(problem.code, problem.detail, problem.headers, **problem.facts)
    return counted(response, problem.code)


def _violation(violation: RuleViolation) -> Response:
    facts = {"rule": violation.rule, **violation.facts}
    if violation.code == "game-over":
        game = (request.view_args or {}).get("game_id", "")
        facts["result"] = f"{request.script_root}/v1/games/{game}"
    return counted(problem_response(violation.code, violation.detail, **facts), violation.code)


def _invalid_move(error: errors.InvalidMove) -> Response:
    return counted(problem_response(error.code, error.detail, errors=error.errors), error.code)


def _events_error(error: errors.EventsError) -> Response:
    code = BY_ERROR.get(type(error), "internal-error")
    facts: dict[str, Any] = {}
    if isinstance(error, errors.VersionConflict):
        facts["current_version"] = error.actual
    if status_of(code) == 500:
        # The texts may name what is in the log, and that may be a hand: `verify` tells more.
        version = getattr(error, "version", None)
        game = (request.view_args or {}).get("game_id")
        _log.error("log", code=code, game=game, version=version, correlation=g.correlation)
        facts["correlation"] = g.correlation
    told = code in TOLD or isinstance(error, errors.UnknownRuleset)
    headers = current_services().retries.header() if code == "busy" else {}
    return counted(problem_response(code, str(error) if told else "", headers, **facts), code)


def _unexpected(error: Exception) -> Response:
    """Nothing of the error leaves the house; the log has it under the same correlation id.

    Not its text, which may name a card or a link that is still hidden.
    """
    _log.error(
        "unexpected",
        error=type(error).__name__,
        where=format_tb(error.__traceback__),
        path=request.path,
        correlation=g.correlation,
    )
    return counted(problem_response("internal-error", correlation=g.correlation), "internal-error")
