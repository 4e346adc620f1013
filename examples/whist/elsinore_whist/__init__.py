"""Partnership whist, first version: a game from outside, installed beside Elsinore."""

from functools import partial
from typing import get_args

from domain.card_games import narration, scripts
from domain.card_games.cards import FRENCH
from domain.card_games.tricks import PlayCard
from domain.kernel import Ruleset
from elsinore_whist import model, recount, rules, view

WHIST: Ruleset[model.WhistState] = Ruleset(
    name="whist",
    version=1,
    title="Whist",
    seat_counts=(model.SEATS,),
    options=model.WhistOptions,
    moves=(PlayCard,),
    events=get_args(model.WhistEvent),
    scripted_deal=model.WhistDeal,
    initial=lambda options, _: model.WhistState(target=options.target),
    to_act=rules.to_act,
    question=rules.question,
    legal_moves=rules.legal_moves,
    accept=rules.accept,
    consequence=rules.consequence,
    evolve=model.evolve,
    view=view.view,
    outcome=rules.outcome,
    score_lines=rules.score_lines,
    recount=recount.recount,
    # One pair scores in each deal; before the last, both may stand one short of the target.
    max_draws=lambda options, _: 2 * options.target,
    script_draws=scripts.whole_deals(FRENCH, lambda options, _: 2 * options.target - 1, "dealer"),
    won_by=rules.won_by,
    teams=lambda options, seats: model.TEAMS,
    narrate=partial(narration.told, FRENCH),
    package=__name__,
)
