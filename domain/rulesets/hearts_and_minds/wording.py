"""The sentences of score lines. Both scorers say the same thing, each with what it has counted."""

from domain.rulesets.hearts_and_minds.model import Goal, Suit

NAMES: dict[str, str] = {"H": "Hearts", "M": "Minds", "T": "Thoughts", "P": "Prayers"}
SHUNNED: dict[Goal, Suit] = {"heartless": "H", "mindless": "M"}

NO_PAIR = "no pair of Thoughts and Prayers: 0"
LEAST_WITHOUT_TRICKS = "least Thoughts and Prayers without a trick: -3"
DIET_WITHOUT_TRICKS = "no trick taken, so all four suits equal: +3"
EQUAL = {4: "all four equal", 3: "three equal", 2: "two equal", 1: "none equal"}
TWO_AND_TWO = "two and two equal, which is two equal"


def signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def compared(own: int, rival: tuple[int, int] | None, otherwise: str, points: int) -> str:
    """`rival` is a seat that has done better, and its count."""
    against = otherwise if rival is None else f"seat {rival[0]} has {rival[1]}"
    return f"{own}, {against}: {signed(points)}"


def most(own: int, rival: tuple[int, int] | None, points: int) -> str:
    return f"most Hearts and Minds: {compared(own, rival, 'nobody has more', points)}"


def pair(number: int, thought: tuple[str, int], prayer: tuple[str, int]) -> str:
    """`thought` and `prayer` are a card and the trick it was taken in."""
    return (
        f"pair {number} of Thoughts and Prayers: {thought[0]} in trick {thought[1]}"
        f" and {prayer[0]} in trick {prayer[1]}: -1"
    )


def limited(points: int) -> str:
    return f"the goal is not scored below -3: {signed(points)}"


def least(own: int, rival: tuple[int, int] | None, points: int) -> str:
    return f"least Thoughts and Prayers: {compared(own, rival, 'nobody has fewer', points)}"


def trick_taken(trick: int, taking: str) -> str:
    return f"took trick {trick} with {taking}: +1"


def diet(counts: dict[str, int], equal: str, points: int) -> str:
    listed = ", ".join(f"{NAMES[suit]} {count}" for suit, count in counts.items())
    return f"{listed}: {equal}: {signed(points)}"


def graded(suit: str) -> str:
    return f"3 less the {NAMES[suit]} taken: +3"


def shunned_card(card: str, trick: int, taking: str) -> str:
    return f"took {card} in trick {trick} with {taking}: -1"


def fewest(suit: str, own: int, rival: tuple[int, int] | None, points: int) -> str:
    return f"fewest {NAMES[suit]}: {compared(own, rival, 'nobody has fewer', points)}"


def held(total: int, points: int) -> str:
    return f"the total of {total} is held at 0: {signed(points)}"
