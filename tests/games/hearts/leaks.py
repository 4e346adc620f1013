"""Hearts: other hands, and other cards passed."""

from typing import Any

from domain.card_games.cards import FRENCH
from tests.service.leaks import Moves, Pair, hands, swapped, the_same


def cards_passed(seat: int, first: Moves, second: Moves) -> tuple[dict[str, Any], dict[str, Any]]:
    """Seat 2 passes others in each game; they come to seat 3. Clubs stay where they are."""
    if "choose" not in first[0]:
        return the_same(seat, first, second)
    both = [c for c in first[0]["of"] if c in second[0]["of"] and c[1] != "C"]
    picks = (both[:3], both[3:6] if seat == 2 else both[:3])
    shape = {"answers": first[0]["answers"], "type": "pass_cards"}
    return shape | {"cards": picks[0]}, shape | {"cards": picks[1]}


def hearts() -> Pair:
    deal = hands(FRENCH, 4, 13)
    other = swapped(deal, 2, 3, "SH")
    scripts = ({"deals": [{"hands": deal}]}, {"deals": [{"hands": other}]})
    return Pair(4, 10, scripts, choose=cards_passed)


PAIRS = {"hands and passes": hearts()}
