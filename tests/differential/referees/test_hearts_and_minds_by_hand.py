"""The referee of Hearts and Minds against examples worked by hand from the text."""

import pytest

from tests.differential.referees.hearts_and_minds import (
    deck,
    legal,
    legal_goals,
    score,
    taker,
    totals,
    trump_of,
    winners,
)

MOST = "most-hearts-and-minds"
LEAST = "least-thoughts-and-prayers"
DIET = "balanced-diet"
HEARTLESS = "heartless"
MINDLESS = "mindless"


def _cards(line: str) -> list[str]:
    return line.split()


# --- cards and tricks ------------------------------------------------------------------------


def test_four_play_with_forty_cards() -> None:
    cards = deck(4)
    assert len(cards) == len(set(cards)) == 40
    assert {"1H", "10H", "1M", "10M", "1T", "10T", "1P", "10P"} <= set(cards)


def test_three_play_without_the_tens() -> None:
    assert sorted(deck(3)) == sorted(
        _cards(
            "1H 2H 3H 4H 5H 6H 7H 8H 9H 1M 2M 3M 4M 5M 6M 7M 8M 9M "
            "1T 2T 3T 4T 5T 6T 7T 8T 9T 1P 2P 3P 4P 5P 6P 7P 8P 9P"
        )
    )


@pytest.mark.parametrize("seats", [2, 5])
def test_only_three_or_four_play(seats: int) -> None:
    with pytest.raises(ValueError, match="3 or 4"):
        deck(seats)


@pytest.mark.parametrize(("led", "trump"), [("1H", "P"), ("7P", "H"), ("10M", "T"), ("3T", "M")])
def test_the_card_led_fixes_the_trump(led: str, trump: str) -> None:
    assert trump_of(led) == trump


@pytest.mark.parametrize(
    ("trick", "index"),
    [
        # Without trump: the highest Heart. 10M and 10T are neither led suit nor trump.
        (["5H", "9H", "10M", "10T"], 1),
        # Ten is higher than nine.
        (["9M", "10M", "1M", "8H"], 1),
        # The lowest trump beats the highest of the led suit.
        (["10H", "1P", "9H", "8T"], 1),
        # The higher of two trumps, wherever it stands.
        (["9T", "2M", "10T", "7M"], 3),
        (["9T", "7M", "10T", "2M"], 1),
        # The same four cards, other leads, other trumps: H for P led, P for H led.
        (["9P", "3H", "4H", "10P"], 2),
        (["3H", "4H", "10P", "9P"], 2),
        (["4H", "2T", "3M"], 0),
    ],
)
def test_the_taker(trick: list[str], index: int) -> None:
    assert taker(trick) == index


@pytest.mark.parametrize("bound", [False, True])
def test_alike_for_free_and_bound(bound: bool) -> None:
    # A leader plays anything; a last card is always legal.
    assert legal(["1H", "10P", "4T"], [], bound) == {"1H", "10P", "4T"}
    assert legal(["1H"], ["5H", "3H"], bound) == {"1H"}
    assert legal(["1H"], ["5T", "3M"], bound) == {"1H"}


@pytest.mark.parametrize(
    ("hand", "trick", "may"),
    [
        # Holding the led suit: any card of it, higher or not, trumped or not.
        ("3H 9H 2P 7T", "5H", "3H 9H"),
        ("3H 9H 2P 7T", "5H 1P", "3H 9H"),
        # Void: anything.
        ("2M 9M 3H", "4T 5M", "2M 9M 3H"),
    ],
)
def test_a_free_seat(hand: str, trick: str, may: str) -> None:
    assert legal(_cards(hand), _cards(trick), False) == set(_cards(may))


