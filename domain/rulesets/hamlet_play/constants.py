"""The numbers on the rulebook's first pages: seats, Acts, and actions in a Scene."""

SEAT_COUNTS = (2, 3, 4, 5, 6, 7, 8)
"""Ruling HP-12."""

_FEW = (2, 3, 3, 3, 4)
_MANY = (1, 2, 2, 2, 3)


def actions_owed(act: int, seats: int) -> int:
    """How many actions a Scene of this Act takes; two and three players take one more each."""
    return (_FEW if seats <= 3 else _MANY)[act - 1]


def actions_in_a_game(seats: int) -> int:
    return seats * sum(_FEW if seats <= 3 else _MANY)
