"""Hamlet, first version."""

from typing import get_args

from domain.kernel import Ruleset
from domain.rulesets.hamlet import evolve, model, narrate, recount, rules, scoring, script, view

HAMLET: Ruleset[model.HamletState] = Ruleset(
    name="hamlet",
    version=1,
    title="Hamlet",
    seat_counts=model.SEAT_COUNTS,
    options=model.HamletOptions,
    moves=get_args(model.HamletMove),
    events=get_args(model.HamletEvent),
    scripted_deal=model.ScriptedDeal,
    complete_options=rules.complete_options,
    initial=rules.initial,
    to_act=rules.to_act,
    question=rules.question,
    legal_moves=rules.legal_moves,
    accept=rules.accept,
    consequence=rules.consequence,
    evolve=evolve.evolve,
    view=view.view,
    outcome=scoring.outcome,
    score_lines=scoring.score_lines,
    recount=recount.recount,
    max_draws=scoring.max_draws,
    script_draws=script.script_draws,
    narrate=narrate.narrate,
    package=__name__,
)
