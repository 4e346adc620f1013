"""What the cards taken are worth to each goal, and how a game of Hearts and Minds ends.

The lines come first: the points of a seat are the sum of its lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from msgspec.structs import replace

from domain import scores
from domain.card_games.cards import Card, Deck
from domain.card_games.tricks import taken_cards
from domain.kernel import Seat
from domain.rulesets.hearts_and_minds import model, wording
from domain.rulesets.hearts_and_minds.model import SUITS, HeartsAndMindsState, Trick
from domain.scores import Outcome, ScoreLine, Standings

LIMIT = -3
DIET = {4: 3, 3: 1, 2: -1, 1: -3}

Rival = tuple[Seat, int]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal played out, with what each seat has taken."""

    number: int
    goals: tuple[model.Goal, ...]
    tricks: tuple[Trick, ...]
    deck: Deck
    suitless: model.SuitlessScoring

    def counts(self, suits: str) -> list[int]:
        """By seat, how many cards of these suits it has taken."""
        wanted = sum(self.deck.suits[suit] for suit in suits)
        taken = taken_cards(self.tricks, len(self.goals))
        return [(cards & wanted).bit_count() for cards in taken]

    def tricks_of(self, seat: Seat) -> list[tuple[int, Trick]]:
        return [(n, t) for n, t in enumerate(self.tricks, start=1) if t.taker == seat]

    def cards_of(self, seat: Seat, suit: str) -> list[tuple[int, Card, Trick]]:
        """The cards of one suit a seat has taken, in the order they were played."""
        wanted = self.deck.suits[suit]
        return [
            (number, card, trick)
            for number, trick in self.tricks_of(seat)
            for card in trick.cards
            if card & wanted
        ]

    def taking(self, trick: Trick) -> str:
        return self.deck.code(trick.cards[(trick.taker - trick.leader) % len(self.goals)])

    def line(
        self,
        seat: Seat,
        points: int,
        reason: str,
        ruling: str,
        trick: int | None = None,
        card: str | None = None,
    ) -> ScoreLine:
        return ScoreLine(
            deal=self.number,
            seat=seat,
            points=points,
            reason=reason,
            ruling=ruling,
            trick=trick,
            card=card,
        )


def points(deal: Deal) -> tuple[int, ...]:
    """Of this deal alone, by seat; what holds a total at 0 is not among them."""
    return tuple(
        sum(line.points for line in goal_lines(deal, seat)) for seat in range(len(deal.goals))
    )


def goal_lines(deal: Deal, seat: Seat) -> Iterator[ScoreLine]:
    goal = deal.goals[seat]
    match goal:
        case "most-hearts-and-minds":
            return _most(deal, seat)
        case "least-thoughts-and-prayers":
            return _least(deal, seat)
        case "balanced-diet":
            return _diet(deal, seat)
        case "heartless" | "mindless":
            if deal.suitless == "graded":
                return _graded(deal, seat, wording.SHUNNED[goal])
            return _fewest(deal, seat, wording.SHUNNED[goal])
        case _:
            assert_never(goal)


def _most(deal: Deal, seat: Seat) -> Iterator[ScoreLine]:
    """The pairs count made or missed; ruling HM-9 for a seat without tricks."""
    counts = deal.counts("HM")
    rival = _first_other(counts, max(counts), seat)
    won = 3 if rival is None else -1
    reason = wording.most(counts[seat], rival, won)
    yield deal.line(seat, won, reason, _unless_idle(deal, seat, "hearts_and_minds.most"))
    pairs = list(zip(deal.cards_of(seat, "T"), deal.cards_of(seat, "P"), strict=False))
    if not pairs:
        yield deal.line(seat, 0, wording.NO_PAIR, "hearts_and_minds.pairs")
    for number, (thought, prayer) in enumerate(pairs, start=1):
        last = max(thought, prayer, key=lambda taken: taken[0])
        named = [(deal.deck.code(card), trick) for trick, card, _ in (thought, prayer)]
        yield deal.line(
            seat,
            -1,
            wording.pair(number, named[0], named[1]),
            "hearts_and_minds.pairs",
            trick=last[0],
            card=deal.deck.code(last[1]),
        )
    yield from _limit(deal, seat, won - len(pairs), "hearts_and_minds.most")


