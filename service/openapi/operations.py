"""What the description of a route says beyond its arguments: answers, problems, headers."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from service.http.caching import VERSION_TAG
from service.http.schemas.answers import Answer, Feed, Game, OpenedGame
from service.http.schemas.derivation import name_of, ref

KEY = "IdempotencyKey"
IF_MATCH = "IfMatch"
IF_MATCH_REQUIRED = "IfMatchRequired"
IF_NONE_MATCH = "IfNoneMatch"
LAST_EVENT_ID = "LastEventId"
LANGUAGE = "AcceptLanguage"

PARAMETERS: dict[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Sent again with the same key, a command is done once and answered alike.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The version you saw, as its ETag has it, or *.",
        "schema": {"type": "string", "pattern": f"^((W/)?{VERSION_TAG}|\\*)$"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The ETag of what you have; 304 where it is still so and never changes.",
        "schema": {"type": "string"},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "description": "`en` or `ja`; English where nothing is said.",
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "The last version you have; the stream goes on after it.",
        "schema": {"type": "string"},
    },
}
PARAMETERS["IfMatchRequired"] = PARAMETERS["IfMatch"] | {"required": True}

VERSION_ETAG = {
    "ETag": {
        "description": "The version, for If-Match; more after it where the answer never changes.",
        "schema": {"type": "string"},
    }
}
IN_A_LANGUAGE = {
    "Content-Language": {
        "description": "What it is written in.",
        "schema": {"type": "string"},
    }
}
SHOWS_A_VERSION = {Answer, OpenedGame, Game, Feed}


def _links(parameter: str, *operations: str) -> dict[str, Any]:
    """From an answer with an `id` to the operations that take it; of seats, the first."""
    found = {}
    for operation in operations:
        given: dict[str, Any] = {parameter: "$response.body#/id"}
        if operation.endswith("Seat"):
            given["seat"] = "0"
        found[operation] = {"operationId": operation, "parameters": given}
    return found


LINKS = {
    "createPlayer": _links("player_id", "getPlayer", "renamePlayer", "rotateToken", "revokeToken"),
    "openGame": _links(
        "game_id",
        "getGame",
        "closeGame",
        "takeSeat",
        "leaveSeat",
        "makeMove",
        "getEvents",
        "streamGame",
        "getLog",
    ),
}

OVER = "The game is over, and you have all of it: do not come back."
WITHOUT_A_BODY = {"streamGame": {"204": {"description": OVER}}}
KEPT = {
    *("listRulesets", "getRuleset", "getOpenapi"),
    *("getGame", "getEvents", "getLog", "getScoresheet"),
}
"""Whose answer never changes, or not always."""

UNCHANGED = {"304": {"description": "You have it already, as your If-None-Match says."}}

TOKEN_OR_TICKET: dict[str, Any] = {"security": [{"bearer": []}, {"ticket": []}]}


def json_request(name: str) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": ref(name)}}}


def described(
    operation: str,
    status: int,
    answer: type[msgspec.Struct] | None,
    problems: Sequence[int],
    parameters: Sequence[str] = (),
    *,
    public: bool = False,
    other: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The documentation of one operation. `other` gives further media types with their answers."""
    kinds = {"application/json": answer} if answer else {}
    content = {
        kind: {"schema": ref(name_of(what))} for kind, what in (kinds | dict(other or {})).items()
    }
    success: dict[str, Any] = {"description": "Done."}
    if content:
        success["content"] = content
    if answer in SHOWS_A_VERSION:
        success["headers"] = VERSION_ETAG
    if LANGUAGE in parameters:
        success["headers"] = IN_A_LANGUAGE
    if operation in LINKS:
        success["links"] = LINKS[operation]
    always = {422, 429, 500, 503} if not public else {500}
    described: dict[str, Any] = {
        "operationId": operation,
        "responses": {
            str(status): success,
            **WITHOUT_A_BODY.get(operation, {}),
            **(UNCHANGED if operation in KEPT else {}),
            **{
                str(p): {"$ref": f"#/components/responses/Problem{p}"}
                for p in sorted({*problems, *always})
            },
        },
        "security": [] if public else [{"bearer": []}],
    }
    if parameters:
        described["parameters"] = list(parameters)
    return described
