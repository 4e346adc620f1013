"""How much better a bot of Hearts plays than others: duplicate deals, the hero in every seat.

`python -m tests.workers.strength [deals] [level]` prints the advantage: the mean points of
the three opponents less the hero's, a hand, with its 95 % interval.
"""

import random
import statistics
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from domain import kernel
from domain.rulesets.hearts import HEARTS
from domain.rulesets.hearts.model import HeartsMove, HeartsState
from domain.visibility import Viewer
from tests.chances import QuickChance
from workers.bots import hearts, uniform

Player = Callable[[dict[str, Any], Any, bytes], dict[str, Any]]


def seen(state: HeartsState, seat: int, level: str = "normal") -> dict[str, Any]:
    """The view of a seat as the service makes it, as far as a bot may look at it."""
    legal = HEARTS.legal_moves(state, seat)
    return msgspec.to_builtins(HEARTS.view(state, Viewer(seat))) | {
        "seat": seat,
        "seats": [{"seat": n, "kind": "bot", "level": level} for n in range(4)],
        "legal_moves": msgspec.to_builtins(legal.moves),
    }


def play_hand(
    deal: int, players: list[Player], level: str, direction_deal: int = 0
) -> tuple[int, ...]:
    """One hand; `direction_deal` deals before it decide the direction of the pass."""
    chance = QuickChance(deal)
    state = HEARTS.initial(HEARTS.options(target_score=1), 4)
    state = msgspec.structs.replace(state, deal=direction_deal)

    def follow(state: HeartsState) -> Any:
        return HEARTS.consequence(state, chance)

    first = follow(state)
    _, state = kernel.decide(state, first, HEARTS.evolve, follow)
    step = 0
    while acting := HEARTS.to_act(state):
        seat = acting[0]
        step += 1
        view = seen(state, seat, level)
        body = players[seat](view, view["legal_moves"], f"{deal}/{seat}/{step}".encode())
        move: Any = msgspec.convert(body, HeartsMove)
        event = HEARTS.accept(state, seat, move)
        _, state = kernel.decide(state, event, HEARTS.evolve, follow)
    return state.scored[-1].points


def advantages(
    hero: Player, others: Player, deals: int, level: str = "normal", seed: int = 0
) -> list[float]:
    """Per deal, over the four seats of the hero."""
    found = []
    for deal in range(deals):
        margin = 0.0
        for seat in range(4):
            players = [hero if n == seat else others for n in range(4)]
            points = play_hand(seed + deal, players, level, deal % 4)
            margin += (sum(points) - points[seat]) / 3 - points[seat]
        found.append(margin / 4)
    return found


def interval(found: list[float]) -> tuple[float, float]:
    return statistics.fmean(found), 1.96 * statistics.stdev(found) / len(found) ** 0.5


if __name__ == "__main__":
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    level = sys.argv[2] if len(sys.argv) > 2 else "normal"
    for title, hero, others in (
        ("hearts-1 among three uniform", hearts.choose, uniform.choose),
        ("uniform among three hearts-1", uniform.choose, hearts.choose),
    ):
        mean, margin = interval(advantages(hero, others, deals, level, random.randrange(10**6)))
        print(f"{title}, {level}: {mean:+.2f} ± {margin:.2f} points a hand, {deals} deals")