def _least(deal: Deal, seat: Seat) -> Iterator[ScoreLine]:
    """Ruling HM-8: the trick it needs is a condition of the score, not a duty in play."""
    tricks = deal.tricks_of(seat)
    for number, trick in tricks:
        taking = deal.taking(trick)
        reason = wording.trick_taken(number, taking)
        yield deal.line(seat, 1, reason, "hearts_and_minds.least", trick=number, card=taking)
    if not tricks:
        yield deal.line(seat, -3, wording.LEAST_WITHOUT_TRICKS, "HM-9")
        return
    counts = deal.counts("TP")
    rival = _first_other(counts, min(counts), seat)
    missed = 0 if rival is None else -3
    yield deal.line(
        seat, missed, wording.least(counts[seat], rival, missed), "hearts_and_minds.least"
    )


def _diet(deal: Deal, seat: Seat) -> Iterator[ScoreLine]:
    """Ruling HM-3: two pairs of equal counts are two equal."""
    if not deal.tricks_of(seat):
        yield deal.line(seat, 3, wording.DIET_WITHOUT_TRICKS, "HM-9")
        return
    counts = {suit: deal.counts(suit)[seat] for suit in SUITS}
    alike = sorted(list(counts.values()).count(count) for count in set(counts.values()))
    two_and_two = alike == [2, 2]
    equal = wording.TWO_AND_TWO if two_and_two else wording.EQUAL[alike[-1]]
    worth = DIET[alike[-1]]
    ruling = "HM-3" if two_and_two else "hearts_and_minds.diet"
    yield deal.line(seat, worth, wording.diet(counts, equal, worth), ruling)


def _graded(deal: Deal, seat: Seat, suit: str) -> Iterator[ScoreLine]:
    """Ruling HM-2: 3 less the cards of the suit, not below -3."""
    yield deal.line(seat, 3, wording.graded(suit), _unless_idle(deal, seat, "HM-2"))
    cards = deal.cards_of(seat, suit)
    for number, card, trick in cards:
        code = deal.deck.code(card)
        reason = wording.shunned_card(code, number, deal.taking(trick))
        yield deal.line(seat, -1, reason, "HM-2", trick=number, card=code)
    yield from _limit(deal, seat, 3 - len(cards), "HM-2")


def _fewest(deal: Deal, seat: Seat, suit: str) -> Iterator[ScoreLine]:
    """Ruling HM-2, the other way: the fewest of all, ties included, or not."""
    counts = deal.counts(suit)
    rival = _first_other(counts, min(counts), seat)
    worth = 3 if rival is None else -3
    yield deal.line(seat, worth, wording.fewest(suit, counts[seat], rival, worth), "HM-2")


def _limit(deal: Deal, seat: Seat, result: int, ruling: str) -> Iterator[ScoreLine]:
    if result < LIMIT:
        yield deal.line(seat, LIMIT - result, wording.limited(LIMIT - result), ruling)


def _unless_idle(deal: Deal, seat: Seat, ruling: str) -> str:
    return ruling if deal.tricks_of(seat) else "HM-9"


def _first_other(counts: Sequence[int], best: int, seat: Seat) -> Rival | None:
    """The first seat that has the best count, where this one has not."""
    return None if counts[seat] == best else (list(counts).index(best), best)


# --- the whole game


def score_lines(state: HeartsAndMindsState, after: int = 0) -> tuple[ScoreLine, ...]:
    """Deal by deal and seat by seat: its goal, then what holds its total at 0 (ruling HM-7)."""
    lines: list[ScoreLine] = []
    totals = state.scored[after - 1].totals if after else (0,) * state.seats
    for scored in state.scored[after:]:
        lines += _deal_lines(state, scored, totals)
        totals = scored.totals
    return tuple(lines)


def _deal_lines(
    state: HeartsAndMindsState, scored: model.ScoredDeal, before: tuple[int, ...]
) -> Iterator[ScoreLine]:
    deal = Deal(scored.deal, scored.goals, scored.tricks, state.deck, state.suitless_scoring)
    for seat in range(state.seats):
        yield from goal_lines(deal, seat)
        total = before[seat] + scored.points[seat]
        if total < 0:
            line = deal.line(seat, -total, wording.held(total, -total), "HM-7")
            yield replace(line, of_total=True)


def standings(state: HeartsAndMindsState) -> Standings:
    """Ranks by the totals; once the game is over, the better last round parts equal totals.

    Ruling HM-5: that round's own score counts, before the total was held at 0.
    """
    last_round = state.scored[-1].points if state.phase == "over" else None
    return scores.standings(state.totals, "higher", last_round)


def outcome(state: HeartsAndMindsState) -> Outcome | None:
    """The highest total wins; several that are equal in the last round too share it."""
    if state.phase != "over":
        return None
    return scores.outcome(state.totals, "higher", state.scored[-1].points)
