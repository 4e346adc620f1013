"""The golden games of Hamlet: three and four seats, both patterns, no trump, and scripts."""

from collections.abc import Callable
from typing import Any

from domain.game.model import Game, Script, SeatPlan
from domain.kernel import Move, Ruleset
from domain.rulesets.hamlet.model import PlaceBid
from tests.golden.games import ME, OPEN, PERSONS, Table, View, secret, some_move

# Seat 1 deals: the last card dealt is its TD, which is shown and stays in its hand.
FOUR_HANDS = (
    ("AC", "9C", "3C", "2C", "QD", "4D", "KH", "8H", "5H", "JS", "TS", "7S", "2S"),
    ("KC", "JC", "6C", "KD", "TD", "5D", "QH", "9H", "2H", "AS", "9S", "6S", "3S"),
    ("QC", "TC", "5C", "AD", "8D", "7D", "2D", "AH", "TH", "4H", "QS", "8S", "5S"),
    ("8C", "7C", "4C", "JD", "9D", "6D", "3D", "JH", "7H", "6H", "3H", "KS", "4S"),
)

# The second deal of up and down: two cards each, 8H turned up, the rest is left in the stock.
TWO_EACH = (("AS", "2H"), ("KS", "3S"), ("4S", "5D"))


def bidding(ruleset: Ruleset[Any], game: Game, seat: int, number: int) -> Move:
    """Near an equal share of the tricks where that is allowed, so that some bids are kept."""
    share = game.state.size // game.state.seats
    weight = secret(f"bid {number} of seat {seat} in {game.commitment}")[0]
    bids = [m for m in ruleset.legal_moves(game.state, seat).moves if isinstance(m, PlaceBid)]
    near = [move for move in bids if abs(move.bid - share) <= 2]
    return near[weight % len(near)] if near else some_move(ruleset, game, seat, number)


def hamlet_three() -> Table:
    """Three persons with entropy, seventeen cards each, one card left over and turned up."""
    table = Table("hamlet-three")
    table.open("hamlet", [ME, OPEN, OPEN], {"deals": 3})
    for seat, (player, entropy) in enumerate(zip(PERSONS, (16, 32, 64), strict=False)):
        table.sit(player, seat, entropy=entropy)
    table.play(bidding)
    return table


def hamlet_four() -> Table:
    """Four seats, the dealer's last card shown, the second deal without trump. Ophelia leaves in
    the bidding and resumes in the play."""
    table = Table("hamlet-four")
    bot = SeatPlan(kind="bot", level="easy")
    table.open("hamlet", [ME, OPEN, bot, bot], {"deals": 2, "no_trump_every": 2})
    table.sit("ophelia", 1, entropy=32)
    table.sit("hamlet", 0)
    table.play(bidding, moves=1)
    table.leave("ophelia", 1)
    table.play(bidding, moves=10)
    table.sit("ophelia", 1)
    table.play(bidding)
    return table


def hamlet_up_down() -> Table:
    """One card each, then two …, of which the third deal is without trump but has a card shown."""
    table = Table("hamlet-up-down")
    table.open("hamlet", [ME, OPEN, OPEN], {"pattern": "up_down", "deals": 5, "no_trump_every": 3})
    for seat, player in enumerate(PERSONS[:3]):
        table.sit(player, seat, entropy=16)
    table.play(bidding)
    return table


def hamlet_four_up_down() -> Table:
    """One, two and three cards each for four seats; the second deal is without trump and has a
    card shown."""
    table = Table("hamlet-four-up-down")
    options = {"pattern": "up_down", "deals": 3, "no_trump_every": 2}
    table.open("hamlet", [ME, OPEN, OPEN, OPEN], options)
    for seat, player in enumerate(PERSONS):
        table.sit(player, seat, entropy=16)
    table.play(bidding)
    return table


def hamlet_scripted() -> Table:
    """Ruling HA-3: dealer, hands and the card shown are written down; a single deal."""
    table = Table("hamlet-scripted")
    deal = {"hands": FOUR_HANDS, "turned": "TD", "dealer": 1}
    table.open("hamlet", [ME, OPEN, OPEN, OPEN], {"deals": 1}, Script(deals=(deal,)))
    for seat, player in enumerate(PERSONS):
        table.sit(player, seat)
    table.play(bidding)
    return table


def hamlet_stock() -> Table:
    """Rulings HA-2, HA-6: of three short deals the second is written down, stock and all."""
    table = Table("hamlet-stock")
    dealt = {card for hand in TWO_EACH for card in hand} | {"8H"}
    stock = [r + s for s in "CDHS" for r in "23456789TJQKA" if r + s not in dealt]
    deal = {"hands": TWO_EACH, "turned": "8H", "stock": stock}
    table.open(
        "hamlet",
        [ME, OPEN, OPEN],
        {"pattern": "up_down", "deals": 3},
        Script(first_deal=2, deals=(deal,)),
    )
    for seat, player in enumerate(PERSONS[:3]):
        table.sit(player, seat)
    table.play(bidding)
    return table


GAMES: dict[str, Callable[[], Table]] = {
    "hamlet-three": hamlet_three,
    "hamlet-four": hamlet_four,
    "hamlet-up-down": hamlet_up_down,
    "hamlet-four-up-down": hamlet_four_up_down,
    "hamlet-scripted": hamlet_scripted,
    "hamlet-stock": hamlet_stock,
}

VIEWS: tuple[View, ...] = (
    ("hamlet-four", 3, "1", "all seats taken, nothing dealt"),
    ("hamlet-three", 8, "0", "a bid is owed, one has been made"),
    ("hamlet-up-down", 33, "2", "the last to bid, and the bid that is forbidden"),
    ("hamlet-four", 8, "1", "a bot bids in the place of one who left"),
    ("hamlet-three", 12, "1", "a trick to follow under trump"),
    ("hamlet-four", 100, "spectator", "a deal without trump"),
    ("hamlet-scripted", 19, "opener", "a scripted deal, to the one who wrote it down"),
    ("hamlet-stock", 17, "1", "a scripted short deal with a stock"),
    ("hamlet-up-down", 95, "2", "the last deal is scored"),
    ("hamlet-four-up-down", 59, "spectator", "finished, with standings and winner"),
)
