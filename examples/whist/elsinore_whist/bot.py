"""A plain player of whist, from the view of its seat alone; it plays alike at every level."""

from collections.abc import Sequence
from typing import Any

from domain.card_games.cards import FRENCH
from domain.card_games.tricks import taking_card

VERSION = "whist-1"
RANKS = "23456789TJQKA"


def choose(view: dict[str, Any], legal: Sequence[Any], seed: bytes) -> Any:
    """Leads the top of its longest suit. Else it takes the trick from the other pair with the least
    card that does, or plays its lowest, trumps last."""
    trump, lying = view["turned"][1], view["trick"]["cards"]
    moves = sorted(legal, key=lambda m: (m["card"][1] == trump, RANKS.index(m["card"][0])))
    if not lying:
        held = [card[1] for card in view["hand"]]
        return max(moves, key=lambda m: (held.count(m["card"][1]), RANKS.index(m["card"][0])))
    seats = {FRENCH.card(play["card"]): play["seat"] for play in lying}
    suits = FRENCH.suits[lying[0]["card"][1]], FRENCH.suits[trump]
    best = taking_card(sum(seats), *suits)
    better = [m for m in moves if taking_card(best | FRENCH.card(m["card"]), *suits) != best]
    return better[0] if better and seats[best] % 2 != view["seat"] % 2 else moves[0]
