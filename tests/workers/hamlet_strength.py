"""How many of its bids the bot of Hamlet makes.

`python -m tests.workers.hamlet_strength [deals] [level]` prints the share in games with
itself, by kind of deal.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from domain import kernel
from domain.rulesets.hamlet import HAMLET
from domain.rulesets.hamlet.model import HamletOptions, HamletState
from domain.visibility import Viewer
from tests.chances import QuickChance
from workers.bots import hamlet

Player = Callable[[dict[str, Any], Any, bytes], dict[str, Any]]

FULL = HamletOptions(deals=1)


class Seen(NamedTuple):
    """One decision of one seat: what it saw and what it did."""

    state: HamletState
    seat: int
    view: dict[str, Any]
    body: dict[str, Any]


def seen(state: HamletState, seat: int, level: str = "normal") -> dict[str, Any]:
    """The view of a seat as the service makes it, as far as a bot may look at it."""
    legal = HAMLET.legal_moves(state, seat)
    return msgspec.to_builtins(HAMLET.view(state, Viewer(seat))) | {
        "seat": seat,
        "seats": [{"seat": n, "kind": "bot", "level": level} for n in range(state.seats)],
        "legal_moves": msgspec.to_builtins(legal.moves),
    }


def play_game(
    seed: int,
    players: Sequence[Player],
    options: HamletOptions = FULL,
    level: str = "normal",
    note: Callable[[Seen], None] = lambda _: None,
) -> HamletState:
    """A whole game; `note` is called with every decision."""
    chance = QuickChance(seed)

    def follow(state: HamletState) -> Any:
        event = HAMLET.consequence(state, chance)
        chance.note(event)
        return event

    state = HAMLET.initial(options, len(players))
    _, state = kernel.decide(state, follow(state), HAMLET.evolve, follow)
    step = 0
    while acting := HAMLET.to_act(state):
        seat, step = acting[0], step + 1
        view = seen(state, seat, level)
        body = players[seat](view, view["legal_moves"], f"{seed}/{step}".encode())
        note(Seen(state, seat, view, body))
        event = HAMLET.accept(state, seat, msgspec.convert(body, HAMLET.move_type))
        _, state = kernel.decide(state, event, HAMLET.evolve, follow)
    return state


def share_made(
    players: Sequence[Player],
    games: int,
    options: HamletOptions = FULL,
    level: str = "normal",
    seats: Sequence[int] | None = None,
    first_seed: int = 0,
) -> tuple[float, float]:
    """The share of bids made and the points a deal, of these seats or all."""
    made, points, bids = 0, 0, 0
    for seed in range(first_seed, first_seed + games):
        for scored in play_game(seed, players, options, level).scored:
            for seat in range(len(players)) if seats is None else seats:
                bids += 1
                points += scored.points[seat]
                made += scored.points[seat] > 0
    return made / bids, points / bids


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    level = sys.argv[2] if len(sys.argv) > 2 else "normal"
    up_down = HamletOptions(pattern="up_down")
    no_trump = HamletOptions(deals=1, no_trump_every=1)
    for title, seats, options, number in (
        ("3 x 17", 3, FULL, games),
        ("4 x 13", 4, FULL, games),
        ("3 x 17 without trump", 3, no_trump, games),
        ("up and down, 3", 3, up_down, games // 30 + 1),
        ("up and down, 4", 4, up_down, games // 25 + 1),
    ):
        made, points = share_made([hamlet.choose] * seats, number, options, level)
        print(f"{title}: {made:.1%} of bids made, {points:+.2f} points a deal")
