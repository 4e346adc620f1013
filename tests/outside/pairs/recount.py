"""Pairs scored a second time, from the cards as text."""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.scores import ScoreLine
from tests.outside.pairs.model import CardPlayed, DealScored, Dealt, WishesRevealed


def recount(
    facts: Iterable[tuple[int, Any]], before: Sequence[ScoreLine] = ()
) -> tuple[ScoreLine, ...]:
    lines: list[ScoreLine] = []
    deal = before[-1].deal if before else 0
    played, wishes = list[tuple[int, int, str]](), (0, tuple[int, ...]())
    for version, event in facts:
        match event:
            case Dealt():
                deal, played = deal + 1, []
            case WishesRevealed():
                wishes = version, event.wishes
            case CardPlayed():
                played.append((version, event.seat, event.card))
            case DealScored():
                lines += _lines(deal, played, wishes)
            case _:
                continue
    return tuple(lines)


def _lines(
    deal: int, played: list[tuple[int, int, str]], wishes: tuple[int, tuple[int, ...]]
) -> list[ScoreLine]:
    lines, taken = [], [0] * 4
    for number in (1, 2, 3):
        trick = played[4 * number - 4 : 4 * number]
        suit = trick[0][2][1]
        _, seat, _ = max((p for p in trick if p[2][1] == suit), key=lambda p: p[2])
        taken[seat] += 1
        versions = tuple(version for version, _, _ in trick)
        lines += [
            ScoreLine(
                deal=deal,
                seat=partner,
                points=1,
                reason=f"seat {seat} took trick {number}",
                ruling="PA-1",
                trick=number,
                versions=versions,
            )
            for partner in (seat % 2, seat % 2 + 2)
        ]
    version, wished = wishes
    for seat, wish in enumerate(wished):
        if wish == taken[seat]:
            lines += [
                ScoreLine(
                    deal=deal,
                    seat=partner,
                    points=2,
                    reason=f"the wish of seat {seat} came true",
                    ruling="PA-2",
                    versions=(version, *(v for v, _, _ in played)),
                )
                for partner in (seat % 2, seat % 2 + 2)
            ]
    return lines
