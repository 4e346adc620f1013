"""The second scorer: every point again, from the cards as they were played and nothing else.

It trusts neither who is said to have taken a trick nor any points that are stated, and shares no
code with the first. Written as a player counts after the game: trick by trick, cards as text.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.rulesets.hearts.model import CardPlayed, DealScored, Dealt
from domain.scores import ScoreLine

RANKS = "23456789TJQKA"
WORTH = {"QS": 13} | {rank + "H": 1 for rank in RANKS}


class Played(NamedTuple):
    version: int
    seat: int
    card: str


class Taken(NamedTuple):
    trick: int
    scoring: Played
    taking: Played


def recount(
    facts: Iterable[tuple[int, Any]], before: Sequence[ScoreLine] = ()
) -> tuple[ScoreLine, ...]:
    """The score lines of every deal played out, with the versions of the entries behind each.

    `facts` are (version, event) pairs in order, all of a game or those after the deals whose lines
    `before` are; other kinds of event are passed over.
    """
    lines: list[ScoreLine] = []
    deal = before[-1].deal if before else 0
    played: list[Played] = []
    for version, event in facts:
        match event:
            case Dealt():
                deal, played = deal + 1, []
            case CardPlayed():
                played.append(Played(version, event.seat, event.card))
            case DealScored():
                taken = list(_taken(played))
                lines += [_card_line(deal, capture) for capture in taken]
                lines += _moon_lines(deal, taken)
            case _:
                continue
    return tuple(lines)


def _taken(played: list[Played]) -> Iterator[Taken]:
    """Each scoring card, with the card that took it."""
    for start in range(0, len(played), 4):
        trick = played[start : start + 4]
        suit = trick[0].card[1]
        taking = max(
            (play for play in trick if play.card[1] == suit),
            key=lambda play: RANKS.index(play.card[0]),
        )
        for play in trick:
            if play.card in WORTH:
                yield Taken(start // 4 + 1, play, taking)


def _card_line(deal: int, taken: Taken) -> ScoreLine:
    card, trick = taken.scoring.card, taken.trick
    return ScoreLine(
        deal=deal,
        seat=taken.taking.seat,
        points=WORTH[card],
        reason=f"took {card} in trick {trick} with {taken.taking.card}",
        ruling="hearts.score",
        trick=trick,
        card=card,
        versions=_versions([taken]),
    )


def _moon_lines(deal: int, taken: list[Taken]) -> list[ScoreLine]:
    """Fourteen scoring cards, all with one seat: it gets nothing, each other seat 26."""
    takers = {capture.taking.seat for capture in taken}
    if len(takers) != 1 or {capture.scoring.card for capture in taken} != set(WORTH):
        return []
    shooter = takers.pop()
    return [
        ScoreLine(
            deal=deal,
            seat=seat,
            points=-26 if seat == shooter else 26,
            reason=f"seat {shooter} took all thirteen hearts and QS (HE-4)",
            ruling="hearts.moon",
            versions=_versions(taken),
        )
        for seat in range(4)
    ]


def _versions(taken: Iterable[Taken]) -> tuple[int, ...]:
    behind = {play.version for t in taken for play in (t.scoring, t.taking)}
    return tuple(sorted(behind))
