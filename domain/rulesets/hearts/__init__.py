"""Hearts, first version."""

from domain.card_games.tricks import PlayCard
from domain.kernel import Ruleset
from domain.rulesets.hearts import model, recount, rules, scoring, script, view
from domain.rulesets.hearts.evolve import evolve
from domain.rulesets.hearts.narrate import narrate

HEARTS: Ruleset[model.HeartsState] = Ruleset(
    name="hearts",
    version=1,
    title="Hearts",
    seat_counts=(model.SEATS,),
    options=model.HeartsOptions,
    moves=(model.PassCards, PlayCard),
    events=(
        model.Dealt,
        model.CardsPassed,
        model.PassesSwapped,
        model.CardPlayed,
        model.TrickTaken,
        model.DealScored,
    ),
    scripted_deal=model.ScriptedDeal,
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
