"""The shapes of answers, and of moves: derived from the Structs of every registered rule set."""

from typing import Any, Union, get_type_hints

import msgspec

from domain.game.model import LIFECYCLE_EVENTS, Actor, Level, ScriptPlan
from domain.kernel import Choice, Refusal, type_name
from domain.registry import RULESETS
from domain.scores import Outcome
from events.accounts.players import Player
from events.accounts.tokens import SCOPES
from events.projections.store import Scoresheet, Tally
from events.receipts import Receipt
from service.http.schemas.shapes import (
    ANY_OBJECT,
    HEX,
    NULLABLE_INTEGER,
    NULLABLE_STRING,
    STRING,
    VERSION,
    list_of,
    obj,
    ref,
)
from service.http.schemas.views import view_schemas
from service.problems.codes import CODES

TEMPLATE = "#/components/schemas/{name}"


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at the table, and who has it."""

    seat: int
    kind: str
    player: str | None
    level: Level | None
    former: str | None


def schemas() -> dict[str, dict[str, Any]]:
    """Every component schema by name."""
    rulesets = [ruleset for _, ruleset in sorted(RULESETS.items())]
    moves = list(dict.fromkeys(move for ruleset in rulesets for move in ruleset.moves))
    tables = [get_type_hints(ruleset.view).get("return", dict[str, Any]) for ruleset in rulesets]
    own = [
        Choice,
        Refusal,
        SeatView,
        ScriptPlan,
        Outcome,
        Receipt,
        Actor,
        Player,
        Scoresheet,
        Tally,
    ]
    given = [Union[tuple(moves)], *tables, *own]  # noqa: UP007
    refs, derived = msgspec.json.schema_components(given, ref_template=TEMPLATE)
    move = {
        "description": "A move of any game; its type says which.",
        "oneOf": refs[0].get("anyOf", [refs[0]]),
        "discriminator": {
            "propertyName": "type",
            "mapping": {type_name(m): ref(m.__name__)["$ref"] for m in moves},
        },
    }
    found: dict[str, Any] = {**derived, "Move": move, **_game_schemas(), **_other_schemas()}
    tables_of = zip(sorted(RULESETS), refs[1 : 1 + len(tables)], strict=True)
    return dict(sorted((found | view_schemas(list(tables_of), derived)).items()))


def _game_schemas() -> dict[str, Any]:
    game: dict[str, Any] = {
        "id": STRING,
        "view": ref("View"),
        "live": obj(
            more=True,
            names={"type": "object", "additionalProperties": NULLABLE_STRING},
            seats=list_of(ref("Presence")),
            links=ref("Links"),
        ),
    }
    summary = obj(
        id=STRING,
        ruleset=STRING,
        status={"enum": ["open", "playing", "finished"]},
        version=VERSION,
        opened={"type": "string", "format": "date-time"},
        opener=STRING,
        chance={"enum": ["chain", "scripted"]},
        seats=list_of(ref("SeatView")),
        links=ref("Links"),
    )
    return {
        "Links": {"type": "object", "additionalProperties": STRING},
        "Game": obj(**game),
        "OpenedGame": obj(**game, receipt=ref("Receipt")),
        "GameSummary": summary,
        "Games": obj(games=list_of(ref("GameSummary")), next=NULLABLE_STRING),
    }


def _other_schemas() -> dict[str, Any]:
    known = obj(path=STRING, salt=HEX, value={})
    typed = obj(type=STRING, json_schema=ANY_OBJECT)
    event = obj(
        type=STRING, schema={"type": "integer"}, json_schema=ANY_OBJECT, visibility=ANY_OBJECT
    )
    ruleset: dict[str, Any] = {
        "name": STRING,
        "version": VERSION,
        "id": STRING,
        "title": STRING,
        "seats": list_of({"type": "integer"}),
        "links": ref("Links"),
    }
    return {
        "Line": {
            "description": "One entry: the public object, its digest, and the parts its reader "
            f"may know. Types: {', '.join(_event_types())}.",
            **obj(
                ("scheme",),
                scheme=STRING,
                game=STRING,
                version=VERSION,
                type=STRING,
                schema={"type": "integer"},
                data=ANY_OBJECT,
                actor=ref("Actor"),
                command=HEX,
                causation=NULLABLE_INTEGER,
                correlation=STRING,
                at={"type": "string", "format": "date-time"},
                digest=HEX,
                known=list_of(known),
            ),
        },
        "Answer": obj(version=VERSION, events=list_of(ref("Line")), receipt=ref("Receipt")),
        "Feed": obj(version=VERSION, events=list_of(ref("Line"))),
        "Presence": {
            "description": "Whether a seat's player was seen within the last moments; and when, "
            "if at all since yesterday. Bots are always there. Decides nothing.",
            **obj(
                seat={"type": "integer"},
                connected={"type": "boolean"},
                last_seen={"type": ["string", "null"], "format": "date-time"},
            ),
        },
        "Token": obj(id=STRING, token=STRING, scopes=list_of({"enum": sorted(SCOPES)})),
        "Ticket": obj(ticket=STRING, expires_in={"type": "integer"}),
        "PlayerAnswer": obj(
            id=STRING,
            name=NULLABLE_STRING,
            record={"type": "object", "additionalProperties": ref("Tally")},
        ),
        "NewPlayerAnswer": obj(id=STRING, name=STRING, token=STRING),
        "Rulesets": obj(rulesets=list_of(obj(**ruleset))),
        "Ruleset": obj(
            ("card_sets",),
            **ruleset,
            card_sets=list_of(ANY_OBJECT),
            options=ANY_OBJECT,
            moves=list_of(typed),
            events=list_of(event),
            rules={"type": "string", "description": "Markdown."},
            rulings=list_of(obj(id=STRING, title=STRING, text=STRING)),
        ),
        "Keys": obj(keys=list_of(obj(id=STRING, algorithm={"const": "Ed25519"}, public_key=HEX))),
        "Health": obj(ok={"const": True}),
        "Readiness": obj(
            ready={"const": True},
            problems=list_of(obj(name=STRING, detail=STRING, fatal={"type": "boolean"})),
        ),
        "Stream": {
            "type": "string",
            "description": "Events `view`, `live`, `entry`, `reset`, `end`.",
        },
        "Text": STRING,
        "Problem": _problem(),
    }


def _problem() -> dict[str, Any]:
    """A rule set may bring codes of its own, so the list of codes is open."""
    extras: dict[str, Any] = {
        "rule": {**STRING, "description": "The rule that refuses it."},
        "question": {**NULLABLE_STRING, "description": "Your open question."},
        "current_version": VERSION,
        "answered_by": {**VERSION, "description": "The version that answered the question."},
        "legal_moves": list_of({"anyOf": [ref("Move"), ref("Choice")]}),
        "errors": {
            "description": "What does not fit, by field.",
            "anyOf": [ANY_OBJECT, list_of({})],
        },
        "result": {**STRING, "description": "Where the result of the game is."},
        "limit": {**STRING, "description": "Which limit was reached."},
        "retry_after": {"type": "integer", "description": "Seconds, as in Retry-After."},
        "correlation": STRING,
    }
    return obj(
        tuple(extras),
        more=True,
        type=STRING,
        title=STRING,
        status={"type": "integer"},
        code={**STRING, "examples": sorted(CODES)},
        detail=STRING,
        **extras,
    )


def _event_types() -> list[str]:
    kinds = [kind for _, ruleset in sorted(RULESETS.items()) for kind in ruleset.events]
    return [f"`{type_name(kind)}`" for kind in (*LIFECYCLE_EVENTS, *kinds)]
