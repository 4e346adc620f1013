"""The scoresheet: every point of the scored deals counted again, from the cards, and compared.

A deal is counted once: what a sheet says of it is taken over into the sheets of later versions.

The points that a game goes by are the rules' own. The sheet has those of the second scorer; where
the two differ, or the log states other sums, it is flagged and has both.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.game.model import Finished
from domain.kernel import Event
from domain.registry import find
from domain.scores import ScoreLine
from events.projections.store import Disagreement, Scoresheet, SheetDeal
from workers.projections.history import History

Sums = tuple[int, ...]


def scoresheet(history: History) -> Scoresheet | None:
    """None before the first deal is scored. What `history.sheet` has is not counted again."""
    before = history.sheet
    counted = before.deals if before else ()
    totals = before.totals if before else (0,) * len(history.game.seats)
    new, apart = _count(history, counted, totals)
    if not (counted or new or apart):
        return None
    deals = (*counted, *new)
    totals = deals[-1].totals if deals else totals
    disagreements = (
        *(before.disagreements if before else ()),
        *apart,
        *_outcome_apart(history, totals, deals[-1].points if deals else None),
    )
    return Scoresheet(
        game=history.id,
        version=history.version,
        ruleset=history.game.ruleset,
        chance=history.game.chance,
        deals=deals,
        totals=totals,
        outcome=history.game.outcome,
        scores_disagree=bool(disagreements),
        disagreements=disagreements,
    )


def _count(
    history: History, counted: Sequence[SheetDeal], totals: Sums
) -> tuple[list[SheetDeal], list[Disagreement]]:
    """The deals after those that are counted, and where the two scorers or the log differ there."""
    ruleset = find(history.game.ruleset)
    before = [line for deal in counted for line in deal.lines]
    lines = ruleset.recount(history.facts, before)
    recorded = ruleset.score_lines(history.game.state, counted[-1].deal if counted else 0)
    records = list(_records(history.facts, len(counted)))
    deals = _deals(lines, records, totals)
    apart = [
        *_lines_apart(history.version, deals, recorded, lines),
        *_sums_apart(records, deals),
    ]
    return deals, sorted(apart, key=lambda one: one.deal or 0)


def counted_for_good(history: History, sheet: Scoresheet | None) -> History:
    """The history that the next sheet is to be made of: without the facts of the deals in this one.

    Unchanged where a deal has no entry that scores it: what is said of it may still change.
    """
    deals = sheet.deals if sheet else ()
    if not deals or not deals[-1].lines or not all(deal.version for deal in deals):
        return history
    last = deals[-1].version
    facts = tuple(fact for fact in history.facts if fact[0] > last)
    return replace(history, facts=facts, sheet=sheet)


class _Recorded(msgspec.Struct, frozen=True):
    """What an entry says a deal came to; points only where it says them by seat."""

    version: int
    deal: int
    points: Sums | None
    totals: Sums


def _records(facts: Iterable[tuple[int, Event]], number: int) -> Iterator[_Recorded]:
    """Every entry that states totals scores a deal, whatever the game; `number` were before."""
    for version, event in facts:
        totals: Any = getattr(event, "totals", None)
        if isinstance(totals, tuple):
            number += 1
            points: Any = getattr(event, "points", None)
            yield _Recorded(
                version,
                getattr(event, "deal", number),
                points if isinstance(points, tuple) else None,
                totals,
            )


def _deals(
    lines: Sequence[ScoreLine], records: Sequence[_Recorded], totals: Sums
) -> list[SheetDeal]:
    """The deals that were scored, and any for which the second scorer alone finds points."""
    versions = {record.deal: record.version for record in records}
    seats, deals = len(totals), list[SheetDeal]()
    for deal in sorted({*versions, *(line.deal for line in lines)}):
        own = tuple(line for line in lines if line.deal == deal)
        totals = tuple(map(sum, zip(totals, sums(own, seats), strict=True)))
        points = sums((line for line in own if not line.of_total), seats)
        deals.append(
            SheetDeal(
                deal=deal,
                version=versions.get(deal, 0),
                lines=own,
                points=points,
                totals=totals,
            )
        )
    return deals


def sums(lines: Iterable[ScoreLine], seats: int) -> Sums:
    """Points by seat."""
    found = [0] * seats
    for line in lines:
        found[line.seat] += line.points
    return tuple(found)


def _lines_apart(
    version: int,
    deals: Iterable[SheetDeal],
    recorded: Iterable[ScoreLine],
    recounted: Iterable[ScoreLine],
) -> Iterator[Disagreement]:
    """Deal by deal, the versions of entries apart, which the rules' own scorer does not state.

    Where no entry scores a deal, the difference is that of `version`.
    """
    first, second = _by_deal(recorded), _by_deal(recounted)
    scored = {deal.deal: deal.version or version for deal in deals}
    for deal in sorted({*first, *second}):
        if first.get(deal) != second.get(deal):
            yield Disagreement(
                version=scored.get(deal, version),
                deal=deal,
                what="lines",
                recorded=msgspec.to_builtins(first.get(deal, [])),
                recounted=msgspec.to_builtins(second.get(deal, [])),
            )


def _by_deal(lines: Iterable[ScoreLine]) -> dict[int, list[ScoreLine]]:
    found: dict[int, list[ScoreLine]] = {}
    for line in lines:
        found.setdefault(line.deal, []).append(replace(line, versions=()))
    return found


def _sums_apart(records: Iterable[_Recorded], deals: Iterable[SheetDeal]) -> Iterator[Disagreement]:
    by_number = {deal.deal: deal for deal in deals}
    for record in records:
        deal = by_number[record.deal]
        if record.points is not None and record.points != deal.points:
            yield Disagreement(
                version=record.version,
                deal=record.deal,
                what="points",
                recorded=record.points,
                recounted=deal.points,
            )
        if record.totals != deal.totals:
            yield Disagreement(
                version=record.version,
                deal=record.deal,
                what="totals",
                recorded=record.totals,
                recounted=deal.totals,
            )


def _outcome_apart(
    history: History, totals: Sums, last_deal: Sums | None
) -> Iterator[Disagreement]:
    """A game that was played out is won by whom the recounted totals say, and where it parts equal
    ones the recounted points of the last deal."""
    version, last = history.facts[-1] if history.facts else (0, None)
    if not isinstance(last, Finished) or last.outcome is None:
        return
    final = last.outcome.standings
    tie_break = None if final.tie_break is None else last_deal
    recounted = find(history.game.ruleset).won_by(totals, final.better, tie_break)
    if recounted != last.outcome:
        yield Disagreement(
            version=version,
            deal=None,
            what="outcome",
            recorded=msgspec.to_builtins(last.outcome),
            recounted=msgspec.to_builtins(recounted),
        )
