"""Hearts and Minds: other hands, and other goals."""

from typing import Any

from domain.rulesets.hearts_and_minds.model import DECKS
from tests.service.leaks import VIEWER, Moves, Pair, hands, swapped


def other_goals(seat: int, first: Moves, second: Moves) -> tuple[dict[str, Any], dict[str, Any]]:
    """All but the viewer choose another goal in each game."""
    return first[0], second[0] if seat == VIEWER else second[-1]


def minds_hands(seats: int) -> Pair:
    deal = hands(DECKS[seats], seats, len(DECKS[seats].codes) // seats)
    scripts = tuple(
        {"deals": [{"hands": h, "leader": 1}]} for h in (deal, swapped(deal, 0, 2, "TM"))
    )
    return Pair(seats, seats + 6, (scripts[0], scripts[1]))


def minds_goals(seats: int) -> Pair:
    """As long as one seat has not chosen."""
    script = {"deals": [{"hands": hands(DECKS[seats], seats, len(DECKS[seats].codes) // seats)}]}
    script["deals"][0]["leader"] = 2  # type: ignore[assignment]
    return Pair(seats, seats - 1, (script, script), choose=other_goals)


PAIRS = {
    "hands of three": minds_hands(3),
    "hands of four": minds_hands(4),
    "goals of three": minds_goals(3),
    "goals of four": minds_goals(4),
}
