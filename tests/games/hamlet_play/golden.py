"""The golden games of Hamlet!: two with the tiny card set of the tests, one with the house's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from domain.game.model import Game, Level, Script, SeatPlan
from domain.kernel import Move, Ruleset
from domain.rulesets.hamlet_play.model import TakeAction
from tests.golden.games import ME, OPEN, PERSONS, Table, View

TINY = Path(__file__).parents[2] / "cardsets" / "tiny"
WRITTEN = {
    "first_player": 1,
    "endings": ["last-of-his-house", "apart"],
    "dice": {"a1.s1.die1": 6, "a2.s1.die1": 1},
}
BOTS: tuple[Level, ...] = ("hard", "normal")
PLAY = """
gertrude.come-and-sit-you-down/in-my-closet
hamlet.remember-me
hamlet.antic-disposition
polonius.brevity
polonius.behind-the-arras
rosencrantz-guildenstern.were-you-not-sent-for
laertes.toward-france
polonius.a-bait-of-falsehood/drabbing
gertrude.come-and-sit-you-down/by-the-king
hamlet.a-rat
claudius.he-shall-with-speed-to-england
rosencrantz-guildenstern.where-the-body-is
gertrude.come-and-sit-you-down/in-my-closet
horatio.these-good-fellows
hamlet.speak-daggers
hamlet.to-be-or-not-to-be/suffer
laertes.toward-france
ophelia.snatches-of-old-tunes
gertrude.assume-a-virtue
ophelia.theres-rosemary/rue
ophelia.eisel
laertes.where-is-this-king
laertes.a-noble-father-lost
hamlet.to-be-or-not-to-be/bare-bodkin
"""


def hamlet_play_four() -> Table:
    """Four persons with entropy, regular endings."""
    table = Table("hamlet-play-four")
    table.open("hamlet_play", [ME, OPEN, OPEN, OPEN], {"card_set": "tiny"})
    for seat, (player, entropy) in enumerate(zip(PERSONS, (16, 32, 48, 64), strict=True)):
        table.sit(player, seat, entropy=entropy)
    table.play()
    return table


def hamlet_play_scripted() -> Table:
    """A person and a bot, difficult endings; First Player, endings and two dice written down."""
    table = Table("hamlet-play-scripted")
    table.open(
        "hamlet_play",
        [ME, SeatPlan(kind="bot", level="normal")],
        {"card_set": "tiny", "endings": "difficult"},
        Script(deals=(WRITTEN,)),
    )
    table.sit("hamlet", 0)
    table.play()
    return table


def hamlet_play_elsinore() -> Table:
    """A person and two bots, both packs; every action is written down."""
    table = Table("hamlet-play-elsinore")
    bots = [SeatPlan(kind="bot", level=level) for level in BOTS]
    table.open("hamlet_play", [ME, *bots], {"card_set": "elsinore", "endings": "mixed"})
    table.sit("hamlet", 0, entropy=32)
    actions = iter(PLAY.split())

    def choose(ruleset: Ruleset[Any], game: Game, seat: int, number: int) -> Move:
        del number
        action, _, choice = next(actions).partition("/")
        asked = ruleset.question(game.state, seat)
        return TakeAction(answers=str(asked), action=action, choice=choice or None)

    table.play(choose)
    return table


GAMES: dict[str, Callable[[], Table]] = {
    "hamlet-play-four": hamlet_play_four,
    "hamlet-play-scripted": hamlet_play_scripted,
    "hamlet-play-elsinore": hamlet_play_elsinore,
}

VIEWS: tuple[View, ...] = (
    ("hamlet-play-four", 1, "0", "a table before its start"),
    ("hamlet-play-four", 9, "0", "the first action, with what is legal and why not"),
    ("hamlet-play-four", 9, "1", "the same to a seat that waits"),
    ("hamlet-play-scripted", 8, "1", "the consequences of an action under way"),
    ("hamlet-play-scripted", 60, "opener", "scripted endings and dice, to the opener"),
    ("hamlet-play-elsinore", 13, "2", "the house's card set, on turn"),
    ("hamlet-play-elsinore", 40, "0", "a persona has died"),
    ("hamlet-play-elsinore", 86, "spectator", "late in the last act"),
    ("hamlet-play-scripted", 109, "spectator", "finished by its last act"),
    ("hamlet-play-elsinore", 98, "0", "finished, with an ending that holds or not"),
)
