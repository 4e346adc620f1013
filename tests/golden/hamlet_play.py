"""The golden games of Hamlet!, played with the tiny card set of the tests."""

from collections.abc import Callable
from pathlib import Path

from domain.lifecycle import Script, SeatPlan
from domain.rulesets.hamlet_play.cardsets import register
from events.cardsets import read_card_set
from tests.golden.games import PERSONS, Table

TINY = Path(__file__).parents[1] / "cardsets" / "tiny"
OPEN = SeatPlan(kind="open")
ME = SeatPlan(kind="reserved", player="hamlet")
WRITTEN = {
    "first_player": 1,
    "endings": ["last-of-his-house", "apart"],
    "dice": {"a1.s1.die1": 6, "a2.s1.die1": 1},
}


def hamlet_play_four() -> Table:
    """Four persons with entropy, regular endings."""
    table = _table("hamlet-play-four")
    table.open("hamlet_play", [ME, OPEN, OPEN, OPEN], {"card_set": "tiny"})
    for seat, (player, entropy) in enumerate(zip(PERSONS, (16, 32, 48, 64), strict=True)):
        table.sit(player, seat, entropy=entropy)
    table.play()
    return table


def hamlet_play_scripted() -> Table:
    """A person and a bot, difficult endings; First Player, endings and two dice written down."""
    table = _table("hamlet-play-scripted")
    table.open(
        "hamlet_play",
        [ME, SeatPlan(kind="bot", level="normal")],
        {"card_set": "tiny", "endings": "difficult"},
        Script(deals=(WRITTEN,)),
    )
    table.sit("hamlet", 0)
    table.play()
    return table


def _table(name: str) -> Table:
    register(read_card_set(TINY))
    return Table(name)


GAMES: dict[str, Callable[[], Table]] = {
    "hamlet-play-four": hamlet_play_four,
    "hamlet-play-scripted": hamlet_play_scripted,
}
