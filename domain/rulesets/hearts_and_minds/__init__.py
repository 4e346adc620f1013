"""Hearts and Minds, first version."""

from domain.card_games.tricks import PlayCard
from domain.kernel import Ruleset
from domain.rulesets.hearts_and_minds import model, recount, rules, scoring, script, view
from domain.rulesets.hearts_and_minds.evolve import evolve
from domain.rulesets.hearts_and_minds.narrate import narrate

HEARTS_AND_MINDS: Ruleset[model.HeartsAndMindsState] = Ruleset(
    name="hearts_and_minds",
    version=1,
    title="Hearts and Minds",
    seat_counts=model.SEAT_COUNTS,
    options=model.HeartsAndMindsOptions,
    moves=(model.ChooseGoal, PlayCard),
    events=(
        model.LeaderDrawn,
        model.Dealt,
        model.GoalChosen,
        model.GoalsRevealed,
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
    max_draws=rules.max_draws,
    script_draws=script.script_draws,
    narrate=narrate,
    package=__name__,
)
