"""Hearts and Minds, first version."""

from typing import get_args

from domain.card_games.scripts import whole_deals
from domain.kernel import Ruleset
from domain.rulesets.hearts_and_minds import (
    evolve,
    model,
    narrate,
    recount,
    rules,
    scoring,
    view,
)

HEARTS_AND_MINDS: Ruleset[model.HeartsAndMindsState] = Ruleset(
    name="hearts_and_minds",
    version=1,
    title="Hearts and Minds",
    seat_counts=model.SEAT_COUNTS,
    options=model.HeartsAndMindsOptions,
    moves=get_args(model.HeartsAndMindsMove),
    events=get_args(model.HeartsAndMindsEvent),
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
    max_draws=rules.max_draws,
    script_draws=whole_deals(model.DECKS, lambda options, seats: model.DEALS, "leader"),
    narrate=narrate.narrate,
    package=__name__,
)
