"""Rule sets: what can be played, and by which rules."""

from functools import lru_cache
from typing import Any

import msgspec
from flask import Response, request

from domain import kernel
from domain.kernel import RuleViolation
from domain.registry import RULESETS, find, latest
from service.http.auth import anybody
from service.http.caching import Document, prepared, public_document
from service.http.requests import Blueprint
from service.http.responses import JSON
from service.http.schemas.answers import Ruleset, Rulesets
from service.openapi import rulesets
from service.openapi.operations import LANGUAGE, described
from service.problems.locale import preferred, spoken
from service.problems.problem import Problem
from service.problems.titles_ja import Language

blp = Blueprint("rulesets", __name__, description="What can be played.")


@blp.route("/rulesets", methods=["GET"])
@blp.doc(**described("listRulesets", 200, Rulesets, [429], public=True))
def list_rulesets() -> Response:
    """List every rule set."""
    anybody()
    return public_document(_listed(tuple(RULESETS.values()), request.script_root))


@blp.route("/rulesets/<name>", methods=["GET"])
@blp.doc(**described("getRuleset", 200, Ruleset, [404, 429], [LANGUAGE], public=True))
def get_ruleset(name: str) -> Response:
    """Describe one: options, moves, events with their visibility, rules and rulings.

    A name alone is its newest version; `name@version` is that one. Rules and rulings are in
    English or Japanese, by Accept-Language. A game played with card sets shows each of them whole.
    """
    anybody()
    try:
        ruleset = find(name) if "@" in name else latest(name)
    except RuleViolation as violation:
        raise Problem("not-found", violation.detail) from None
    has, language = rulesets.languages_of(ruleset), preferred()
    if language not in has:
        language = "en"
    known = _described(ruleset, language, request.script_root)
    return spoken(public_document(known), language)


@lru_cache(maxsize=8)
def _listed(all_of_them: tuple[kernel.Ruleset[Any], ...], prefix: str) -> Document:
    told = Rulesets(rulesets=tuple(rulesets.summary(ruleset, prefix) for ruleset in all_of_them))
    return prepared(msgspec.json.encode(told), JSON)


@lru_cache(maxsize=64)
def _described(ruleset: kernel.Ruleset[Any], language: Language, prefix: str) -> Document:
    described = rulesets.description(ruleset, language, prefix)
    told = msgspec.to_builtins(described) | dict(ruleset.extras())
    return prepared(msgspec.json.encode(told), JSON)
