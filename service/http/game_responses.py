"""A game as its answers show it: the view, a function of the log, and beside it what is live."""

from contextlib import suppress
from typing import Any

from events.errors import EventsError
from events.log.entry import timestamp
from events.projections.store import LobbyRow
from service.services import Services


def shown(
    runtime: Services, game: str, player: str, at: int | None = None, seat: int | None = None
) -> dict[str, Any]:
    view = runtime.reader.view(game, player, at, seat)
    seated = (seat["player"] for seat in view["seats"] if seat["player"] is not None)
    left = (seat["former"] for seat in view["seats"] if seat["former"] is not None)
    people = dict.fromkeys((view["opener"], *seated, *left))
    note_presence(runtime, game, player)
    live = {
        "names": runtime.players.names(people),
        "seats": runtime.presence.at(game, view["seats"]),
        "links": links(game),
    }
    return {"id": game, "view": view, "live": live}


def note_presence(runtime: Services, game: str, player: str) -> None:
    """Notes that a player is at the table, if they have a seat there. Never fails."""
    with suppress(EventsError):
        if runtime.loader.cached(game).game.seat_of(player) is not None:
            runtime.presence.seen(game, player)


def links(game: str) -> dict[str, str]:
    own = f"/v1/games/{game}"
    return {"self": own} | {
        part: f"{own}/{part}"
        for part in ("seats", "moves", "events", "stream", "scoresheet", "log")
    }


def summary(row: LobbyRow) -> dict[str, Any]:
    """A line of the lobby: public facts only."""
    return {
        "id": row.game,
        "ruleset": row.ruleset,
        "status": row.status,
        "version": row.version,
        "opened": timestamp(row.opened),
        "opener": row.opener,
        "chance": row.chance,
        "seats": row.seats,
        "links": links(row.game),
    }
