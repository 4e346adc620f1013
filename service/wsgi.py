"""What gunicorn runs: `gunicorn -c python:service.gunicorn 'service.wsgi:app()'`."""

import os

from flask import Flask

from events import cardsets
from events.connecting import connect
from events.health import is_fit, log_problems
from events.players import RedisPlayers
from events.presence import RedisPresence
from events.projections_redis import RedisProjections
from events.receipts import Signer
from events.redis_store import RedisStore
from events.tickets import RedisTickets
from service import logs
from service.app import create_app
from service.services import wired
from service.settings import InvalidSetting, Settings
from service.wakeups import RedisWakeups


class UnfitServer(RuntimeError):
    """The log's server would lose entries, or might; the message says what to change."""


def app(settings: Settings | None = None) -> Flask:
    """The service on the servers that the environment names.

    Raises InvalidSetting, and UnfitServer where the server answers and is not fit. One that does
    not answer yet is for /readyz to tell.
    """
    settings = Settings.read(os.environ) if settings is None else settings
    if not settings.redis_url:
        raise InvalidSetting("REDIS_URL is not set; `elsinore up` brings a server of its own")
    logs.set_up(settings.log_level)
    cardsets.load(settings.card_sets)
    client = connect(settings.redis_url)
    problems = log_problems(client, volatile_allowed=settings.volatile_allowed)
    if not is_fit(problems) and problems[0].name != "unreachable":
        raise UnfitServer(" ".join(problem.detail for problem in problems if problem.fatal))
    services = wired(
        RedisStore(client),
        RedisPlayers(client),
        Signer.at(settings.data / "receipt.key"),
        settings,
        RedisWakeups(client),
        tickets=RedisTickets(client),
        presence=RedisPresence(client),
        projections=RedisProjections(client),
        health=lambda: log_problems(client, volatile_allowed=settings.volatile_allowed),
    )
    return create_app(services)
