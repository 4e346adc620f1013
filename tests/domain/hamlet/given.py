"""Given, when, then for Hamlet, in card notation: hands and tables are texts such as `3D AS`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from domain import kernel
from domain.card_games.cards import FRENCH, CardSet, members
from domain.card_games.tricks import PlayCard, Trick
from domain.kernel import RuleViolation
from domain.rulesets.hamlet import HAMLET
from domain.rulesets.hamlet.model import (
    BidMade,
    DealScored,
    Dealt,
    HamletMove,
    HamletOptions,
    HamletState,
    PlaceBid,
    ScriptedDeal,
)
from tests.chances import QuickChance, TableChance
from tests.tables import Table, some_move

RULESET: Any = HAMLET  # views, events and outcomes are read in tests without narrowing them first

FULL = HamletOptions()
UP_DOWN = HamletOptions(pattern="up_down")


def cards(text: str) -> CardSet:
    return FRENCH.set_of(text.split())


# --- given


def bidding(*, size: int, bids: str = "", seats: int = 3, dealer: int = 0) -> HamletState:
    """A deal in which these bids have been made, from the dealer's left on."""
    state = _deal_under_way(seats, size, dealer)
    for n, bid in enumerate(bids.split(), start=1):
        seat = (dealer + n) % seats
        made = BidMade(deal=state.deal, seat=seat, answers="d1.bid", bid=int(bid))
        state = RULESET.evolve(state, made)
    return state


def position(
    *,
    hands: Mapping[int, str],
    table: str = "",
    leader: int = 0,
    trump: str = "S",
    seats: int = 3,
    size: int = 17,
    bids: tuple[int, ...] = (0, 0, 0),
    taken: tuple[int, ...] = (),
) -> HamletState:
    """A deal under way. `taken` are the takers of the tricks before this one, which are made of
    the cards that are not named."""
    held = tuple(cards(hands.get(seat, "")) for seat in range(seats))
    spare = list(members(FRENCH.all & ~sum(held) & ~cards(table)))
    tricks = [
        Trick(0, tuple(spare[seats * n : seats * (n + 1)]), taker) for n, taker in enumerate(taken)
    ]
    return HamletState(
        seats=seats,
        deals=9,
        pattern="full",
        no_trump_every=0,
        totals=(0,) * seats,
        dealer=(leader - 1) % seats,
        deal=1,
        size=size,
        hands=held,
        trump=FRENCH.suits[trump] if trump else 0,
        source="turned-card" if trump else "none",
        bids=bids,
        leader=leader,
        trick_cards=tuple(FRENCH.card(code) for code in table.split()),
        tricks=tuple(tricks),
    )


def scripted(
    hands: Sequence[str],
    turned: str | None = None,
    *,
    dealer: int | None = 0,
    options: HamletOptions = UP_DOWN,
) -> Table:
    """A table at which these hands are dealt first; what is left over is the stock."""
    deal = written(hands, turned, dealer=dealer)
    script = RULESET.script_draws(options, len(hands), 1, [deal])
    return Table(RULESET, TableChance("script", script), options=options, seats=len(hands))


def written(
    hands: Sequence[str], turned: str | None = None, *, dealer: int | None = None
) -> ScriptedDeal:
    used = " ".join([*hands, turned or ""]).split()
    return ScriptedDeal(
        hands=tuple(tuple(hand.split()) for hand in hands),
        stock=tuple(code for code in FRENCH.codes if code not in used),
        turned=turned,
        dealer=dealer,
    )


def at_table(seats: int = 3, *, seed: int = 0, options: HamletOptions = FULL) -> Table:
    """A new game, the first hands by chance."""
    return Table(RULESET, QuickChance(seed), options=options, seats=seats)


def whole_game(seats: int, options: HamletOptions, rng: Any) -> Table:
    table = at_table(seats, seed=rng.randrange(10**6), options=options)
    while table.waiting_for:
        seat = table.waiting_for[0]
        table.play(seat, some_move(RULESET, table.state, seat, rng))
    return table


# --- when


def bid_all(table: Table, bids: str) -> None:
    """These bids, each by the seat whose turn it is."""
    for bid in bids.split():
        seat = table.waiting_for[0]
        asked = RULESET.question(table.state, seat)
        table.play(seat, PlaceBid(answers=asked, bid=int(bid)))


def play_all(table: Table, order: str) -> tuple[Any, ...]:
    """The named cards, each by the seat whose turn it is; the events of the last one."""
    events: tuple[Any, ...] = ()
    for card in order.split():
        seat = table.waiting_for[0]
        asked = RULESET.question(table.state, seat)
        events = table.play(seat, PlayCard(answers=asked, card=card))
    return events


def play(state: HamletState, seat: int, card: str) -> tuple[tuple[Any, ...], HamletState]:
    chance = QuickChance(0)
    return kernel.decide(
        state,
        RULESET.accept(state, seat, PlayCard(answers="d1.t1", card=card)),
        RULESET.evolve,
        lambda after: RULESET.consequence(after, chance),
    )


# --- then


def legal_bids(state: HamletState) -> list[int]:
    (seat,) = RULESET.to_act(state)
    return [move.bid for move in RULESET.legal_moves(state, seat).moves]


def legal(state: HamletState, seat: int) -> str:
    """The legal cards, as a text in card order."""
    return " ".join(move.card for move in RULESET.legal_moves(state, seat).moves)


def refused(state: HamletState, seat: int, move: HamletMove) -> RuleViolation:
    with pytest.raises(RuleViolation) as refusal:
        RULESET.accept(state, seat, move)
    return refusal.value


def refused_card(state: HamletState, seat: int, card: str) -> RuleViolation:
    return refused(state, seat, PlayCard(answers="d1.t1", card=card))


def refused_bid(state: HamletState, bid: int) -> RuleViolation:
    (seat,) = RULESET.to_act(state)
    return refused(state, seat, PlaceBid(answers="d1.bid", bid=bid))


def only(events: Iterable[object], event_type: type) -> Any:
    (found,) = [event for event in events if isinstance(event, event_type)]
    return found


def deals(table: Table) -> list[Dealt]:
    return [event for event in table.log if isinstance(event, Dealt)]


def scores(table: Table) -> list[DealScored]:
    return [event for event in table.log if isinstance(event, DealScored)]


def _deal_under_way(seats: int, size: int, dealer: int) -> HamletState:
    codes = FRENCH.codes
    hands = tuple(FRENCH.set_of(codes[n * size : (n + 1) * size]) for n in range(seats))
    return HamletState(
        seats=seats,
        deals=9,
        pattern="full",
        no_trump_every=0,
        totals=(0,) * seats,
        dealer=dealer,
        deal=1,
        size=size,
        hands=hands,
        bids=(None,) * seats,
        leader=(dealer + 1) % seats,
    )
