"""Refusals by the service itself, and problem details as answers."""

from collections.abc import Mapping
from typing import Any

from flask import Response

from service.problems.codes import PROBLEM_JSON
from service.problems.details import problem_body
from service.problems.locale import preferred, spoken


class Problem(Exception):
    """A refusal by the service itself. `facts` go into the problem, `headers` beside it."""

    def __init__(
        self, code: str, detail: str = "", *, headers: Mapping[str, str] | None = None, **facts: Any
    ) -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.facts = facts


def problem_response(
    code: str, detail: str = "", headers: Mapping[str, str] | None = None, **facts: Any
) -> Response:
    language = preferred()
    status, body = problem_body(code, detail, language, **facts)
    response = Response(body, status, content_type=PROBLEM_JSON)
    response.headers.update(headers or {})
    return spoken(response, language, "en" if detail else language)
