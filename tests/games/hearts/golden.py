"""The golden games of Hearts: a whole one, one with bots, a moon written down, one closed."""

from collections.abc import Callable
from typing import Any

from domain.card_games.tricks import PlayCard
from domain.game.model import Game, Script, SeatPlan
from domain.kernel import Move, Ruleset
from tests.golden.games import ME, OPEN, PERSONS, Table, View, some_move

# Seat 1 wins every trick: it follows the first with AC and leads nothing but the highest.
MOON_HANDS = (
    ("2C", "5C", "8C", "2S", "5S", "8S", "2D", "5D", "8D", "2H", "5H", "8H", "JC"),
    ("AC", "KC", "QC", "AS", "KS", "QS", "AD", "KD", "QD", "AH", "KH", "QH", "JH"),
    ("3C", "6C", "9C", "3S", "6S", "9S", "3D", "6D", "9D", "3H", "6H", "9H", "JS"),
    ("4C", "7C", "TC", "4S", "7S", "TS", "4D", "7D", "TD", "4H", "7H", "TH", "JD"),
)


def shooting(ruleset: Ruleset[Any], game: Game, seat: int, number: int) -> Move:
    """In a scripted deal seat 1 leads its highest cards, hearts last; all else as usual."""
    first = game.script.first_deal if game.script else 0
    if game.state.deal != first or seat != 1:
        return some_move(ruleset, game, seat, number)
    cards = [m for m in ruleset.legal_moves(game.state, seat).moves if isinstance(m, PlayCard)]
    return min(cards, key=lambda m: ("CSDH".index(m.card[1]), "AKQJ".index(m.card[0])))


def hearts_default() -> Table:
    """The game as it is: to 100, four persons, all of whom brought entropy."""
    table = Table("hearts-default")
    table.open("hearts", [ME, *[OPEN] * 3])
    for seat, (player, entropy) in enumerate(zip(PERSONS, (16, 32, 48, 64), strict=True)):
        table.sit(player, seat, entropy=entropy)
    table.play()
    return table


def hearts_bots() -> Table:
    """A short game of two persons and two bots. One brought entropy, left, and resumed later; a
    third person left before the start."""
    table = Table("hearts-bots")
    table.open(
        "hearts",
        [ME, SeatPlan(kind="bot", level="normal"), *[OPEN] * 2],
        {"target_score": 20},
    )
    table.sit("ophelia", 2, entropy=32)
    table.sit("horatio", 3, entropy=16)
    table.leave("horatio", 3)
    table.sit("hamlet", 0)
    table.seat_bot(3, "hard")
    table.play(moves=30)
    table.leave("ophelia", 2)
    table.play(moves=20)
    table.sit("ophelia", 2)
    table.play()
    return table


def hearts_moon() -> Table:
    """Ruling HE-3: 4/42/5/27, seat 1 shoots, 30/42/31/53: over at 50, and seat 0 wins."""
    table = Table("hearts-moon-1")
    table.open(
        "hearts",
        [ME, *[OPEN] * 3],
        {"target_score": 50},
        Script(first_deal=4, deals=({"hands": MOON_HANDS},)),
    )
    for seat, player in enumerate(PERSONS):
        table.sit(player, seat)
    table.play(shooting)
    return table


def hearts_closed() -> Table:
    """Closed by its opener before it started, with a script that nobody played."""
    table = Table("hearts-closed")
    table.open("hearts", [OPEN] * 4, script=Script(deals=({"hands": MOON_HANDS},)))
    table.sit("ophelia", 2, entropy=16)
    table.close()
    return table


GAMES: dict[str, Callable[[], Table]] = {
    "hearts-default": hearts_default,
    "hearts-bots": hearts_bots,
    "hearts-moon": hearts_moon,
    "hearts-closed": hearts_closed,
}

VIEWS: tuple[View, ...] = (
    ("hearts-bots", 4, "0", "a table that fills: a reserved seat, a bot, a seat left again"),
    ("hearts-default", 8, "2", "a pass of three cards is owed, another has passed"),
    ("hearts-default", 9, "0", "passed, and waiting for the others"),
    ("hearts-default", 12, "1", "the two of clubs leads; no other card may"),
    ("hearts-default", 25, "1", "a trick to follow, with the cards passed and received"),
    ("hearts-bots", 46, "spectator", "a bot has taken over in the middle of a trick"),
    ("hearts-moon", 250, "opener", "a scripted deal, to the one who wrote it down"),
    ("hearts-moon", 293, "1", "the moon is shot"),
    ("hearts-default", 513, "3", "finished, with standings and winner"),
    ("hearts-closed", 3, "spectator", "closed before it started"),
)
