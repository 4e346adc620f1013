"""Pairs of games that differ only in what a viewer cannot know: every answer is the same, byte
for byte. Viewers are seat 1 and a spectator; the deals are written down by seat 0.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from domain.card_games.cards import FRENCH, Deck
from domain.registry import RULESETS
from domain.rulesets.hamlet_play.constants import SEAT_COUNTS, actions_owed
from domain.rulesets.hamlet_play.engine.dice import most_dice_in_a_scene
from domain.rulesets.hearts_and_minds.model import DECKS
from service.settings import Settings
from tests.domain.hamlet_play.given import tiny
from tests.service.tables import Table, answers_of, memory_services

VIEWER = 1
Moves = list[dict[str, Any]]
Choose = Callable[[int, Moves, Moves], tuple[dict[str, Any], dict[str, Any]]]


class Pair(NamedTuple):
    """Two scripts of a table, and what its seats answer in each: by default the same.

    The games are played for `steps` moves: as long as the difference can be a secret.
    """

    ruleset: str
    seats: int
    steps: int
    scripts: tuple[Any, Any]
    options: dict[str, Any] | None = None
    choose: Choose | None = None
    alike: int = 0
    """For as many moves the games are the same but for what is written down for later."""


def hands(deck: Deck, seats: int, size: int) -> list[list[str]]:
    """Mixed hands: suit by suit, each suit round the table."""
    cards = sorted(deck.codes, key=lambda code: (deck.codes.index(code) * 7) % len(deck.codes))
    return [cards[seat : size * seats : seats] for seat in range(seats)]


def swapped(deal: list[list[str]], one: int, other: int, suits: str) -> list[list[str]]:
    """The same hands, but that a card of each of these suits is exchanged between two seats."""
    changed = [list(hand) for hand in deal]
    for suit in suits:
        first = next(c for c in reversed(changed[one]) if c[-1] == suit)
        second = next(c for c in reversed(changed[other]) if c[-1] == suit)
        changed[one][changed[one].index(first)] = second
        changed[other][changed[other].index(second)] = first
    return changed


def cards_passed(seat: int, first: Moves, second: Moves) -> tuple[dict[str, Any], dict[str, Any]]:
    """Seat 2 passes others in each game; they come to seat 3. Clubs stay where they are."""
    if "choose" not in first[0]:
        return the_same(seat, first, second)
    both = [c for c in first[0]["of"] if c in second[0]["of"] and c[1] != "C"]
    picks = (both[:3], both[3:6] if seat == 2 else both[:3])
    shape = {"answers": first[0]["answers"], "type": "pass_cards"}
    return shape | {"cards": picks[0]}, shape | {"cards": picks[1]}


def other_goals(seat: int, first: Moves, second: Moves) -> tuple[dict[str, Any], dict[str, Any]]:
    """All but the viewer choose another goal in each game."""
    return first[0], second[0] if seat == VIEWER else second[-1]


def the_same(seat: int, first: Moves, second: Moves) -> tuple[dict[str, Any], dict[str, Any]]:
    move = next(move for move in first if move in second)
    return move, move


def hearts() -> Pair:
    deal = hands(FRENCH, 4, 13)
    other = swapped(deal, 2, 3, "SH")
    scripts = ({"deals": [{"hands": deal}]}, {"deals": [{"hands": other}]})
    return Pair("hearts", 4, 10, scripts, choose=cards_passed)


def hamlet_full(seats: int) -> Pair:
    size = 52 // seats
    deal = hands(FRENCH, seats, size)
    dealt = {card for hand in deal for card in hand}
    turned = next((c for c in FRENCH.codes if c not in dealt), deal[1][-1])
    shared = {"turned": turned, "dealer": 1}
    scripts = tuple({"deals": [{"hands": h, **shared}]} for h in (deal, swapped(deal, 0, 2, "SH")))
    return Pair("hamlet", seats, seats + 5, (scripts[0], scripts[1]), {"deals": 1})


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
    return Pair("hamlet", seats, before + seats, pair, options, alike=before)


def minds_hands(seats: int) -> Pair:
    deal = hands(DECKS[seats], seats, len(DECKS[seats].codes) // seats)
    scripts = tuple(
        {"deals": [{"hands": h, "leader": 1}]} for h in (deal, swapped(deal, 0, 2, "TM"))
    )
    return Pair("hearts_and_minds", seats, seats + 6, (scripts[0], scripts[1]))


def minds_goals(seats: int) -> Pair:
    """As long as one seat has not chosen."""
    script = {"deals": [{"hands": hands(DECKS[seats], seats, len(DECKS[seats].codes) // seats)}]}
    script["deals"][0]["leader"] = 2  # type: ignore[assignment]
    return Pair("hearts_and_minds", seats, seats - 1, (script, script), choose=other_goals)


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
    return Pair("hamlet_play", seats, steps, (scripts[0], scripts[1]), {"card_set": "tiny"})


PAIRS: dict[str, Pair] = {
    "hearts: hands and passes": hearts(),
    "hamlet: hands of three": hamlet_full(3),
    "hamlet: hands of four": hamlet_full(4),
    "hamlet: hands and stock of three": hamlet_stock(3),
    "hamlet: hands and stock of four": hamlet_stock(4),
    "hearts and minds: hands of three": minds_hands(3),
    "hearts and minds: hands of four": minds_hands(4),
    "hearts and minds: goals of three": minds_goals(3),
    "hearts and minds: goals of four": minds_goals(4),
    **{f"hamlet!: endings of {seats}": play_endings(seats) for seats in SEAT_COUNTS},
}


def test_every_rule_set_has_a_pair_for_every_number_of_seats() -> None:
    tables = {(r.name, seats) for r in RULESETS.values() for seats in r.seat_counts}
    assert {(pair.ruleset, pair.seats) for pair in PAIRS.values()} == tables


def normal(text: str, table: Table) -> str:
    """Seals, salts, digests, receipts, ids and times replaced by constants of their length."""
    text = text.replace(table.game, "g" * 26)
    text = re.sub(r"(elsinore_request_seconds.*) [0-9.e+-]+\n", r"\1\n", text)
    text = re.sub(r"p_[a-z2-7]{16}", "p" * 18, text)
    text = re.sub(r"[0-9a-f]{16,}", lambda found: "0" * len(found[0]), text)
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "T" * 24, text)


def seen(table: Table) -> list[str]:
    """What the viewers are answered, whatever they ask."""
    texts = answers_of(table, table.people[VIEWER], VIEWER)
    texts += answers_of(table, table.spectator, None)
    return [normal(text, table) for text in texts]


@pytest.mark.parametrize("name", PAIRS)
def test_leak_pairs_are_byte_equal_for_who_cannot_tell_them_apart(name: str) -> None:
    pair, root = PAIRS[name], bytes(range(1, 33))
    first, second = (
        Table(
            memory_services(root=lambda: root, settings=Settings()),  # no heartbeat ticks the clock
            ruleset=pair.ruleset,
            seats=pair.seats,
            options=pair.options,
            script=script,
        ).sit()
        for script in pair.scripts
    )
    apart = 0
    for step in range(pair.steps + 1):
        if step == 0 or step >= pair.alike:
            assert seen(first) == seen(second)
        views = [[table.view(seat) for seat in range(pair.seats)] for table in (first, second)]
        apart += any(
            one["hand"] != other["hand"] or one.get("goal") != other.get("goal")
            for one, other in zip(*views, strict=True)
        )
        if step == pair.steps:
            break
        seat = first.waiting_for[0]
        assert second.waiting_for[0] == seat
        legal = [view[seat]["legal_moves"] for view in views]
        moves = (pair.choose or the_same)(seat, *legal)
        for table, move in zip((first, second), moves, strict=True):
            assert table.people[seat].move(table.game, move).status_code == 201
    assert apart >= min(pair.steps, 5) - 1, "the two games are to differ for some moves"
