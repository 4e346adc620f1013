"""Hamlet, first version."""

from domain.card_games.tricks import PlayCard
from domain.kernel import Ruleset
from domain.rulesets.hamlet import model, recount, rules, scoring, script, view
from domain.rulesets.hamlet.evolve import evolve
from domain.rulesets.hamlet.narrate import narrate

HAMLET: Ruleset[model.HamletState] = Ruleset(
    name="hamlet",
    version=1,
    title="Hamlet",
    seat_counts=model.SEAT_COUNTS,
    options=model.HamletOptions,
    moves=(model.PlaceBid, PlayCard),
    events=(
        model.DealerDrawn,
        model.Dealt,
        model.BidMade,
        model.CardPlayed,
        model.TrickTaken,
        model.DealScored,
    ),
    scripted_deal=model.ScriptedDeal,
    complete_options=rules.complete_options,
    initial=rules.initial,
    to_act=rules.to_act,
    question=rules.question,
    legal_moves=rules.legal_moves,
    accept=rules.accept,
    consequence=rules.consequence,
    evolve=evolve,
    view=view.view,
    outcome=scoring.outcome,
    score_lines=scoring.score_lines,
    recount=recount.recount,
    max_draws=scoring.max_draws,
    script_draws=script.script_draws,
    narrate=narrate,
    package=__name__,
)
