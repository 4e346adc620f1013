"""The bot of whist: what a partner may expect of it."""

from typing import Any

import msgspec
import pytest

from domain.visibility import Viewer
from elsinore_whist import bot
from elsinore_whist.model import WhistState
from tests.examples.whist.given import RULESET, position


def chosen(state: WhistState) -> str:
    (seat,) = RULESET.to_act(state)
    view: dict[str, Any] = msgspec.to_builtins(RULESET.view(state, Viewer(seat)))
    legal = msgspec.to_builtins(RULESET.legal_moves(state, seat).moves)
    card: str = bot.choose(view | {"seat": seat}, legal, b"")["card"]
    return card


@pytest.mark.parametrize(
    ("table", "hand", "card"),
    [
        ("", "2C AH 3D 4D JD", "JD"),  # from the top of the longest suit
        ("TH", "2H JH AH", "JH"),  # with the least that takes it
        ("TH 2H", "3H KH", "3H"),  # it is the partner's already
        ("TH QH", "2H KH AH", "KH"),
        ("TH AH", "2H KH", "2H"),  # nothing helps
        ("TH", "4C 9D 3S 5S", "3S"),  # a trump takes it
        ("TH QH", "4C 9D 3S", "3S"),
        ("TH 3H 4H", "AC 2D 3S", "3S"),
        ("TH QH 4H", "AC 2D 3S", "2D"),  # the partner's again, and no trump is wasted
    ],
)
def test_it_takes_from_the_other_pair_what_it_can_as_cheaply_as_it_can(
    table: str, hand: str, card: str
) -> None:
    seat = len(table.split())
    assert chosen(position(table=table, hands={seat: hand})) == card


def test_it_says_who_it_is() -> None:
    assert bot.VERSION == "whist-1"
