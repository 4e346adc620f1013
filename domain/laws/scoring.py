"""Every point is counted twice, alike; the points come to the totals, the totals to the outcome."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from domain.kernel import Event
from domain.laws.playing import Played, demand
from domain.scores import ScoreLine


class Elsewhere(Event, frozen=True, kw_only=True, tag="laws.elsewhere"):
    """An event that no rule set has."""


def both_scorers_agree(game: Played) -> None:
    """The second scorer finds the same lines, each with entries of the log behind it."""
    lines = game.ruleset.score_lines(game.end)
    recounted = game.ruleset.recount(game.facts)
    for first, second in zip(lines, recounted, strict=False):
        found = replace(second, versions=())
        demand(first == found, f"the scorers differ: {first}, recounted {found}")
        behind = set(second.versions) <= set(range(1, len(game.log) + 1))
        demand(behind, f"{second} names entries that the log does not have")
    demand(len(lines) == len(recounted), f"{len(lines)} lines, recounted {len(recounted)}")


def both_scorers_go_on_after_each_deal(game: Played) -> None:
    """After each entry that states totals, the lines to come are those of the later deals alone."""
    lines = game.ruleset.score_lines(game.end)
    recounted = game.ruleset.recount(game.facts)
    for after, event in enumerate(game.log, start=1):
        if not isinstance(getattr(event, "totals", None), tuple):
            continue
        before = game.ruleset.recount(game.facts[:after])
        if not before:
            continue
        rest = game.ruleset.recount(game.facts[after:], before)
        demand((*before, *rest) == recounted, "the second scorer does not go on from here", after)
        deal = before[-1].deal
        later = tuple(line for line in lines if line.deal > deal)
        same = game.ruleset.score_lines(game.end, deal) == later
        demand(same, "the lines of the later deals are others", after)


def the_second_scorer_keeps_to_its_events(game: Played) -> None:
    """The second scorer passes over events of other kinds."""
    noisy = [fact for pair in game.facts for fact in (pair, (pair[0], Elsewhere()))]
    same = game.ruleset.recount(noisy) == game.ruleset.recount(game.facts)
    demand(same, "it counts otherwise where other events stand between")


def lines_come_to_what_is_recorded(game: Played) -> None:
    """The lines of a deal add up to the points recorded for it, and all lines to the totals."""
    for after, event in enumerate(game.log, start=1):
        totals, points = getattr(event, "totals", None), getattr(event, "points", None)
        if not isinstance(totals, tuple):
            continue
        lines = game.ruleset.score_lines(game.states[after])
        _check_sums("totals", totals, lines, game.seats, after)
        if isinstance(points, tuple) and hasattr(event, "deal"):
            own = [line for line in lines if line.deal == event.deal and not line.of_total]
            _check_sums("points", points, own, game.seats, after)


def the_outcome_is_what_the_totals_mean(game: Played) -> None:
    """The outcome is the one of the final totals, and its teams are teams of the game."""
    outcome = game.ruleset.outcome(game.end)
    if outcome is None:
        return
    final = outcome.standings
    _check_sums("final totals", final.totals, game.ruleset.score_lines(game.end), game.seats)
    meant = game.ruleset.won_by(final.totals, final.better, final.tie_break)
    demand(meant == outcome, f"the outcome is {outcome}; won_by says {meant}")
    teams = game.ruleset.teams(game.options, game.seats)
    demand((outcome.teams is not None) == bool(teams), "teams are named where there are teams")
    if outcome.teams is not None:
        demand(set(outcome.teams) <= set(teams), f"{outcome.teams} are not all teams of the game")
        members = sorted(seat for team in outcome.teams for seat in team)
        demand(members == sorted(outcome.winners), "the winners are not the seats of the teams")


def _check_sums(
    what: str, stated: tuple[int, ...], lines: Iterable[ScoreLine], seats: int, after: Any = None
) -> None:
    sums = [0] * seats
    for line in lines:
        sums[line.seat] += line.points
    demand(list(stated) == sums, f"{what} {list(stated)}, where the lines make {sums}", after)
