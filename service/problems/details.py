"""The body of a problem (RFC 9457)."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.game.model import Version
from domain.kernel import LegalMove
from service.problems.codes import CODES, REFUSED_BY_RULE
from service.problems.titles_ja import JAPANESE, Language


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True):
    type: str
    title: str
    status: int
    code: Annotated[str, Meta(examples=sorted(CODES))]
    detail: str
    rule: Annotated[str, Meta(description="The rule that refuses it.")] | UnsetType = UNSET
    question: Annotated[str | None, Meta(description="Your open question.")] | UnsetType = UNSET
    current_version: Version | UnsetType = UNSET
    answered_by: (
        Annotated[Version, Meta(description="The version that answered the question.")] | UnsetType
    ) = UNSET
    legal_moves: tuple[LegalMove, ...] | UnsetType = UNSET
    errors: (
        Annotated[dict[str, Any] | list[Any], Meta(description="What does not fit, by field.")]
        | UnsetType
    ) = UNSET
    result: Annotated[str, Meta(description="Where the result of the game is.")] | UnsetType = UNSET
    limit: Annotated[str, Meta(description="Which limit was reached.")] | UnsetType = UNSET
    retry_after: Annotated[int, Meta(description="Seconds, as in Retry-After.")] | UnsetType = UNSET
    correlation: str | UnsetType = UNSET


def problem_body(
    code: str, detail: str = "", language: Language = "en", **facts: Any
) -> tuple[int, bytes]:
    """Status and body. The title is in `language`; a `detail` of the rules is in English.

    Facts stand in the order they are given in, those after the details; a rule set may bring some
    that are not described.
    """
    status, title = status_of(code), title_of(code, language)
    details = ProblemDetails(
        type=f"urn:elsinore:problem:{code}",
        title=title,
        status=status,
        code=code,
        detail=detail or title,
    )
    body = msgspec.to_builtins(details) | {
        name: value for name, value in facts.items() if value is not None
    }
    return status, msgspec.json.encode(body)


def status_of(code: str) -> int:
    return CODES.get(code, REFUSED_BY_RULE)[0]


def title_of(code: str, language: Language) -> str:
    """A code that a rule set brings and these tables lack is a refusal by the rules."""
    known = code if code in CODES else "illegal-move"
    return CODES[known][1] if language == "en" else JAPANESE[known]
