"""Pairs: a small game as a distribution from outside would bring it. Two against two, wishes and
tricks; everything that a game may have is in it once."""

from domain.card_games.tricks import PlayCard
from domain.kernel import Ruleset
from tests.outside.pairs import game, model, recount, scoring

PAIRS: Ruleset[model.PairsState] = Ruleset(
    name="pairs",
    version=1,
    title="Pairs",
    seat_counts=(model.SEATS,),
    options=model.PairsOptions,
    moves=(model.PairsWish, PlayCard),
    events=model.EVENTS,
    scripted_deal=model.PairsDeal,
    initial=game.initial,
    to_act=game.to_act,
    question=game.question,
    legal_moves=game.legal_moves,
    accept=game.accept,
    consequence=game.consequence,
    evolve=game.evolve,
    view=game.view,
    outcome=scoring.outcome,
    score_lines=scoring.score_lines,
    recount=recount.recount,
    max_draws=game.max_draws,
    script_draws=game.script_draws,
    won_by=scoring.won_by,
    teams=lambda options, seats: model.TEAMS,
    package=__name__,
)
