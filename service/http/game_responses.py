"""A game as its answers show it: the view, a function of the log, and beside it what is live."""

from typing import Any

from flask import request

from events.log.entry import timestamp
from events.projections.store import LobbyRow
from service.http.schemas.answers import Game, GameSummary, Live
from service.services import Services


def game_answer(
    runtime: Services,
    game: str,
    player: str,
    at: int | None = None,
    seat: int | None = None,
    *,
    past: bool = False,
) -> Game:
    """Who is at the table is not told of the past or of a game that is over, which never change."""
    view = runtime.reader.view(game, player, at, seat)
    seated = (seat["player"] for seat in view["seats"] if seat["player"] is not None)
    left = (seat["former"] for seat in view["seats"] if seat["former"] is not None)
    people = dict.fromkeys((view["opener"], *seated, *left))
    runtime.presence.note(game, player)
    present = () if past or is_over(view) else runtime.presence.at(game, view["seats"])
    live = Live(names=runtime.players.names(people), seats=present, links=links(game))
    return Game(id=game, view=view, live=live)


def is_over(view: dict[str, Any]) -> bool:
    return bool(view["status"] == "finished")


def links(game: str) -> dict[str, str]:
    own = f"{request.script_root}/v1/games/{game}"
    return {"self": own} | {
        part: f"{own}/{part}"
        for part in ("seats", "moves", "events", "stream", "scoresheet", "log")
    }


def summary(row: LobbyRow) -> GameSummary:
    """A line of the lobby: public facts only."""
    return GameSummary(
        id=row.game,
        ruleset=row.ruleset,
        status=row.status,
        version=row.version,
        opened=timestamp(row.opened),
        opener=row.opener,
        chance=row.chance,
        seats=row.seats,
        links=links(row.game),
    )
