"""Hamlet: other hands, and another stock."""

from typing import Any

from domain.card_games.cards import FRENCH
from tests.service.leaks import Pair, hands, swapped


def hamlet_full(seats: int) -> Pair:
    size = 52 // seats
    deal = hands(FRENCH, seats, size)
    dealt = {card for hand in deal for card in hand}
    turned = next((c for c in FRENCH.codes if c not in dealt), deal[1][-1])
    shared = {"turned": turned, "dealer": 1}
    scripts = tuple({"deals": [{"hands": h, **shared}]} for h in (deal, swapped(deal, 0, 2, "SH")))
    return Pair(seats, seats + 5, (scripts[0], scripts[1]), {"deals": 1})


def hamlet_stock(seats: int) -> Pair:
    """Two short deals that are alike, then one whose cards lie otherwise in hands and stock."""

    def written(*, other: bool) -> Any:
        deals = []
        for size in (1, 2, 3):
            places = [*hands(FRENCH, seats, size), []]
            dealt = {card for hand in places for card in hand}
            turned, *places[-1] = [c for c in FRENCH.codes if c not in dealt]
            if other and size == 3:
                places = swapped(places, 2, seats, places[2][0][-1])
                places = swapped(places, 0, seats, places[0][-1][-1])
            dealer = {"dealer": 1} if size == 1 else {}
            deals.append({"hands": places[:-1], "stock": places[-1], "turned": turned, **dealer})
        return {"deals": deals}

    before = seats * (1 + 1) + seats * (1 + 2)
    options = {"pattern": "up_down", "deals": 3}
    pair = (written(other=False), written(other=True))
    return Pair(seats, before + seats, pair, options, alike=before)


PAIRS = {
    "hands of three": hamlet_full(3),
    "hands of four": hamlet_full(4),
    "hands and stock of three": hamlet_stock(3),
    "hands and stock of four": hamlet_stock(4),
}