@pytest.mark.parametrize(
    ("hand", "trick", "may"),
    [
        # Higher when following, with any of the higher cards, not only the highest.
        ("3H 6H 9H 2P", "5H", "6H 9H"),
        # Higher than the led suit's highest: not the card led, nor the last, nor one's own others.
        ("3H 6H 9H 10P", "5H 8H 2H", "9H"),
        # A card that does not count sets no mark: a Mind to Hearts; a Prayer to Minds is no trump.
        ("3H 6H", "5H 10M", "6H"),
        ("3M 9M", "5M 1P", "9M"),
        # Nothing higher: any card of the led suit, and no trump.
        ("3H 4H 10P", "5H", "3H 4H"),
        # Trumped: any card of the led suit.
        ("3H 9H 10P", "5H 1P", "3H 9H"),
        # Void with trump: any trump; the led suit's cards set no mark for it.
        ("2M 9M 3H 8P", "4T", "2M 9M"),
        ("2M 9M 3H 8P", "4T 10T", "2M 9M"),
        # Void, and trump in the trick: higher than all of them.
        ("2M 6M 9M 3H", "4T 5M", "6M 9M"),
        ("2M 6M 9M 3H", "4T 8M 5M", "9M"),
        # HM-4: lower trumps only, and still a trump.
        ("2M 3M 10H", "4T 5M", "2M 3M"),
        # Void in both: anything.
        ("3H 8P", "4T 5M", "3H 8P"),
    ],
)
def test_a_bound_seat(hand: str, trick: str, may: str) -> None:
    assert legal(_cards(hand), _cards(trick), True) == set(_cards(may))


# --- goals -----------------------------------------------------------------------------------


def test_a_goal_is_used_once() -> None:
    assert legal_goals([]) == {MOST, LEAST, DIET, HEARTLESS, MINDLESS}
    assert legal_goals([DIET, MOST]) == {LEAST, HEARTLESS, MINDLESS}
    assert legal_goals([DIET, MOST, HEARTLESS, LEAST]) == {MINDLESS}


def test_most_made_missed_and_missed_with_a_pair() -> None:
    taken = [
        [["1H", "2M", "3H"]],  # 3 Hearts and Minds
        [["4H", "1T", "2T"]],  # 1, and no Prayer to pair with
        [["3T", "4T", "1P"]],  # 0, and one pair of unlike ranks
    ]
    assert score([MOST, MOST, MOST], taken, "graded") == [3, -1, -2]


def test_most_tied_counts_and_no_tricks_miss() -> None:
    # 2, 2 and none: HM-9 for the third.
    taken: list[list[list[str]]] = [[["1H", "2M", "3T"]], [["4H", "5M", "6P"]], []]
    assert score([MOST, MOST, MOST], taken, "graded") == [3, 3, -1]


def test_most_where_nobody_took_any() -> None:
    # HM-9: none is the most, even without tricks; seat 0 pays for its pair. (No whole deal.)
    taken: list[list[list[str]]] = [[["1T", "2T", "3P"]], [], []]
    assert score([MOST, MOST, DIET], taken, "graded") == [2, 3, 3]


def test_most_made_still_pays_for_pairs() -> None:
    # 4 Hearts, 2 Thoughts, 3 Prayers: two pairs.
    taken: list[list[list[str]]] = [
        [["1H", "2H", "9P"], ["3H", "4H", "8P"], ["1T", "2T", "3P"]],
        [],
        [],
    ]
    assert score([MOST, DIET, DIET], taken, "graded")[0] == 1


def test_most_is_not_below_minus_three() -> None:
    # Seat 0: 3 Hearts, the most, 5 Thoughts, 7 Prayers: 3 - 5 = -2.
    # Seat 1: 1 Heart, 3 pairs: -1 - 3 = -4, held at -3.
    made = [["1H", "2H", "3H"], ["1T", "2T", "3T"], ["4T", "5T", "1P"], ["2P", "3P", "4P"]]
    missed = [["4H", "6T", "8P"], ["7T", "9P", "8T"], ["9T", "10P", "5M"]]
    taken = [[*made, ["5P", "6P", "7P"]], missed, []]
    assert score([MOST, MOST, DIET], taken, "graded") == [-2, -3, 3]
    # Two more Thoughts: 3 - 7 = -4, held at -3, though made.
    taken = [[*made, ["5P", "6P", "7P"], ["10T", "9T"]], [["4H"]], []]
    assert score([MOST, MOST, DIET], taken, "graded") == [-3, -1, 3]


def test_least_made_scores_its_tricks() -> None:
    taken = [
        [["1H", "2H", "3P"], ["1M", "2M", "3M"]],  # one Prayer, two tricks
        [["1T", "2T", "4H"]],
        [["1P", "3T", "4T"]],
    ]
    assert score([LEAST, LEAST, LEAST], taken, "graded") == [2, -2, -2]


