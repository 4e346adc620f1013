"""Every schema of the API: those of answers, and of moves and tables by each rule set's Structs."""

from typing import Any, Union, get_type_hints

import msgspec

from domain.game.model import LIFECYCLE_EVENTS, Actor, ScriptPlan
from domain.game.views import SeatView
from domain.kernel import Choice, Refusal, type_name
from domain.registry import RULESETS
from domain.scores import Outcome
from events.accounts.players import Player
from events.projections.store import Scoresheet, Tally
from events.receipts import Receipt
from service.http.schemas import answers
from service.http.schemas.derivation import TEMPLATE, Schema, derived, ref
from service.http.schemas.views import view_schemas

PUBLISHED: tuple[Any, ...] = (
    answers.NewPlayerAnswer,
    answers.PlayerAnswer,
    answers.Token,
    answers.Ticket,
    answers.Game,
    answers.OpenedGame,
    answers.GameSummary,
    answers.Games,
    answers.Presence,
    answers.Links,
    answers.Line,
    answers.Feed,
    answers.Answer,
    answers.Stream,
    answers.Keys,
    answers.Rulesets,
    answers.Ruleset,
    answers.Health,
    answers.Readiness,
    answers.Text,
    answers.Problem,
)
"""Answers, and parts of them, that openapi.yaml has under a name; others are described in place."""

RUNTIME = (
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
)
"""Structs of the runtime, of which answers are made or which are answers themselves."""


def schemas() -> dict[str, Schema]:
    """Every component schema by name."""
    rulesets = [ruleset for _, ruleset in sorted(RULESETS.items())]
    moves = list(dict.fromkeys(move for ruleset in rulesets for move in ruleset.moves))
    tables = [get_type_hints(ruleset.view).get("return", dict[str, Any]) for ruleset in rulesets]
    given = [Union[tuple(moves)], *tables, *RUNTIME]  # noqa: UP007
    refs, structs = msgspec.json.schema_components(given, ref_template=TEMPLATE)
    move = {
        "description": "A move of any game; its type says which.",
        "oneOf": refs[0].get("anyOf", [refs[0]]),
        "discriminator": {
            "propertyName": "type",
            "mapping": {type_name(m): ref(m.__name__)["$ref"] for m in moves},
        },
    }
    tables_of = zip(sorted(RULESETS), refs[1 : 1 + len(tables)], strict=True)
    found = {**structs, "Move": move, **view_schemas(list(tables_of), structs)}
    published = derived(PUBLISHED, found)
    published["Line"]["description"] += f" Types: {', '.join(_event_types())}."
    return dict(sorted({**found, **published}.items()))


def _event_types() -> list[str]:
    kinds = [kind for _, ruleset in sorted(RULESETS.items()) for kind in ruleset.events]
    return [f"`{type_name(kind)}`" for kind in (*LIFECYCLE_EVENTS, *kinds)]
