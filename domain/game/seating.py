"""Who may take a seat, give one to a bot, leave, and resume."""

import msgspec

from domain.game.model import (
    Command,
    Entropy,
    Game,
    Leave,
    Occupant,
    Play,
    SeatBot,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    Sit,
)
from domain.kernel import RuleViolation

FREE = {"open", "reserved"}


def accept_sit(game: Game, command: Sit) -> SeatTaken | SeatResumed:
    """One seat a person; the opener takes the seat that was reserved, who left takes their own."""
    if game.status == "finished":
        raise not_playing(game)
    wanted = _occupant(game, command.seat)
    if wanted.former == command.player:
        return _resumed(command)
    if game.seat_of(command.player) is not None:
        raise RuleViolation(
            "one-seat-each", "You sit at this table already.", code="already-seated"
        )
    if not any(occupant.kind in FREE for occupant in game.seats):
        raise RuleViolation("seats", "Every seat is taken.", code="game-full")
    check_open(game)
    if wanted.kind not in FREE:
        raise RuleViolation("seats", "This seat is taken.", code="seat-taken")
    if wanted.kind == "reserved" and wanted.player != command.player:
        raise RuleViolation("seats", "This seat is reserved for the opener.", code="seat-reserved")
    if wanted.kind == "open" and any(other.player == command.player for other in game.seats):
        raise RuleViolation(
            "one-seat-each", "Another seat is reserved for you.", code="seat-reserved"
        )
    _check_entropy(command.entropy)
    return SeatTaken(seat=command.seat, player=command.player, entropy=command.entropy)


def accept_bot(game: Game, command: SeatBot) -> SeatTaken:
    check_opener(game, command.player)
    check_open(game)
    if _occupant(game, command.seat).kind not in FREE:
        raise RuleViolation("seats", "This seat is taken.", code="seat-taken")
    return SeatTaken(seat=command.seat, level=command.level)


def accept_leave(game: Game, command: Leave) -> SeatLeft:
    """Before the start the seat is free again; later a bot takes over, for the game goes on."""
    if game.status == "finished":
        raise not_playing(game)
    occupant = _occupant(game, command.seat)
    if occupant.kind != "player" or occupant.player != command.player:
        raise RuleViolation("own-seat", "You do not sit in this seat.", code="not-your-seat")
    level = command.level if game.status == "playing" else None
    return SeatLeft(seat=command.seat, player=command.player, level=level)


def acting_seat(game: Game, command: Command, player: str) -> int | None:
    """In which seat a person acts: the one they take, leave or play for, else the one they have."""
    if isinstance(command, Sit | Leave | Play):
        return command.seat
    return game.seat_of(player)


def check_open(game: Game) -> None:
    if game.status == "finished":
        raise not_playing(game)
    if game.status == "playing":
        raise RuleViolation("lifecycle", "The game has started.", code="already-started")


def check_opener(game: Game, player: str) -> None:
    if player != game.opener:
        raise RuleViolation("opener", "Only the opener may do this.", code="not-the-opener")


def not_playing(game: Game) -> RuleViolation:
    if game.status == "finished":
        return RuleViolation("lifecycle", "The game is over.", code="game-over")
    return RuleViolation("lifecycle", "The game has not started.", code="not-started")


def _resumed(command: Sit) -> SeatResumed:
    if command.entropy is not None:
        raise RuleViolation(
            "entropy",
            "The list of entropy was frozen when the game started.",
            code="entropy-frozen",
        )
    return SeatResumed(seat=command.seat, player=command.player)


def _occupant(game: Game, seat: int) -> Occupant:
    if not 0 <= seat < len(game.seats):
        raise RuleViolation("seats", "There is no such seat.", code="unknown-seat")
    return game.seats[seat]


def _check_entropy(entropy: str | None) -> None:
    try:
        msgspec.convert(entropy, Entropy | None)
    except msgspec.ValidationError:
        raise RuleViolation(
            "entropy", "Entropy is 16 to 64 bytes in lower-case hex.", code="invalid-entropy"
        ) from None
