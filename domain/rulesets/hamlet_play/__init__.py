"""Hamlet! the play in five Acts, first version."""

from functools import partial

from domain.kernel import Event, Ruleset
from domain.rulesets.hamlet_play import model, recount, rules, scoring, script, view
from domain.rulesets.hamlet_play.cardset.store import CardSets
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS
from domain.rulesets.hamlet_play.engine import consequences
from domain.rulesets.hamlet_play.evolve import evolve
from domain.rulesets.hamlet_play.narrate import narrate

EVENTS: tuple[type[Event], ...] = (
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
)


def hamlet_play(card_sets: CardSets) -> Ruleset[model.HamletPlayState]:
    """Hamlet! with these card sets to open games with, and to judge them by."""
    return Ruleset(
        name="hamlet_play",
        version=1,
        title="Hamlet!",
        seat_counts=SEAT_COUNTS,
        options=model.HamletPlayOptions,
        moves=(model.TakeAction,),
        events=EVENTS,
        scripted_deal=model.ScriptedDeal,
        complete_options=partial(rules.complete_options, card_sets),
        initial=partial(rules.initial, card_sets),
        to_act=rules.to_act,
        question=rules.question,
        legal_moves=rules.legal_moves,
        accept=rules.accept,
        consequence=consequences.consequence,
        evolve=evolve,
        view=view.view,
        outcome=scoring.outcome,
        score_lines=scoring.score_lines,
        recount=partial(recount.recount, card_sets),
        won_by=scoring.won_by,
        max_draws=partial(rules.max_draws, card_sets),
        script_draws=partial(script.script_draws, card_sets),
        extras=card_sets.described,
        narrate=narrate,
        package=__name__,
    )
