"""A referee for Hearts and Minds: the seed's text, sentence by sentence, on strings and lists.

Written from the Japanese rule text and the rulings HM-1 to HM-9 alone, without sight of the
implementation it judges. Slow and literal on purpose. A card is its code, rank then suit:
`10M`, `3T`; the suits are Hearts H, Minds M, Thoughts T, Prayers P.

- deck(seats): the codes of the cards in play, unshuffled; the order means nothing.
- legal(hand, trick, bound): the cards of `hand` that may be played to `trick` (the cards played
  so far, in order; empty for the leader). `bound`: the seat chose Heartless or Mindless.
- taker(trick): the index in `trick`, not the seat, of the card that takes it.
- trump_of(led_card): the letter of the suit that is trump when this card is led.
- score(goals, taken, suitless): the scores of one deal, not held at 0. `goals` has one name a
  seat, `taken` one list of tricks a seat; `suitless` is "graded" or "fewest" (HM-2).
- totals(previous, scores): the totals after the deal, held at 0 (HM-7).
- winners(totals, last_scores): the winning seats, ascending; `last_scores` are the last deal's
  own scores (HM-5).
- legal_goals(used): the goals that a seat may still choose.

Not judged here, as no function asks: who leads first (HM-1), secrecy of a pick (HM-6).
"""

from typing import Literal

SUITS = ["H", "M", "T", "P"]

GOALS = [
    "most-hearts-and-minds",
    "least-thoughts-and-prayers",
    "balanced-diet",
    "heartless",
    "mindless",
]


# --- cards -----------------------------------------------------------------------------------


def suit_of(card: str) -> str:
    return card[-1]


def rank_of(card: str) -> int:
    return int(card[:-1])


def of_suit(cards: list[str], suit: str) -> list[str]:
    return [card for card in cards if suit_of(card) == suit]


def higher_than_all(cards: list[str], others: list[str]) -> list[str]:
    return [card for card in cards if all(rank_of(card) > rank_of(other) for other in others)]


def deck(seats: int) -> list[str]:
    if seats not in [3, 4]:
        raise ValueError(f"a game for 3 or 4, not for {seats}")
    # The text: "40 cards: four suits, each 1 to 10."
    cards = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 11)]
    # The text: "With three players, take out the 10 of each suit before shuffling."
    if seats == 3:
        cards = [card for card in cards if rank_of(card) != 10]
    return cards


# --- tricks ----------------------------------------------------------------------------------


def trump_of(led_card: str) -> str:
    # The text: "The suit of the card led fixes the trump of that trick", and only that card does.
    led = suit_of(led_card)
    # The text: "Hearts: Prayers."
    if led == "H":
        return "P"
    # The text: "Prayers: Hearts."
    if led == "P":
        return "H"
    # The text: "Minds: Thoughts."
    if led == "M":
        return "T"
    # The text: "Thoughts: Minds."
    if led == "T":
        return "M"
    raise ValueError(f"no such suit: {led_card}")


def taker(trick: list[str]) -> int:
    trumps = of_suit(trick, trump_of(trick[0]))
    followers = of_suit(trick, suit_of(trick[0]))
    # The translator's note: "The highest trump takes the trick."
    # The translator's note: "If there is no trump, the highest card of the led suit."
    contenders = trumps if trumps != [] else followers
    return trick.index(max(contenders, key=rank_of))


def legal(hand: list[str], trick: list[str], bound: bool) -> set[str]:
    # The text: "The leader plays any one card of the hand." Nothing in the special rule binds a
    # leader.
    if trick == []:
        return set(hand)
    if bound:
        return set(_must_win_must_trump(hand, trick))
    # The text: "The others follow the led suit if they can."
    followers = of_suit(hand, suit_of(trick[0]))
    if followers != []:
        return set(followers)
    # Void: anything, trump included; the standard that the text presumes.
    return set(hand)


def _must_win_must_trump(hand: list[str], trick: list[str]) -> list[str]:
    led = suit_of(trick[0])
    trump = trump_of(trick[0])
    my_followers = of_suit(hand, led)
    my_trumps = of_suit(hand, trump)
    led_in_trick = of_suit(trick, led)
    trumps_in_trick = of_suit(trick, trump)

    # The text: "Who can follow must follow."
    if my_followers != []:
        # The text: "Even if somebody has trumped, to follow comes first; any card of that suit
        # will do."
        if trumps_in_trick != []:
            return my_followers
        # The text: "While following, who has a higher card must play it": higher than the
        # highest of the led suit in the trick; which of several such cards is free.
        winning = higher_than_all(my_followers, led_in_trick)
        return winning if winning != [] else my_followers

    # The text: "Who cannot follow and holds trump must play a trump."
    if my_trumps != []:
        # The text: "Who cannot follow, finds trump played and has a higher trump must play it."
        winning = higher_than_all(my_trumps, trumps_in_trick)
        # HM-4: with lower trumps only, the duty to trump still stands.
        return winning if winning != [] else my_trumps

    # The text: "In any other case, play freely."
    return hand


# --- goals -----------------------------------------------------------------------------------


