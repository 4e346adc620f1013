"""How well the bot of Hearts and Minds plays, and where its weights come from.

`python -m tests.workers.hearts_and_minds_strength [games]` prints the mean final total of one bot
among uniform players, and of a uniform player among bots, with 95 % intervals.
`… fit [games]` plays the bot with itself, goals by chance, and prints the weights of the goals.
"""

import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from domain import kernel
from domain.rulesets.hearts_and_minds import HEARTS_AND_MINDS as RULESET
from domain.rulesets.hearts_and_minds.model import HeartsAndMindsState
from domain.visibility import Viewer
from tests.chances import QuickChance
from workers.bots import hearts_and_minds as bot

Player = Callable[[dict[str, Any], Any, bytes], dict[str, Any]]
MOVES: Any = RULESET.move_type


def uniform(view: dict[str, Any], legal: Any, seed: bytes) -> dict[str, Any]:
    chosen: dict[str, Any] = random.Random(seed).choice(legal)
    return chosen


def goals_by_chance(view: dict[str, Any], legal: Any, seed: bytes) -> dict[str, Any]:
    return (uniform if view["phase"] == "goal" else bot.choose)(view, legal, seed)


def seen(state: HeartsAndMindsState, seat: int, level: str = "normal") -> dict[str, Any]:
    """The view of a seat as the service makes it, as far as a bot may look at it."""
    legal = RULESET.legal_moves(state, seat)
    return msgspec.to_builtins(RULESET.view(state, Viewer(seat))) | {
        "seat": seat,
        "seats": [{"seat": n, "kind": "bot", "level": level} for n in range(state.seats)],
        "legal_moves": msgspec.to_builtins(legal.moves),
    }


def play_game(
    seed: int, players: Sequence[Player], dealt: Callable[[HeartsAndMindsState], None] | None = None
) -> HeartsAndMindsState:
    """A whole game; `dealt` is shown each deal while its goals are revealed."""
    seats, step, chance = len(players), 0, QuickChance(seed)

    def follow(state: HeartsAndMindsState) -> Any:
        event = RULESET.consequence(state, chance)
        chance.note(event)
        return event

    state = RULESET.initial(RULESET.options(), seats)
    _, state = kernel.decide(state, follow(state), RULESET.evolve, follow)
    while acting := RULESET.to_act(state):
        step += 1
        view = seen(state, acting[0])
        body = players[acting[0]](view, view["legal_moves"], f"{seed}/{step}".encode())
        event = RULESET.accept(state, acting[0], msgspec.convert(body, MOVES))
        _, state = kernel.decide(state, event, RULESET.evolve, follow)
        if dealt and state.phase == "play" and not state.trick_cards and not state.tricks:
            dealt(state)
    return state


def totals_of(hero: Player, others: Player, seats: int, games: int, seed: int = 0) -> list[float]:
    """The final total of the hero, per game, over all seats it may have."""
    found = []
    for game in range(games):
        totals = [
            play_game(seed + game, [hero if n == seat else others for n in range(seats)])
            .totals[seat]
            for seat in range(seats)
        ]  # fmt: skip
        found.append(statistics.fmean(totals))
    return found


def interval(found: list[float]) -> tuple[float, float]:
    return statistics.fmean(found), 1.96 * statistics.stdev(found) / len(found) ** 0.5


# --- the fit


def fitted(seats: int, games: int) -> dict[str, tuple[float, ...]]:
    """For each goal its mean score, then the weights of the features by least squares."""
    rows: dict[str, list[tuple[tuple[float, ...], float]]] = defaultdict(list)
    for game in range(games):
        hands: list[list[tuple[float, ...]]] = []

        def note(state: HeartsAndMindsState, hands: Any = hands) -> None:
            hands.append([bot.features(state.deck.listed(hand)) for hand in state.hands])

        end = play_game(game, [goals_by_chance] * seats, note)
        for scored, features in zip(end.scored, hands, strict=True):
            for seat, goal in enumerate(scored.goals):
                rows[goal].append((features[seat], scored.points[seat]))
    return {
        goal: (statistics.fmean(y for _, y in found), *least_squares(found))
        for goal, found in sorted(rows.items())
    }


def least_squares(rows: list[tuple[tuple[float, ...], float]], ridge: float = 2.0) -> list[float]:
    size = len(rows[0][0])
    left = [[sum(x[i] * x[j] for x, _ in rows) for j in range(size)] for i in range(size)]
    right = [sum(x[i] * y for x, y in rows) for i in range(size)]
    for i in range(size):
        left[i][i] += ridge
    for i in range(size):
        for k in range(i + 1, size):
            factor = left[k][i] / left[i][i]
            right[k] -= factor * right[i]
            for j in range(i, size):
                left[k][j] -= factor * left[i][j]
    solved = [0.0] * size
    for i in reversed(range(size)):
        known = sum(left[i][j] * solved[j] for j in range(i + 1, size))
        solved[i] = (right[i] - known) / left[i][i]
    return solved


if __name__ == "__main__":
    fit = sys.argv[1:2] == ["fit"]
    games = int(sys.argv[1 + fit]) if len(sys.argv) > 1 + fit else 200
    for seats in (3, 4):
        if fit:
            for goal, weights in fitted(seats, games).items():
                print(seats, goal, tuple(round(weight, 2) for weight in weights))
            continue
        for title, hero, others in (
            ("the bot among uniform players", bot.choose, uniform),
            ("a uniform player among bots", uniform, bot.choose),
            ("uniform players", uniform, uniform),
        ):
            mean, margin = interval(totals_of(hero, others, seats, games, random.randrange(10**6)))
            print(f"{seats} seats, {title}: {mean:.2f} ± {margin:.2f}, {games} games")
