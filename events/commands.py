"""What the command handler is asked, and what it answers."""

import msgspec

from domain.game.model import CloseGame, Leave, SeatBot, Sit
from events.receipts import Receipt


class MoveRequest(msgspec.Struct, frozen=True):
    """A move as it was sent, JSON: which moves there are, and for which seat, its game knows."""

    body: bytes


Request = MoveRequest | Sit | SeatBot | Leave | CloseGame


class CommandResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a command brought about: its entries as lines its sender may read, and the receipt.

    `seat` is the one its sender acted in, if any.
    """

    game: str
    seat: int | None
    version: int
    events: tuple[bytes, ...]
    receipt: Receipt
    appended: bool
