"""Rule sets: what can be played, and by which rules."""

import msgspec
from flask import Response

from domain.kernel import RuleViolation
from domain.registry import RULESETS, find, latest
from service.http.requests import Blueprint
from service.http.responses import answer, json_answer
from service.http.schemas.answers import Ruleset, Rulesets
from service.openapi import rulesets
from service.openapi.operations import LANGUAGE, described
from service.problems.locale import preferred, spoken
from service.problems.problem import Problem

blp = Blueprint("rulesets", __name__, description="What can be played.")


@blp.route("/rulesets", methods=["GET"])
@blp.doc(**described("listRulesets", 200, Rulesets, [], public=True))
def list_rulesets() -> Response:
    """List every rule set."""
    return json_answer(Rulesets(rulesets=tuple(map(rulesets.summary, RULESETS.values()))))


@blp.route("/rulesets/<name>", methods=["GET"])
@blp.doc(**described("getRuleset", 200, Ruleset, [404], [LANGUAGE], public=True))
def get_ruleset(name: str) -> Response:
    """Describe one: options, moves, events with their visibility, rules and rulings.

    A name alone is its newest version; `name@version` is that one. Rules and rulings are in
    English or Japanese, by Accept-Language. A game played with card sets shows each of them whole.
    """
    try:
        ruleset = find(name) if "@" in name else latest(name)
    except RuleViolation as violation:
        raise Problem("not-found", violation.detail) from None
    has, language = rulesets.languages_of(ruleset), preferred()
    if language not in has:
        language = "en"
    described = rulesets.description(ruleset, language)
    body = msgspec.to_builtins(described) | dict(ruleset.extras())
    return spoken(answer(msgspec.json.encode(body)), language)
