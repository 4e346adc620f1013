"""Given, when, then for Hearts, in card notation: hands and tables are texts such as `3C AC QS`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from domain import kernel
from domain.card_games.cards import FRENCH, CardSet, members
from domain.card_games.tricks import PlayCard
from domain.chance import Draw
from domain.kernel import Choice, RuleViolation
from domain.rulesets.hearts import HEARTS as RULES
from domain.rulesets.hearts.model import (
    HEARTS,
    QUEEN_OF_SPADES,
    Dealt,
    HeartsMove,
    HeartsState,
    PassCards,
    Trick,
)
from domain.rulesets.hearts.scoring import points_of
from tests.chances import QuickChance
from tests.tables import Table

RULESET: Any = RULES  # views, events and outcomes are read in tests without narrowing them first

FOUR_SUITS = tuple(" ".join(FRENCH.listed(FRENCH.suits[suit])) for suit in "CHDS")


def cards(text: str) -> CardSet:
    return FRENCH.set_of(text.split())


# --- given


def position(
    *,
    hands: Mapping[int, str],
    table: str = "",
    leader: int = 0,
    trick: int = 5,
    broken: bool = False,
    deal: int = 1,
) -> HeartsState:
    """A deal under way. Tricks before this one are made of the cards that are not named."""
    held = tuple(cards(hands.get(seat, "")) for seat in range(4))
    spare = _spare_cards([*held, cards(table)])
    earlier = [spare[4 * n : 4 * n + 4] for n in range(trick - 1)]
    return HeartsState(
        target_score=100,
        deal=deal,
        hands=held,
        leader=leader,
        trick_cards=tuple(FRENCH.card(code) for code in table.split()),
        tricks=tuple(Trick(0, tuple(four), leader, points_of(sum(four))) for four in earlier),
        broken=broken,
    )


def dealt(hands: Iterable[str], *, deal: int = 4, totals: tuple[int, ...] = (0, 0, 0, 0)) -> Table:
    """A table at which these four hands are dealt as deal number `deal`; the 4th has no pass."""
    listed = [hand.split() for hand in hands]
    chance = _Arranged(deal, [card for four in zip(*listed, strict=True) for card in four])
    before = HeartsState(target_score=100, totals=totals, deal=deal - 1)
    return Table(RULESET, chance, state=before)


def at_deal(deal: int, seed: int = 0) -> Table:
    """A table just after the deal of that number, hands by chance."""
    return Table(RULESET, QuickChance(seed), state=HeartsState(100, deal=deal - 1))


def all_tricks_taken(taken: Mapping[int, str], totals: tuple[int, ...]) -> HeartsState:
    """A deal with nothing left but to score it; each seat has taken the cards named, and
    harmless ones to make up its tricks."""
    piles = {seat: list(members(cards(text))) for seat, text in taken.items()}
    spare = _spare_cards([cards(text) for text in taken.values()])
    for pile in piles.values():
        while len(pile) % 4:
            pile.append(spare.pop(0))
    piles[0] = piles.get(0, []) + spare
    tricks = [
        Trick(0, tuple(pile[n : n + 4]), seat, points_of(sum(pile[n : n + 4])))
        for seat, pile in piles.items()
        for n in range(0, len(pile), 4)
    ]
    return HeartsState(100, totals=totals, deal=4, leader=0, tricks=tuple(tricks))


# --- when


def play(state: HeartsState, seat: int, card: str) -> tuple[tuple[Any, ...], HeartsState]:
    return _decided(state, seat, PlayCard(answers="d1.t5", card=card))


def play_all(table: Table, order: str) -> None:
    """The named cards, each by the seat whose turn it is."""
    for card in order.split():
        seat = table.waiting_for[0]
        asked = RULESET.question(table.state, seat)
        assert asked
        table.play(seat, PlayCard(answers=asked, card=card))


def passing(table: Table, seat: int, text: str) -> None:
    table.play(seat, pick(table.state, text))


def pick(state: HeartsState, text: str) -> PassCards:
    return PassCards(answers=f"d{state.deal}.pass", cards=tuple(text.split()))


def pass_first_three(table: Table) -> list[tuple[str, ...]]:
    """Every seat passes its three lowest cards, which are returned."""
    picks = [FRENCH.listed(hand)[:3] for hand in table.state.hands]
    for seat, three in enumerate(picks):
        passing(table, seat, " ".join(three))
    return picks


# --- then


def legal(state: HeartsState, seat: int) -> str:
    """The legal cards, as a text in card order."""
    moves = RULESET.legal_moves(state, seat).moves
    return " ".join(move.card for move in moves if isinstance(move, PlayCard))


def choice(state: HeartsState, seat: int) -> Choice:
    (described,) = RULESET.legal_moves(state, seat).moves
    assert isinstance(described, Choice)
    return described


def refused(state: HeartsState, seat: int, move: HeartsMove) -> RuleViolation:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.accept(state, seat, move)
    return refusal.value


def refused_card(state: HeartsState, seat: int, card: str) -> RuleViolation:
    return refused(state, seat, PlayCard(answers="d1.t5", card=card))


def only(events: Iterable[object], event_type: type) -> Any:
    (found,) = [event for event in events if isinstance(event, event_type)]
    return found


def deals(table: Table) -> list[Dealt]:
    return [event for event in table.log if isinstance(event, Dealt)]


class _Arranged(QuickChance):
    def __init__(self, deal: int, order: list[str]) -> None:
        super().__init__(seed=0)
        self.purpose, self.order = f"d{deal}.deal", order

    def shuffle(self, purpose: str, deck: Sequence[Any]) -> tuple[tuple[Any, ...], Draw]:
        order, draw = super().shuffle(purpose, deck)
        return (tuple(self.order) if purpose == self.purpose else order), draw


def _spare_cards(named: Iterable[CardSet]) -> list[int]:
    used = 0
    for one in named:
        used |= one
    points = HEARTS | QUEEN_OF_SPADES
    return [*members(FRENCH.all & ~used & ~points), *members(points & ~used)]


def _decided(
    state: HeartsState, seat: int, move: HeartsMove
) -> tuple[tuple[Any, ...], HeartsState]:
    chance = QuickChance(0)
    return kernel.decide(
        state,
        RULESET.accept(state, seat, move),
        RULESET.evolve,
        lambda after: RULESET.consequence(after, chance),
    )
