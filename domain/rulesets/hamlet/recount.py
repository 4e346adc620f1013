"""The second scorer: every trick and bid again, from the cards as they were played.

It reads the trump suit, the bids and the cards, and nothing else: it trusts neither who is said to
have taken a trick nor any points that are stated. Written as a player counts after the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.rulesets.hamlet.model import BidMade, CardPlayed, DealScored, Dealt
from domain.scores import ScoreLine

RANKS = "23456789TJQKA"


class Said(NamedTuple):
    version: int
    bid: int


class Played(NamedTuple):
    version: int
    seat: int
    card: str


def recount(
    facts: Iterable[tuple[int, Any]], before: Sequence[ScoreLine] = ()
) -> tuple[ScoreLine, ...]:
    """The score lines of every deal played out, with the versions of the entries behind each.

    `facts` are (version, event) pairs in order, all of a game or those after the deals whose lines
    `before` are; other kinds of event are passed over.
    """
    lines: list[ScoreLine] = []
    deal, shown, trump = before[-1].deal if before else 0, 0, ""
    said, played = dict[int, Said](), list[Played]()
    for version, event in facts:
        match event:
            case Dealt():
                deal, shown, trump = deal + 1, version, event.trump or ""
                said, played = {}, []
            case BidMade():
                said[event.seat] = Said(version, event.bid)
            case CardPlayed():
                played.append(Played(version, event.seat, event.card))
            case DealScored():
                taken = list(_taken(played, len(said), trump))
                lines += _trick_lines(deal, shown, taken)
                lines += _bid_lines(deal, said, taken)
            case _:
                continue
    return tuple(lines)


def _taken(
    played: list[Played], seats: int, trump: str
) -> Iterator[tuple[Played, tuple[int, ...]]]:
    """The card that takes each trick, and the versions of all its cards."""
    for start in range(0, len(played), seats):
        trick = played[start : start + seats]
        trumps = [play for play in trick if play.card[1] == trump]
        followed = [play for play in trick if play.card[1] == trick[0].card[1]]
        taking = max(trumps or followed, key=lambda play: RANKS.index(play.card[0]))
        yield taking, tuple(play.version for play in trick)


def _trick_lines(
    deal: int, shown: int, taken: list[tuple[Played, tuple[int, ...]]]
) -> Iterator[ScoreLine]:
    for number, (taking, versions) in enumerate(taken, start=1):
        yield ScoreLine(
            deal=deal,
            seat=taking.seat,
            points=0,
            reason=f"took trick {number} with {taking.card}",
            ruling="hamlet.trick",
            trick=number,
            card=taking.card,
            versions=(shown, *versions),
        )


def _bid_lines(
    deal: int, said: dict[int, Said], taken: list[tuple[Played, tuple[int, ...]]]
) -> Iterator[ScoreLine]:
    for seat in sorted(said):
        bid, took = said[seat].bid, 0
        versions = [said[seat].version]
        for taking, _ in taken:
            if taking.seat == seat:
                took += 1
                versions.append(taking.version)
        if took == bid:
            points, ending = 10 + bid, ""
        else:
            points, ending = (bid - took if took > bid else took - bid), ", no bonus"
        yield ScoreLine(
            deal=deal,
            seat=seat,
            points=points,
            reason=f"bid {bid}, took {took}: {points:+d}{ending}",
            ruling="hamlet.score",
            versions=tuple(versions),
        )
