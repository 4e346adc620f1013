"""Every point counted twice: by the scorer of the rules, and by the second one, from the cards."""

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from domain.game.model import Finished
from domain.registry import find
from domain.scores import ScoreLine
from events.audit.replay import Replay
from events.audit.report import Failed, entry


def check_scores(found: Replay) -> str:
    """Both scorers give the same lines, and these add up to the totals that are recorded."""
    found.whole()
    ruleset = find(found.states[0].ruleset)
    with entry(len(found.events)):
        recounted = ruleset.recount(found.facts)
    counted, deal = 0, 0
    sums: Counter[int] = Counter()
    for place, event in enumerate(found.events):
        with entry(place + 1):
            lines = ruleset.score_lines(found.states[place].state, deal)
            if lines:
                again = recounted[counted : counted + len(lines)]
                _check_lines(place + 1, lines, again)
                counted, deal = counted + len(lines), lines[-1].deal
                for line in again:
                    sums[line.seat] += line.points
            totals = getattr(event, "totals", None)
            if isinstance(event, Finished) and event.outcome is not None:
                totals = event.outcome.standings.totals
            if totals is not None:
                _check_totals(place + 1, totals, sums)
    if len(recounted) != counted:
        raise Failed(len(found.events), "the second scorer finds points that nobody recorded")
    return f"{counted} score lines"


def _check_lines(version: int, lines: Iterable[ScoreLine], recounted: Iterable[ScoreLine]) -> None:
    first = [replace(line, versions=()) for line in lines]
    second = [replace(line, versions=()) for line in recounted]
    if first != second:
        raise Failed(
            version,
            "the two scorers disagree",
            expected=msgspec.to_builtins(second),
            found=msgspec.to_builtins(first),
        )


def _check_totals(version: int, totals: tuple[int, ...], sums: Counter[int]) -> None:
    expected = [sums[seat] for seat in range(len(totals))]
    if list(totals) != expected:
        raise Failed(
            version,
            "the totals are not the sum of the points",
            expected=expected,
            found=list(totals),
        )
