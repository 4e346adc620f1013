"""Whoever looks sees what they may know, and nothing else."""

from collections.abc import Sequence
from typing import Any

import msgspec

from domain.kernel import Move
from domain.laws.moves import candidates, refused
from domain.laws.playing import Played, asked_in, demand, sample, tag
from domain.laws.twins import Twins, all_twins, played_on
from domain.visibility import SPECTATOR, Viewer

TRIED = 12
"""Moves, right or wrong, whose refusals are compared."""


def views_have_the_same_keys(game: Played) -> None:
    """All viewers see the same keys, and a view can be written."""
    viewers = [SPECTATOR, *(Viewer(seat) for seat in range(game.seats))]
    for after in {*range(0, len(game.states), 7), len(game.log)}:
        views = [
            msgspec.to_builtins(game.ruleset.view(game.states[after], viewer)) for viewer in viewers
        ]
        for view, viewer in zip(views, viewers, strict=True):
            demand(view.keys() == views[0].keys(), f"{_name(viewer)} sees other keys", after)
            msgspec.json.encode(view)


def the_opener_sees_no_more(game: Played) -> None:
    """Who opened the game sees nothing more of the table by that."""
    for after in range(0, len(game.states), 7):
        seen = game.ruleset.view(game.states[after], Viewer(0))
        more = game.ruleset.view(game.states[after], Viewer(0, opener=True))
        demand(more == seen, "the opener sees more of the table", after)


def what_is_told_alike_looks_alike(game: Played) -> None:
    """Two games of which a viewer has been told the same look the same to them."""
    tried = sample(candidates(game), TRIED, game.stream("tried"))
    for twins in all_twins(game):
        _compare(game, twins, tried)
        for later in played_on(game, twins):
            _compare(game, later, tried)


def _compare(game: Played, twins: Twins, tried: Sequence[Move]) -> None:
    ruleset, viewer = game.ruleset, twins.viewer
    who = f"twins made of event {twins.after + 1} that {_name(viewer)} is told alike differ in"
    one, other = twins.one.state, twins.other.state
    _compare_views(ruleset.view(one, viewer), ruleset.view(other, viewer), who)
    demand(asked_in(ruleset, one) == asked_in(ruleset, other), f"{who} what is asked")
    demand(ruleset.score_lines(one) == ruleset.score_lines(other), f"{who} the score lines")
    demand(ruleset.outcome(one) == ruleset.outcome(other), f"{who} the outcome")
    if viewer.seat is not None and ruleset.question(one, viewer.seat) is not None:
        seat = viewer.seat
        alike = ruleset.legal_moves(one, seat) == ruleset.legal_moves(other, seat)
        demand(alike, f"{who} the legal moves")
        for move in tried:
            refusals = [refused(ruleset, state, seat, move) for state in (one, other)]
            answers = [(r.rule, r.detail, r.code) if r else None for r in refusals]
            demand(answers[0] == answers[1], f"{who} how {tag(type(move))} is refused")


def _compare_views(one: Any, other: Any, who: str) -> None:
    if one != other:
        seen, others = msgspec.to_builtins(one), msgspec.to_builtins(other)
        apart = sorted(name for name in seen if seen[name] != others.get(name))
        demand(not apart, f"{who} the view: {', '.join(apart)}")


def _name(viewer: Viewer) -> str:
    return "a spectator" if viewer.seat is None else f"seat {viewer.seat}"
