"""What a game is in the records of those who played it, and its line in the lobby."""

from events.projections.store import GameRecord, LobbyRow, RecordPart, row_of
from workers.projections.history import History


def game_record(history: History) -> GameRecord | None:
    """None before the start, and for scripted games, which count in no record.

    Everyone who had a seat has played; who has it at the end has finished, and won with it.
    """
    game = history.game
    if game.script is not None or not history.players:
        return None
    parts = {}
    for player in sorted(history.players):
        seat = game.seat_of(player)
        finished = game.outcome is not None and seat is not None
        won = finished and game.outcome is not None and seat in game.outcome.winners
        parts[player] = RecordPart(ruleset=game.ruleset, finished=finished, won=won)
    return GameRecord(game=history.id, version=history.version, parts=parts)


def lobby_row(history: History) -> LobbyRow:
    return row_of(history.id, history.game, history.version, history.opened)
