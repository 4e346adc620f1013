"""Given, when, then for Hearts and Minds: hands, tables and tricks are texts such as `3T 10M`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from domain import kernel
from domain.card_games.cards import members
from domain.card_games.tricks import PlayCard
from domain.kernel import Move, RuleViolation
from domain.rulesets.hearts_and_minds import HEARTS_AND_MINDS, scoring
from domain.rulesets.hearts_and_minds.model import (
    DECKS,
    ChooseGoal,
    Goal,
    HeartsAndMindsOptions,
    HeartsAndMindsState,
    ScoredDeal,
    SuitlessScoring,
    Trick,
)
from domain.scores import ScoreLine
from tests.chances import QuickChance, TableChance
from tests.tables import Table

RULESET: Any = HEARTS_AND_MINDS  # events and views are read in tests without narrowing them first

MOST: Goal = "most-hearts-and-minds"
LEAST: Goal = "least-thoughts-and-prayers"
DIET: Goal = "balanced-diet"
HEARTLESS: Goal = "heartless"
MINDLESS: Goal = "mindless"

FOUR_SUITS = tuple(" ".join(DECKS[4].listed(DECKS[4].suits[suit])) for suit in "HMTP")


# --- given


def position(
    *,
    hands: Mapping[int, str],
    table: str = "",
    leader: int = 0,
    goals: Sequence[Goal] = (MOST, MOST, MOST, MOST),
    trick: int = 4,
) -> HeartsAndMindsState:
    """A first deal under way. Tricks before this one are made of the cards that are not named."""
    seats = len(goals)
    deck = DECKS[seats]
    held = tuple(deck.set_of(hands.get(seat, "").split()) for seat in range(seats))
    cards = tuple(map(deck.card, table.split()))
    spare = list(members(deck.all & ~sum(held) & ~sum(cards)))
    earlier = [tuple(spare[seats * n : seats * (n + 1)]) for n in range(trick - 1)]
    return HeartsAndMindsState(
        suitless_scoring="graded",
        totals=(0,) * seats,
        used=tuple((goal,) for goal in goals),
        hands=held,
        picks=tuple(goals),
        first_leader=0,
        deal=1,
        deal_leader=0,
        leader=leader,
        trick_cards=cards,
        tricks=tuple(Trick(0, four, leader, "H") for four in earlier),
    )


def bound(hand: str, table: str, goal: Goal = HEARTLESS) -> HeartsAndMindsState:
    """Three have played, and seat 3, which is bound by its goal, is to play from `hand`."""
    return position(hands={3: hand}, table=table, goals=(MOST, MOST, MOST, goal))


def deal_of(
    goals: Sequence[Goal], taken: Mapping[int, Sequence[str]], suitless: SuitlessScoring = "graded"
) -> scoring.Deal:
    """Tricks by their taker, each a text of cards; the first card of each has taken it."""
    deck = DECKS[len(goals)]
    tricks = tuple(
        Trick(seat, tuple(map(deck.card, cards.split())), seat, "H")
        for seat, piles in taken.items()
        for cards in piles
    )
    return scoring.Deal(1, tuple(goals), tricks, deck, suitless)


def deal_over(
    taken: Mapping[int, Sequence[str]],
    totals: tuple[int, ...],
    goals: Sequence[Goal] = (HEARTLESS, DIET, DIET, DIET),
) -> HeartsAndMindsState:
    """A deal with nothing left but to score it; the last seat has taken all that is not named."""
    deal = deal_of(goals, taken)
    seats, last = len(goals), len(goals) - 1
    spare = list(members(deal.deck.all & ~sum(sum(trick.cards) for trick in deal.tricks)))
    rest = [tuple(spare[n : n + seats]) for n in range(0, len(spare), seats)]
    return msgspec.structs.replace(
        position(hands={}, goals=goals, trick=1),
        totals=totals,
        leader=last,
        tricks=(*deal.tricks, *(Trick(last, cards, last, "H") for cards in rest)),
    )


def played_rounds(*rounds: Sequence[int], totals: Sequence[Sequence[int]]) -> HeartsAndMindsState:
    """A game that is over, with the points of each of its four rounds and the totals after it."""
    seats = len(rounds[0])
    goals: tuple[Goal, ...] = (MOST, LEAST, DIET, HEARTLESS)
    return HeartsAndMindsState(
        suitless_scoring="graded",
        totals=tuple(totals[-1]),
        used=(goals,) * seats,
        hands=(0,) * seats,
        picks=(None,) * seats,
        first_leader=0,
        deal=4,
        scored=tuple(
            ScoredDeal(number, (goal,) * seats, (), tuple(points), tuple(after))
            for number, (goal, points, after) in enumerate(
                zip(goals, rounds, totals, strict=True), start=1
            )
        ),
    )


def new_table(
    seats: int = 4,
    seed: int = 0,
    options: HeartsAndMindsOptions | None = None,
    script: Mapping[str, Any] | None = None,
) -> Table:
    chance = QuickChance(seed) if script is None else TableChance(seed, script)
    return Table(RULESET, chance, options=options, seats=seats)


# --- when


def choose(table: Table, seat: int, goal: Goal) -> tuple[Any, ...]:
    return table.play(seat, goal_move(table.state, goal))


def choose_all(table: Table, goals: Sequence[Goal]) -> tuple[Any, ...]:
    """In the order of the seats; the events of the last choice."""
    events: tuple[Any, ...] = ()
    for seat, goal in enumerate(goals):
        events = choose(table, seat, goal)
    return events


def goal_move(state: HeartsAndMindsState, goal: Goal) -> ChooseGoal:
    return ChooseGoal(answers=f"d{state.deal}.goal", goal=goal)


def play(state: HeartsAndMindsState, seat: int, card: str) -> tuple[Any, HeartsAndMindsState]:
    chance = QuickChance(0)
    return kernel.decide(
        state,
        RULESET.accept(state, seat, PlayCard(answers="d1.t4", card=card)),
        RULESET.evolve,
        lambda after: RULESET.consequence(after, chance),
    )


def play_all(table: Table, order: str) -> tuple[Any, ...]:
    """The named cards, each by the seat whose turn it is; all events that came of it."""
    before = len(table.log)
    for card in order.split():
        (seat,) = table.waiting_for
        asked = RULESET.question(table.state, seat)
        table.play(seat, PlayCard(answers=asked, card=card))
    return tuple(table.log[before:])


def play_out_deal(table: Table) -> None:
    """The lowest legal card every time, to the end of the deal."""
    scored = len(table.state.scored)
    while len(table.state.scored) == scored:
        (seat,) = table.waiting_for
        table.play(seat, RULESET.legal_moves(table.state, seat).moves[0])


# --- then


def legal(state: HeartsAndMindsState, seat: int = 3) -> str:
    """The legal cards, as a text in card order."""
    moves = RULESET.legal_moves(state, seat).moves
    return " ".join(move.card for move in moves)


def why_not(state: HeartsAndMindsState, card: str, seat: int = 3) -> str:
    """The rule that refuses a card; the legal moves name the same one."""
    rule = refused(state, seat, PlayCard(answers="d1.t4", card=card)).rule
    listed = {r.card: r.rule for r in RULESET.legal_moves(state, seat).refused}
    assert listed[card] == rule
    return rule


def refused(state: HeartsAndMindsState, seat: int, move: Move) -> RuleViolation:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.accept(state, seat, move)
    return refusal.value


def points(deal: scoring.Deal, seat: int = 0) -> int:
    return scoring.points(deal)[seat]


def said(deal: scoring.Deal, seat: int = 0) -> list[tuple[str, str]]:
    """Reason and ruling of each line of a seat."""
    return [(line.reason, line.ruling) for line in lines(deal, seat)]


def lines(deal: scoring.Deal, seat: int = 0) -> list[ScoreLine]:
    return list(scoring.goal_lines(deal, seat))


def only(events: Iterable[object], event_type: type) -> Any:
    (found,) = [event for event in events if isinstance(event, event_type)]
    return found
