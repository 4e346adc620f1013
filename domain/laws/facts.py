"""A game ends; its log says all that happened, once, and needs no chance to be followed."""

from collections.abc import Iterable
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from domain.kernel import IntegrityError
from domain.laws.playing import Broken, Chances, Played, demand, sample
from domain.visibility import undeclared_fields

LEFT_OUT = 10
"""So many answers of a game are left out, each by itself."""


def it_ends(game: Played) -> None:
    """Every game comes to its end, with an outcome, and asks nothing more."""
    demand(game.fault is None, str(game.fault), len(game.log))
    outcome = game.ruleset.outcome(game.end)
    if outcome is None:
        raise Broken("nobody is asked, and there is no outcome", len(game.log))
    draws = sum(getattr(event, "draw", None) is not None for event in game.log)
    chance = Chances(game.ruleset, game.seats, game.seed, draws).next()
    goes_on = game.ruleset.consequence(game.end, chance) is not None
    demand(not goes_on, "the table goes on after the outcome", len(game.log))
    asked = game.ruleset.to_act(game.end)
    demand(not asked, f"seats {asked} are asked after the outcome", len(game.log))
    demand(set(outcome.winners) <= set(range(game.seats)), f"no seat has won: {outcome.winners}")


def draws_are_as_many_as_said(game: Played) -> None:
    """Draws are numbered, each has a purpose of its own, and max_draws holds."""
    bound = game.ruleset.max_draws(game.options, game.seats)
    draws = [event.draw for event in game.log if getattr(event, "draw", None) is not None]
    numbers = [draw.number for draw in draws]
    demand(numbers == list(range(1, len(draws) + 1)), f"draws are numbered {numbers}")
    purposes = {draw.purpose for draw in draws}
    demand(len(purposes) == len(draws), "two draws are for one purpose")
    demand(len(draws) <= bound, f"{len(draws)} draws, where max_draws says {bound}")


def one_secret_draw_at_a_time(game: Played) -> None:
    """A secret draw ends before the next draw begins."""
    is_open = False
    for after, event in enumerate(game.log):
        draw = getattr(event, "draw", None)
        if draw is not None:
            demand(not is_open, f"{draw.purpose} is drawn while another draw is secret", after)
            is_open = draw.link is None
        is_open = is_open and not event.ends_draw


def all_survives_its_codec(game: Played) -> None:
    """Events, moves and options are the same after they were written and read."""
    _survive(game.log, reduce(or_, game.ruleset.events))
    _survive((decision.move for decision in game.decisions), game.ruleset.move_type)
    options = msgspec.convert(msgspec.to_builtins(game.options), game.ruleset.options)
    demand(options == game.options, f"options become {options}")


def events_are_declared(game: Played) -> None:
    """Every event is one of the rule set's, and every field says who may know it."""
    for after, event in enumerate(game.log):
        what = f"{type(event).__name__} is not among the events of the rule set"
        demand(type(event) in game.ruleset.events, what, after)
    for event_type in game.ruleset.events:
        undeclared = undeclared_fields(event_type)
        demand(not undeclared, f"{event_type.__name__} does not say who may know {undeclared}")


def the_log_is_enough(game: Played) -> None:
    """The log folds to the same state, and no chance is needed for it."""
    demand(_fold(game, game.log) == game.end, "the log folds to another state")


def no_fact_follows_itself(game: Played) -> None:
    """A card leaves a hand once, a trick is taken once, a deal is scored once."""
    for after, event in enumerate(game.log, start=1):
        with suppress(IntegrityError):
            game.ruleset.evolve(game.states[after], event)
            raise Broken(f"{type(event).__name__} can follow itself", after)


def no_answer_can_be_left_out(game: Played) -> None:
    """A log without one of its answers is refused, at the next event or a later one."""
    places = [place for place, event in enumerate(game.log) if hasattr(event, "answers")]
    for place in sample(places, LEFT_OUT, game.stream("left out")):
        with suppress(IntegrityError):
            _fold(game, game.log[:place] + game.log[place + 1 :])
            raise Broken("the answer after it is left out, and nobody notices", place)


def _survive(values: Iterable[Any], kind: Any) -> None:
    for value in values:
        again = msgspec.json.decode(msgspec.json.encode(value), type=kind)
        demand(again == value, f"{value} becomes {again}")


def _fold(game: Played, log: Iterable[Any]) -> Any:
    return reduce(game.ruleset.evolve, log, game.states[0])
