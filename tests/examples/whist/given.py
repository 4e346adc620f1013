"""Given, when, then for whist, in card notation: hands and tables are texts such as `3D AS`."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain import kernel
from domain.card_games.cards import FRENCH, CardSet, members
from domain.card_games.tricks import PlayCard, Trick
from elsinore_whist import WHIST
from elsinore_whist.model import WhistDeal, WhistOptions, WhistState
from tests.chances import QuickChance, TableChance
from tests.tables import Table, some_move

RULESET: Any = WHIST  # views, events and outcomes are read in tests without narrowing them first

FOUR_SUITS = tuple(" ".join(FRENCH.listed(FRENCH.suits[suit])) for suit in "CHDS")


def cards(text: str) -> CardSet:
    return FRENCH.set_of(text.split())


# --- given


def position(
    *,
    hands: Mapping[int, str],
    table: str = "",
    leader: int = 0,
    turned: str = "2S",
    taken: Sequence[int] = (),
    totals: tuple[int, ...] = (0, 0, 0, 0),
) -> WhistState:
    """A deal under way. `taken` are the takers of the tricks before this one, which are made of
    the cards that are not named."""
    held = tuple(cards(hands.get(seat, "")) for seat in range(4))
    spare = list(members(FRENCH.all & ~sum(held) & ~cards(table)))
    tricks = [Trick(0, tuple(spare[4 * n : 4 * n + 4]), taker) for n, taker in enumerate(taken)]
    return WhistState(
        target=5,
        totals=totals,
        dealer=(leader - 1) % 4,
        deal=1,
        turned=FRENCH.card(turned),
        hands=held,
        leader=leader,
        trick_cards=tuple(FRENCH.card(code) for code in table.split()),
        tricks=tuple(tricks),
    )


def dealt(hands: Sequence[str], *, dealer: int = 0, target: int = 5) -> Table:
    """A table at which these hands are dealt first; the dealer's last card is turned up."""
    deal = WhistDeal(hands=tuple(tuple(hand.split()) for hand in hands), dealer=dealer)
    script = RULESET.script_draws(WhistOptions(target=target), 4, 1, [deal])
    return Table(RULESET, TableChance("script", script), options=WhistOptions(target=target))


def at_table(seed: int = 0) -> Table:
    """A new game, the first hands by chance."""
    return Table(RULESET, QuickChance(seed))


# --- when


def play_all(table: Table, order: str) -> tuple[Any, ...]:
    """The named cards, each by the seat whose turn it is; the events of the last one."""
    events: tuple[Any, ...] = ()
    for card in order.split():
        seat = table.waiting_for[0]
        asked = RULESET.question(table.state, seat)
        events = table.play(seat, PlayCard(answers=asked, card=card))
    return events


def play_tricks(table: Table, hands: Sequence[str], tricks: int = 13) -> None:
    """Every seat plays its hand from the front, until so many tricks of the deal are taken."""
    left = [hand.split() for hand in hands]
    for _ in range(4 * tricks):
        play_all(table, left[table.waiting_for[0]].pop(0))


def play(state: WhistState, card: str) -> tuple[tuple[Any, ...], WhistState]:
    """One card by the seat on turn, and what the table then does."""
    chance = QuickChance(0)
    (seat,) = RULESET.to_act(state)
    return kernel.decide(
        state,
        RULESET.accept(state, seat, PlayCard(answers=RULESET.question(state, seat), card=card)),
        RULESET.evolve,
        lambda after: RULESET.consequence(after, chance),
    )


def play_out(table: Table, rng: Any) -> Table:
    while table.waiting_for:
        seat = table.waiting_for[0]
        table.play(seat, some_move(RULESET, table.state, seat, rng))
    return table


# --- then


def legal(state: WhistState) -> str:
    """The legal cards of the seat on turn, as a text in card order."""
    (seat,) = RULESET.to_act(state)
    return " ".join(move.card for move in RULESET.legal_moves(state, seat).moves)


def only(events: Sequence[Any], event_type: type) -> Any:
    (found,) = [event for event in events if isinstance(event, event_type)]
    return found