def test_least_tied_counts() -> None:
    taken = [[["1H", "2H", "3P"]], [["4H", "5H", "1T"], ["1M", "2M", "3M"]], [["2T", "4P", "9H"]]]
    assert score([LEAST, LEAST, LEAST], taken, "graded") == [1, 2, -2]


def test_least_fails_against_a_rival_with_none() -> None:
    # The example of the rules: 2 tricks, one Thought; the rival has a trick with none.
    taken = [
        [["1H", "2H", "3T"], ["1M", "2M", "3M"]],
        [["4H", "5H", "6H"]],
        [["1P", "2P", "3P"]],
    ]
    assert score([LEAST, MOST, DIET], taken, "graded")[0] == -1


def test_least_fails_without_a_trick_and_against_a_seat_without_tricks() -> None:
    # HM-8, HM-9: seat 2 has nothing, and scores -3 by Least; seat 0 has 3 tricks, -3 + 3.
    taken: list[list[list[str]]] = [
        [["1H", "2H", "3T"], ["1M", "2M", "3M"], ["4M", "5M", "6P"]],
        [["1P", "2P", "3P"]],
        [],
    ]
    assert score([LEAST, DIET, LEAST], taken, "graded") == [0, 1, -3]
    assert score([LEAST, DIET, DIET], taken, "graded") == [0, 1, 3]


@pytest.mark.parametrize(
    ("tricks", "points"),
    [
        ([], 3),  # no tricks: HM-9
        ([["1H", "2M", "3T", "4P"]], 3),  # 1 1 1 1
        ([["1H", "2H", "3H", "4H"]], 1),  # 4 0 0 0
        ([["1H", "2M", "3T"]], 1),  # 1 1 1 0
        ([["1H", "2M", "3T", "4P"], ["5P", "6P", "7P", "8P"]], 1),  # 1 1 1 5
        ([["1H", "2H", "3M", "4M"]], -1),  # 2 2 0 0: two pairs, HM-3
        ([["1H", "2H", "3H", "4M"]], -1),  # 3 1 0 0
        ([["1H", "2H", "3M", "4M", "1T"], ["2T", "3T", "4P", "5P", "6P"]], -1),  # 2 2 3 3: HM-3
        ([["1H", "2M", "3T", "4T"], ["1P", "2P", "3P", "4P"]], -1),  # 1 1 2 4
        ([["1H", "2H", "3M"]], -1),  # 2 1 0 0
        ([["1H", "2M", "3M"], ["1T", "2T", "3T"]], -3),  # 1 2 3 0
        ([["1H", "2M", "3M", "1T"], ["2T", "3T", "1P", "2P"], ["3P", "4P", "5P", "6P"]], -3),
    ],
)
def test_diet(tricks: list[list[str]], points: int) -> None:
    assert score([DIET, MOST, MOST], [tricks, [], []], "graded")[0] == points


@pytest.mark.parametrize(("number", "points"), [(0, 3), (1, 2), (3, 0), (5, -2), (6, -3), (9, -3)])
def test_suitless_graded(number: int, points: int) -> None:
    # HM-2; the other of the two suits does not matter.
    hearts = [[f"{rank}H", f"{rank}T", "7M"] for rank in range(1, number + 1)]
    minds = [[f"{rank}M", f"{rank}T", "7H"] for rank in range(1, number + 1)]
    assert score([HEARTLESS, DIET, DIET], [hearts, [], []], "graded")[0] == points
    assert score([MINDLESS, DIET, DIET], [minds, [], []], "graded")[0] == points


def test_suitless_fewest() -> None:
    # HM-2: Hearts 1, 1, 2; Minds 1, 0, 2.
    taken: list[list[list[str]]] = [
        [["1H", "1M", "1T"]],
        [["2H", "2T", "3T"]],
        [["3H", "4H", "4T"], ["2M", "3M", "5T"]],
    ]
    assert score([HEARTLESS, HEARTLESS, HEARTLESS], taken, "fewest") == [3, 3, -3]
    assert score([MINDLESS, MINDLESS, MINDLESS], taken, "fewest") == [-3, 3, -3]
    # A seat without tricks has the fewest, whatever its goal.
    assert score([HEARTLESS, DIET, MINDLESS], [taken[0], [], taken[2]], "fewest") == [-3, 3, -3]


