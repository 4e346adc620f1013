"""Hamlet! the play in five Acts, first version."""

from domain.kernel import Ruleset
from domain.rulesets.hamlet_play import model, recount, rules, scoring, script, view
from domain.rulesets.hamlet_play.cardset import store
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS
from domain.rulesets.hamlet_play.engine import consequences
from domain.rulesets.hamlet_play.evolve import evolve
from domain.rulesets.hamlet_play.narrate import narrate

HAMLET_PLAY: Ruleset[model.HamletPlayState] = Ruleset(
    name="hamlet_play",
    version=1,
    title="Hamlet!",
    seat_counts=SEAT_COUNTS,
    options=model.HamletPlayOptions,
    moves=(model.TakeAction,),
    events=(
        model.StageSet,
        model.EndingsDealt,
        model.FirstPlayerDrawn,
        model.ActionTaken,
        model.DieRolled,
        model.TrackMoved,
        model.StatusChecked,
        model.BoxChecked,
        model.CounterPlaced,
        model.CounterRemoved,
        model.PersonaMoved,
        model.PersonaDied,
        model.SceneEnded,
        model.ActEnded,
        model.PlayStopped,
    ),
    scripted_deal=model.ScriptedDeal,
    complete_options=rules.complete_options,
    initial=rules.initial,
    to_act=rules.to_act,
    question=rules.question,
    legal_moves=rules.legal_moves,
    accept=rules.accept,
    consequence=consequences.consequence,
    evolve=evolve,
    view=view.view,
    outcome=scoring.outcome,
    score_lines=scoring.score_lines,
    recount=recount.recount,
    won_by=scoring.won_by,
    max_draws=rules.max_draws,
    script_draws=script.script_draws,
    extras=store.described,
    narrate=narrate,
)
