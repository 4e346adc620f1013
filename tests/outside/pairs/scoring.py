"""Rulings PA-1 and PA-2: a trick is 1 for each of a pair, a wish that comes true 2."""

from collections.abc import Iterator, Sequence

from domain import scores
from domain.card_games.tricks import Trick, tricks_taken
from domain.scores import Better, Outcome, ScoreLine
from tests.outside.pairs.model import SEATS, TEAMS, PairsState

Wishes = Sequence[int | None]


def points(tricks: tuple[Trick, ...], wishes: Wishes) -> tuple[int, ...]:
    lines = list(_lines(0, tricks, wishes))
    return tuple(sum(line.points for line in lines if line.seat == seat) for seat in range(SEATS))


def score_lines(state: PairsState, after: int = 0) -> tuple[ScoreLine, ...]:
    return tuple(
        line
        for deal, (tricks, wishes) in enumerate(state.scored[after:], start=after + 1)
        for line in _lines(deal, tricks, wishes)
    )


def _lines(deal: int, tricks: tuple[Trick, ...], wishes: Wishes) -> Iterator[ScoreLine]:
    for number, trick in enumerate(tricks, start=1):
        for seat in _team_of(trick.taker):
            reason = f"seat {trick.taker} took trick {number}"
            yield ScoreLine(
                deal=deal, seat=seat, points=1, reason=reason, ruling="PA-1", trick=number
            )
    for wisher, taken in enumerate(tricks_taken(tricks, SEATS)):
        if wishes[wisher] == taken:
            for seat in _team_of(wisher):
                reason = f"the wish of seat {wisher} came true"
                yield ScoreLine(deal=deal, seat=seat, points=2, reason=reason, ruling="PA-2")


def outcome(state: PairsState) -> Outcome | None:
    if not state.dealing or state.deal < state.deals:
        return None
    return won_by(state.totals, "higher")


def won_by(
    totals: Sequence[int], better: Better, tie_break: Sequence[int] | None = None
) -> Outcome:
    return scores.outcome(totals, better, tie_break, TEAMS)


def _team_of(seat: int) -> tuple[int, ...]:
    return next(team for team in TEAMS if seat in team)