# --- a whole deal, and the game --------------------------------------------------------------

# Seat 0: Hearts 1-9, Minds 1-3. Seat 1: Minds 4-9, Thoughts 1-6. Seat 2: Thoughts 7-9, Prayers.
# Each line: who leads, the cards in the order of play, who takes.
DEAL = [
    (0, "9H 1T 1P", 2),
    (2, "9P 1H 2T", 0),
    (0, "3M 4M 7T", 2),
    (2, "8T 1M 3T", 0),
    (0, "2M 5M 2P", 1),
    (1, "9M 9T 2H", 2),
    (2, "3P 3H 4T", 0),
    (0, "4H 5T 4P", 2),
    (2, "5P 5H 6T", 0),
    (0, "6H 6M 6P", 2),
    (2, "7P 7H 7M", 0),
    (0, "8H 8M 8P", 2),
]


def test_a_whole_deal() -> None:
    hands = [
        _cards("1H 2H 3H 4H 5H 6H 7H 8H 9H 1M 2M 3M"),
        _cards("4M 5M 6M 7M 8M 9M 1T 2T 3T 4T 5T 6T"),
        _cards("7T 8T 9T 1P 2P 3P 4P 5P 6P 7P 8P 9P"),
    ]
    assert sorted(card for hand in hands for card in hand) == sorted(deck(3))
    taken: list[list[list[str]]] = [[], [], []]
    leader = 0
    for leads, line, takes in DEAL:
        assert leads == leader
        trick = _cards(line)
        for place, card in enumerate(trick):
            hand = hands[(leader + place) % 3]
            assert card in legal(hand, trick[:place], False)
            hand.remove(card)
        leader = (leader + taker(trick)) % 3
        assert leader == takes
        taken[takes].append(trick)
    assert hands == [[], [], []]
    # H M T P: seat 0 has 4 2 5 4 in 5 tricks, seat 1 0 2 0 1 in 1, seat 2 5 5 4 4 in 6.
    # Diet with two equal; Least with 1 against 9 and 8, one trick; Most with 10, four pairs.
    assert score([DIET, LEAST, MOST], taken, "graded") == [-1, 1, -1]
    # Most with 6 against 10, four pairs: -5, held at -3; no Heart; two pairs of equal counts.
    assert score([MOST, HEARTLESS, DIET], taken, "graded") == [-3, 3, -1]
    # Two Minds, as few as seat 1; Diet with 0 0; Least with 8 against 1, six tricks.
    assert score([MINDLESS, DIET, LEAST], taken, "graded") == [1, -1, 3]
    assert score([MINDLESS, DIET, LEAST], taken, "fewest") == [3, -1, 3]
    # Four Hearts and five: 3 - 4 and 3 - 5.
    assert score([HEARTLESS, LEAST, HEARTLESS], taken, "graded") == [-1, 1, -2]


def test_a_total_is_held_at_zero_after_each_round() -> None:
    # HM-7: -3, +3, +3, -1 ends at 5; seat 1 never holds anything to lose; seat 2 loses a part.
    held = [0, 0, 0]
    for scores, after in [
        ([-3, -1, 2], [0, 0, 2]),
        ([3, -3, -3], [3, 0, 0]),
        ([3, 0, 1], [6, 0, 1]),
        ([-1, -3, -1], [5, 0, 0]),
    ]:
        held = totals(held, scores)
        assert held == after


@pytest.mark.parametrize(
    ("final", "last", "won"),
    [
        ([5, 9, 3], [3, -1, 6], [1]),  # the highest total, whatever the last round
        ([7, 7, 3], [1, 2, 3], [1]),  # tied: the better last round of the tied two
        ([7, 7, 3], [2, 2, 3], [0, 1]),  # still tied: shared
        ([0, 0, 0], [-1, -3, -1], [0, 2]),  # HM-5: the round's own score, before the hold
        ([4, 4, 4, 4], [0, 0, 0, 0], [0, 1, 2, 3]),
    ],
)
def test_the_winners(final: list[int], last: list[int], won: list[int]) -> None:
    assert winners(final, last) == won
