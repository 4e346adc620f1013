"""Hearts, first version."""

from typing import get_args

from domain.card_games.cards import FRENCH
from domain.card_games.scripts import whole_deals
from domain.kernel import Ruleset
from domain.rulesets.hearts import evolve, model, narrate, recount, rules, scoring, view

HEARTS: Ruleset[model.HeartsState] = Ruleset(
    name="hearts",
    version=1,
    title="Hearts",
    seat_counts=(model.SEATS,),
    options=model.HeartsOptions,
    moves=get_args(model.HeartsMove),
    events=get_args(model.HeartsEvent),
    scripted_deal=model.ScriptedDeal,
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
    script_draws=whole_deals(FRENCH, scoring.max_draws),
    narrate=narrate.narrate,
    package=__name__,
)