def legal_goals(used: list[str]) -> set[str]:
    # The text: "A goal card that was used is discarded and cannot be used again in the game."
    return {goal for goal in GOALS if goal not in used}


def score(
    goals: list[str],
    taken: list[list[list[str]]],
    suitless: Literal["graded", "fewest"],
) -> list[int]:
    if len(goals) != len(taken):
        raise ValueError(f"{len(goals)} goals for {len(taken)} seats")
    # The text: "Each player looks at the cards taken and judges the goal chosen."
    return [_score_of_seat(seat, goal, taken, suitless) for seat, goal in enumerate(goals)]


def _score_of_seat(
    seat: int,
    goal: str,
    taken: list[list[list[str]]],
    suitless: Literal["graded", "fewest"],
) -> int:
    if goal == "most-hearts-and-minds":
        return _most_hearts_and_minds(seat, taken)
    if goal == "least-thoughts-and-prayers":
        return _least_thoughts_and_prayers(seat, taken)
    if goal == "balanced-diet":
        return _balanced_diet(seat, taken)
    if goal == "heartless":
        return _suitless(seat, "H", taken, suitless)
    if goal == "mindless":
        return _suitless(seat, "M", taken, suitless)
    raise ValueError(f"no such goal: {goal}")


def _count(tricks: list[list[str]], suit: str) -> int:
    number = 0
    for trick in tricks:
        number += len(of_suit(trick, suit))
    return number


def _most_hearts_and_minds(seat: int, taken: list[list[list[str]]]) -> int:
    # Compared with every seat, whatever its goal, seats without tricks included.
    sums = [_count(tricks, "H") + _count(tricks, "M") for tricks in taken]
    # The text: "+3 if the sum of Hearts and Minds is the most (ties will do)."
    # The text: "-1 if it is not the most." HM-9: so too without tricks.
    points = 3 if all(sums[seat] >= other for other in sums) else -1
    # The text: "Moreover, -1 for each pair of a Thought and a Prayer": made or missed, whatever
    # the ranks.
    thoughts = _count(taken[seat], "T")
    prayers = _count(taken[seat], "P")
    points -= min(thoughts, prayers)
    # The text: "This goal can end below zero, but -3 is the floor."
    return max(points, -3)


def _least_thoughts_and_prayers(seat: int, taken: list[list[list[str]]]) -> int:
    tricks_taken = len(taken[seat])
    sums = [_count(tricks, "T") + _count(tricks, "P") for tricks in taken]
    # The text: "No loss if the sum of Thoughts and Prayers is the least (ties will do)."
    failed = not all(sums[seat] <= other for other in sums)
    # The text: "But at least one trick must be taken." HM-8: a condition of the score, not a duty
    # in play. HM-9: -3 without.
    if tricks_taken == 0:
        failed = True
    # The text: "-3 on failure."
    points = -3 if failed else 0
    # The text: "Moreover, +1 for each trick taken (the required one included)."
    return points + tricks_taken


def _balanced_diet(seat: int, taken: list[list[list[str]]]) -> int:
    # The text: "Without tricks, all four suits count as equal." HM-9
    if taken[seat] == []:
        return 3
    # Zero is a count.
    counts = [_count(taken[seat], suit) for suit in SUITS]
    most_alike = max(counts.count(number) for number in counts)
    # The text: "All four suits the same number: +3."
    if most_alike == 4:
        return 3
    # The text: "Three suits the same: +1."
    if most_alike == 3:
        return 1
    # The text: "Only two suits the same: -1." HM-3: two pairs of equal counts score as two.
    if most_alike == 2:
        return -1
    # The text: "None the same: -3."
    return -3


def _suitless(
    seat: int,
    suit: str,
    taken: list[list[list[str]]],
    suitless: Literal["graded", "fewest"],
) -> int:
    # The text: "Take as few Hearts (as few Minds) as you can": the text gives no numbers.
    counts = [_count(tricks, suit) for tricks in taken]
    if suitless == "graded":
        # HM-2: 3 minus the number of cards of that suit taken, not below -3.
        return max(3 - counts[seat], -3)
    if suitless == "fewest":
        # HM-2: +3 for the fewest of all (ties count), else -3.
        return 3 if all(counts[seat] <= other for other in counts) else -3
    raise ValueError(f"no such scoring: {suitless}")


# --- the game --------------------------------------------------------------------------------


def totals(previous: list[int], scores: list[int]) -> list[int]:
    # The text: "Points may be negative, but a total never goes below 0." HM-7: after each round.
    return [max(before + points, 0) for before, points in zip(previous, scores, strict=True)]


def winners(totals: list[int], last_scores: list[int]) -> list[int]:
    # The text: "After four rounds the player with the most points wins."
    best_total = max(totals)
    seats = [seat for seat, total in enumerate(totals) if total == best_total]
    # The text: "On a tie, the better result in the last round." HM-5: its own score, not held at 0.
    best_last = max(last_scores[seat] for seat in seats)
    # The text: "Still the same: the win is shared."
    return [seat for seat in seats if last_scores[seat] == best_last]
