"""The golden games of Hearts and Minds: three and four seats, both scorings, and a script."""

from collections.abc import Callable
from typing import Any

from domain.game.model import Game, Script, SeatPlan
from domain.kernel import Move, Ruleset
from domain.rulesets.hearts_and_minds.model import ChooseGoal, Goal
from tests.golden.games import ME, OPEN, PERSONS, Table, View, some_move

HANDS = (
    ("3H", "7H", "10H", "2M", "9M", "1T", "5T", "8T", "4P", "6P"),
    ("1H", "5H", "8H", "4M", "6M", "10M", "3T", "9T", "2P", "7P"),
    ("2H", "6H", "1M", "7M", "8M", "2T", "6T", "10T", "3P", "9P"),
    ("4H", "9H", "3M", "5M", "4T", "7T", "1P", "5P", "8P", "10P"),
)
GOALS: tuple[Goal, ...] = (
    "most-hearts-and-minds",
    "balanced-diet",
    "least-thoughts-and-prayers",
    "heartless",
)


def agreed(ruleset: Ruleset[Any], game: Game, seat: int, number: int) -> Move:
    """In the first deal seat by seat another goal; all else as usual."""
    moves = ruleset.legal_moves(game.state, seat).moves
    if game.state.deal == 1 and game.state.phase == "goal":
        return next(m for m in moves if isinstance(m, ChooseGoal) and m.goal == GOALS[seat])
    return some_move(ruleset, game, seat, number)


def hearts_and_minds_three() -> Table:
    """Three persons with entropy, without the tens, graded."""
    table = Table("hearts-and-minds-three")
    table.open("hearts_and_minds", [ME, OPEN, OPEN])
    for seat, (player, entropy) in enumerate(zip(PERSONS, (16, 32, 64), strict=False)):
        table.sit(player, seat, entropy=entropy)
    table.play()
    return table


def hearts_and_minds_fewest() -> Table:
    """Four seats, two bots, the other scoring. Ophelia has chosen, leaves, and resumes later."""
    table = Table("hearts-and-minds-fewest")
    bot = SeatPlan(kind="bot", level="hard")
    table.open("hearts_and_minds", [ME, OPEN, bot, bot], {"suitless_scoring": "fewest"})
    table.sit("ophelia", 1, entropy=32)
    table.sit("hamlet", 0)
    table.play(moves=2)
    table.leave("ophelia", 1)
    table.play(moves=10)
    table.sit("ophelia", 1)
    table.play()
    return table


def hearts_and_minds_scripted() -> Table:
    """Ruling HM-1: the first leader and the first deal are written down; four seats, graded."""
    table = Table("hearts-and-minds-scripted")
    table.open(
        "hearts_and_minds",
        [ME, OPEN, OPEN, OPEN],
        script=Script(deals=({"hands": HANDS, "leader": 2},)),
    )
    for seat, player in enumerate(PERSONS):
        table.sit(player, seat)
    table.play(agreed)
    return table


GAMES: dict[str, Callable[[], Table]] = {
    "hearts-and-minds-three": hearts_and_minds_three,
    "hearts-and-minds-fewest": hearts_and_minds_fewest,
    "hearts-and-minds-scripted": hearts_and_minds_scripted,
}

VIEWS: tuple[View, ...] = (
    ("hearts-and-minds-fewest", 2, "spectator", "a table that fills"),
    ("hearts-and-minds-scripted", 9, "1", "a goal is owed, another is chosen and secret"),
    ("hearts-and-minds-scripted", 10, "1", "a goal is chosen, known to its seat only"),
    ("hearts-and-minds-three", 11, "1", "goals are open; the first lead"),
    ("hearts-and-minds-three", 13, "0", "a trick to follow by a seat that is bound"),
    ("hearts-and-minds-fewest", 9, "3", "a bot has taken over while goals are chosen"),
    ("hearts-and-minds-scripted", 30, "opener", "a scripted deal, to the one who wrote it"),
    ("hearts-and-minds-three", 61, "2", "a deal is scored and revealed"),
    ("hearts-and-minds-fewest", 239, "0", "the other scoring, after the last deal"),
    ("hearts-and-minds-scripted", 240, "spectator", "finished, with standings and tie-break"),
)
