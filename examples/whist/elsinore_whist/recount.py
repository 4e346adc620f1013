"""The second scorer: every odd trick again, from the cards as they were played and nothing else."""

from collections.abc import Iterable, Iterator
from typing import Any

from domain.scores import ScoreLine
from elsinore_whist.model import TEAMS, CardPlayed, DealScored, Dealt, odd_trick

RANKS = "23456789TJQKA"


def recount(facts: Iterable[tuple[int, Any]], before: object = ()) -> tuple[ScoreLine, ...]:
    """The score lines of every deal played out, with the versions of the entries behind each."""
    lines, deal = list[ScoreLine](), list[tuple[int, Any]]()
    for version, event in facts:
        if isinstance(event, Dealt):
            deal = [(version, event)]
        elif isinstance(event, CardPlayed):
            deal.append((version, event))
        elif isinstance(event, DealScored):
            lines += _lines(*deal)
    return tuple(lines)


def _lines(dealt: tuple[int, Any], *played: tuple[int, Any]) -> Iterator[ScoreLine]:
    (shown, deal), taken = dealt, [0, 0]
    for number in range(1, 14):
        trick = {play.card: (at, play.seat) for at, play in played[4 * number - 4 : 4 * number]}
        led, trump = next(iter(trick))[1], deal.turned[1]
        card = max(trick, key=lambda c: (c[1] == trump, c[1] == led, RANKS.index(c[0])))
        pair = trick[card][1] % 2
        taken[pair] += 1
        if taken[pair] > 6:
            versions = (shown, *(at for at, _ in trick.values()))
            for seat in TEAMS[pair]:
                yield odd_trick(
                    deal=deal.deal, seat=seat, trick=number, card=card, versions=versions
                )
