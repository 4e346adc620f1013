"""What a bid is worth, kept or not, and how a game of Hamlet ends (ruling HA-7)."""

from collections.abc import Iterator

from domain import scores
from domain.card_games.cards import FRENCH
from domain.card_games.tricks import taking_card, tricks_taken
from domain.rulesets.hamlet.model import HamletOptions, HamletState, ScoredDeal
from domain.scores import Outcome, ScoreLine

BONUS = 10


def points_for(bid: int, taken: int) -> int:
    """The bid and 10 where it was kept exactly, 0 included; else minus what it is missed by."""
    return bid + BONUS if taken == bid else -abs(taken - bid)


def outcome(state: HamletState) -> Outcome | None:
    """Ruling HA-7: the highest total wins, several share it; totals may be negative."""
    return scores.outcome(state.totals, "higher") if state.phase == "over" else None


def max_draws(options: HamletOptions, seats: int) -> int:
    """The first dealer, and each deal. No game has more than 99, whatever its seats."""
    return 1 + (options.deals or 99)


def score_lines(state: HamletState, after: int = 0) -> tuple[ScoreLine, ...]:
    """Each trick taken, which is worth nothing in itself, then each bid, deal by deal."""
    return tuple(line for scored in state.scored[after:] for line in _deal_lines(scored))


def _deal_lines(scored: ScoredDeal) -> Iterator[ScoreLine]:
    for number, trick in enumerate(scored.tricks, start=1):
        led = FRENCH.suit_of(trick.cards[0])
        card = FRENCH.code(taking_card(sum(trick.cards), led, scored.trump))
        yield ScoreLine(
            deal=scored.deal,
            seat=trick.taker,
            points=0,
            reason=f"took trick {number} with {card}",
            ruling="hamlet.trick",
            trick=number,
            card=card,
        )
    taken = tricks_taken(scored.tricks, len(scored.bids))
    for seat, (bid, took) in enumerate(zip(scored.bids, taken, strict=True)):
        points = scored.points[seat]
        yield ScoreLine(
            deal=scored.deal,
            seat=seat,
            points=points,
            reason=f"bid {bid}, took {took}: {points:+d}" + ("" if bid == took else ", no bonus"),
            ruling="hamlet.score",
        )
