"""Hamlet!: other endings, as long as an Act goes on."""

from domain.rulesets.hamlet_play.constants import SEAT_COUNTS, actions_owed
from domain.rulesets.hamlet_play.engine.dice import most_dice_in_a_scene
from tests.domain.hamlet_play.given import tiny
from tests.service.leaks import Pair


def play_endings(seats: int) -> Pair:
    """Seats 0 and 2 hold other endings; with two seats, seat 0 one that nobody has. In Act One."""
    cards, owed = tiny(), actions_owed(1, seats)
    pack = [ending.id for ending in cards.endings.regular]
    held = pack[:seats]
    other = [pack[2], held[1], pack[0], *held[3:]][:seats]
    rolled = range(1, most_dice_in_a_scene(cards, owed) + 1)
    dice = {f"a1.s{scene}.die{die}": 3 for scene in range(1, seats + 1) for die in rolled}
    scripts = tuple(
        {"deals": [{"first_player": 1, "endings": e, "dice": dice}]} for e in (held, other)
    )
    steps = seats * owed - 1
    return Pair(seats, steps, (scripts[0], scripts[1]), {"card_set": "tiny"})


PAIRS = {f"endings of {seats}": play_endings(seats) for seats in SEAT_COUNTS}
