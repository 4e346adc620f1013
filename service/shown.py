"""A game as its answers show it: the view, a function of the log, and beside it what is live."""

from typing import Any

from domain.lifecycle import Game
from service.services import Services


def shown(
    runtime: Services, game: str, player: str, at: int | None = None, seat: int | None = None
) -> dict[str, Any]:
    view = runtime.reader.view(game, player, at, seat)
    seated = (seat["player"] for seat in view["seats"] if seat["player"] is not None)
    people = dict.fromkeys((view["opener"], *seated))
    return {
        "id": game,
        "view": view,
        "live": {"names": runtime.players.names(people), "links": links(game)},
    }


def links(game: str) -> dict[str, str]:
    own = f"/v1/games/{game}"
    return {"self": own} | {
        part: f"{own}/{part}" for part in ("seats", "moves", "events", "stream", "log")
    }


def summary(game_id: str, game: Game, opened: str) -> dict[str, Any]:
    """A line of the lobby: public facts only."""
    return {
        "id": game_id,
        "ruleset": game.ruleset,
        "status": game.status,
        "version": game.version,
        "opened": opened,
        "opener": game.opener,
        "chance": "scripted" if game.script else "chain",
        "seats": [
            {"seat": seat, "kind": o.kind, "player": o.player, "level": o.level}
            for seat, o in enumerate(game.seats)
        ],
        "links": links(game_id),
    }
