"""What the cards taken are worth, and how a game of Hearts ends (rulings HE-3, HE-4)."""

from collections.abc import Iterator, Sequence

from domain import scores
from domain.card_games.cards import FRENCH, CardSet
from domain.card_games.tricks import taking_card
from domain.kernel import Seat
from domain.rulesets.hearts import model
from domain.rulesets.hearts.model import HEARTS, QUEEN_OF_SPADES, SEATS, HeartsState
from domain.scores import Outcome, ScoreLine

ALL_POINTS = 26


def points_of(cards: CardSet) -> int:
    """Each heart 1, QS 13, everything else nothing."""
    return (cards & HEARTS).bit_count() + (13 if cards & QUEEN_OF_SPADES else 0)


def moon_of(captured: Sequence[CardSet]) -> Seat | None:
    """The seat that took all 13 hearts and QS, judged by the cards themselves."""
    everything = HEARTS | QUEEN_OF_SPADES
    for seat, cards in enumerate(captured):
        if cards & everything == everything:
            return seat
    return None


def score(captured: Sequence[CardSet]) -> tuple[tuple[int, ...], Seat | None, tuple[int, ...]]:
    """Points taken, who shot the moon, and the points of the deal after that (ruling HE-4)."""
    taken = tuple(points_of(cards) for cards in captured)
    moon = moon_of(captured)
    if moon is None:
        return taken, None, taken
    return taken, moon, tuple(0 if seat == moon else ALL_POINTS for seat in range(SEATS))


def outcome(state: HeartsState) -> Outcome | None:
    """Ruling HE-3: judged on the totals after the moon; the lowest wins, several share it."""
    return scores.outcome(state.totals, "lower") if state.phase == "over" else None


def max_draws(options: model.HeartsOptions, seats: int) -> int:
    """Every deal adds at least 26, and before the last one no total has reached the target."""
    return seats * (options.target_score - 1) // ALL_POINTS + 1


def score_lines(state: HeartsState, after: int = 0) -> tuple[ScoreLine, ...]:
    """A line for each scoring card taken, then those of a moon, deal by deal."""
    return tuple(line for scored in state.scored[after:] for line in _deal_lines(scored))


def _deal_lines(scored: model.ScoredDeal) -> Iterator[ScoreLine]:
    for number, trick in enumerate(scored.tricks, start=1):
        yield from _trick_lines(scored.deal, number, trick)
    if scored.moon is not None:
        for seat in range(SEATS):
            yield ScoreLine(
                deal=scored.deal,
                seat=seat,
                points=-ALL_POINTS if seat == scored.moon else ALL_POINTS,
                reason=f"seat {scored.moon} took all thirteen hearts and QS (HE-4)",
                ruling="hearts.moon",
            )


def _trick_lines(deal: int, number: int, trick: model.Trick) -> Iterator[ScoreLine]:
    taking = FRENCH.code(taking_card(sum(trick.cards), FRENCH.suit_of(trick.cards[0])))
    for card in trick.cards:
        if points := points_of(card):
            code = FRENCH.code(card)
            yield ScoreLine(
                deal=deal,
                seat=trick.taker,
                points=points,
                reason=f"took {code} in trick {number} with {taking}",
                ruling="hearts.score",
                trick=number,
                card=code,
            )
